import type { Static } from 'typebox';
import { sha256 } from '../../../base/crypto/keyring.js';
import { fail, invalid } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import type { ConsolePrincipal } from '../../../http/principal.js';
import type { ScopedContext } from '../../../http/route.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { Read } from '../../../ledger/write.js';
import { PLAN_LIMITS } from '../../../model/plans.js';
import { VISIBLE, VISIBLE_RULE } from '../../../model/visible.js';
import { listPage } from '../../../records/list.js';
import { iso, isoOrNull } from '../../../records/schema.js';
import { createIssuer, prepareIssuer } from '../keys/keys.js';
import { readClaims, showClaims } from './claims.js';
import type { CreateBody, ListQuery, PatchBody, RotateBody } from './clients.schema.js';
import * as store from './clients.store.js';
import { readPublicKeys } from './public-keys.js';
import { checkRedirectUris, checkUris } from './redirect-uris.js';

type ClientContext = Pick<ScopedContext, 'read' | 'write' | 'scope'> & {
  readonly deps: Pick<
    Deps,
    'clock' | 'config' | 'db' | 'ids' | 'keyPairs' | 'outbound' | 'random' | 'sealer'
  >;
  readonly principal: ConsolePrincipal;
};

const SECRET_BYTES = 32;
const DEFAULT_GRACE_SECONDS = 86_400;

const issuerOf = ({ config }: Pick<Deps, 'config'>, { tenantId, environment }: Scope) =>
  `${config.baseUrl}/oidc/${tenantId}/${environment}`;

export const serializeClient = (
  { deps, scope }: { readonly deps: Pick<Deps, 'config'>; readonly scope: Scope },
  row: store.ClientRow,
) => ({
  clientId: row.id,
  name: row.name,
  type: row.type,
  redirectUris: row.redirect_uris,
  postLogoutRedirectUris: row.post_logout_redirect_uris,
  backchannelLogoutUri: row.backchannel_logout_uri,
  tokenEndpointAuth: row.token_endpoint_auth,
  jwks: row.jwks,
  subjectType: row.subject_type,
  requireDpop: row.require_dpop,
  requirePkce: row.require_pkce,
  claims: showClaims(row.claims, row.custom_claims),
  claimsInIdToken: row.id_token_claims,
  idTokenAlg: row.id_token_alg,
  issuer: issuerOf(deps, scope),
  previousSecretUntil: isoOrNull(row.previous_secret_until),
  createdAt: iso(row.created_at),
});

export async function findClient(read: Read, id: string): Promise<store.ClientRow> {
  return (await store.findClient(read, id)) ?? fail('oidc_client_not_found');
}

export const clientList = (
  context: Pick<ScopedContext, 'scope'> & {
    deps: Pick<Deps, 'config' | 'cursors' | 'history'>;
    query: Static<typeof ListQuery>;
  },
) =>
  listPage(context, 'clients', {
    fetch: (read, _query, count, before) => store.listClients(read, count, before),
    show: (row: store.ClientRow) => serializeClient(context, row),
    position: (row: store.ClientRow) => row.id,
  });

const hasSecret = (auth: store.ClientRow['token_endpoint_auth']): boolean =>
  auth === 'client_secret_basic' || auth === 'client_secret_post';

function newSecret({ random }: Pick<Deps, 'random'>): { readonly text: string; readonly hash: string } {
  const text = random.bytes(SECRET_BYTES).toString('base64url');
  return { text, hash: sha256(text) };
}

/** Which applications can keep a secret or a private key. */
function checkAuth({ type, tokenEndpointAuth: auth }: Static<typeof CreateBody>): void {
  if (type === 'spa' && auth !== 'none')
    invalid('body.tokenEndpointAuth', 'must be none, because a browser cannot keep a secret');
  if (type === 'native' && auth !== 'none' && auth !== 'private_key_jwt')
    invalid(
      'body.tokenEndpointAuth',
      'must be none or private_key_jwt, because all copies of an app contain the same secret',
    );
}

function readKeys(
  jwks: Static<typeof CreateBody>['jwks'],
  auth: store.ClientRow['token_endpoint_auth'],
): store.ClientRow['jwks'] {
  const keys = jwks ?? null;
  if (auth !== 'private_key_jwt')
    return keys === null ? null : invalid('body.jwks', 'is only for private_key_jwt');
  return keys === null ? invalid('body.jwks', 'is required for private_key_jwt') : readPublicKeys(keys.keys);
}

/** Without PKCE, only what a client knows or has shows that a code is its own. */
function checkPkce(requirePkce: boolean | undefined, auth: store.ClientRow['token_endpoint_auth']): void {
  if (requirePkce === false && auth === 'none')
    invalid('body.requirePkce', 'must be true for a client that has neither a secret nor a key');
}

/** Checks the fields that are there. What they depend on never changes. */
function checkFields(
  { outbound }: Pick<Deps, 'outbound'>,
  { name, postLogoutRedirectUris, backchannelLogoutUri }: Static<typeof PatchBody>,
  type: store.ClientRow['type'],
): void {
  if (name !== undefined && !VISIBLE.test(name)) invalid('body.name', VISIBLE_RULE);
  if (postLogoutRedirectUris) checkUris(postLogoutRedirectUris, type, 'body.postLogoutRedirectUris');
  const problem = backchannelLogoutUri ? outbound.refuse(backchannelLogoutUri) : undefined;
  if (problem !== undefined) invalid('body.backchannelLogoutUri', problem);
}

export async function createClient(context: ClientContext & { body: Static<typeof CreateBody> }) {
  const { deps, scope, write, principal, body } = context;
  checkAuth(body);
  checkRedirectUris(body.redirectUris, body);
  checkFields(deps, body, body.type);
  checkPkce(body.requirePkce, body.tokenEndpointAuth);
  const claims = readClaims(body.claims ?? []);
  const jwks = readKeys(body.jwks, body.tokenEndpointAuth);
  const secret = hasSecret(body.tokenEndpointAuth) ? newSecret(deps) : undefined;
  const issuer = await prepareIssuer(deps, scope);
  const now = new Date(deps.clock.now());
  const row: store.ClientRow = {
    id: deps.ids(),
    name: body.name,
    type: body.type,
    redirect_uris: body.redirectUris,
    post_logout_redirect_uris: body.postLogoutRedirectUris ?? [],
    backchannel_logout_uri: body.backchannelLogoutUri ?? null,
    token_endpoint_auth: body.tokenEndpointAuth,
    jwks,
    subject_type: body.subjectType,
    id_token_alg: body.idTokenAlg ?? 'RS256',
    require_dpop: body.requireDpop ?? false,
    require_pkce: body.requirePkce ?? true,
    claims: claims.standard,
    custom_claims: claims.custom,
    id_token_claims: body.claimsInIdToken ?? true,
    secret_hash: secret?.hash ?? null,
    previous_secret_hash: null,
    previous_secret_until: null,
    created_at: now,
  };
  await write('oidc_client.created', async (w) => {
    w.audit({ entityType: 'oidc_client', entityId: row.id });
    if ((await store.countClients(w)) >= PLAN_LIMITS[principal.tenant.plan].oidcClients)
      fail('oidc_client_limit_reached');
    if (issuer) await createIssuer(w, issuer, now);
    await store.insertClient(w, row);
  });
  return { client: row, secret: secret?.text };
}

export async function updateClient(
  { deps, read, write }: ClientContext,
  id: string,
  body: Static<typeof PatchBody>,
): Promise<store.ClientRow> {
  const before = await findClient(read, id);
  if (body.redirectUris)
    checkRedirectUris(
      body.redirectUris,
      { type: before.type, subjectType: before.subject_type },
      before.redirect_uris,
    );
  checkFields(deps, body, before.type);
  checkPkce(body.requirePkce, before.token_endpoint_auth);
  const claims = body.claims && readClaims(body.claims);
  const jwks = body.jwks === undefined ? undefined : readKeys(body.jwks, before.token_endpoint_auth);
  return write('oidc_client.updated', async (w) => {
    const row = await findClient(w, id);
    const next: store.ClientRow = {
      ...row,
      name: body.name ?? row.name,
      redirect_uris: body.redirectUris ?? row.redirect_uris,
      post_logout_redirect_uris: body.postLogoutRedirectUris ?? row.post_logout_redirect_uris,
      backchannel_logout_uri:
        body.backchannelLogoutUri === undefined ? row.backchannel_logout_uri : body.backchannelLogoutUri,
      jwks: jwks === undefined ? row.jwks : jwks,
      id_token_alg: body.idTokenAlg ?? row.id_token_alg,
      require_dpop: body.requireDpop ?? row.require_dpop,
      require_pkce: body.requirePkce ?? row.require_pkce,
      claims: claims?.standard ?? row.claims,
      custom_claims: claims?.custom ?? row.custom_claims,
      id_token_claims: body.claimsInIdToken ?? row.id_token_claims,
    };
    await store.saveClient(w, next);
    const fields = Object.keys(body).sort().join(' ');
    w.audit({ entityType: 'oidc_client', entityId: id, metadata: { fields } });
    return next;
  });
}

/** Everybody is signed out of the client. Its issuer and the keys stay, because other clients need the same subjects. */
export async function deleteClient({ deps, write }: ClientContext, id: string): Promise<void> {
  await write('oidc_client.deleted', async (w) => {
    if (!(await store.deleteClient(w, id, new Date(deps.clock.now())))) fail('oidc_client_not_found');
    w.audit({ entityType: 'oidc_client', entityId: id });
  });
}

/** The secret before the previous one ends, even if its grace has not ended. */
export async function rotateSecret(
  { deps, write }: ClientContext,
  id: string,
  { graceSeconds = DEFAULT_GRACE_SECONDS }: Static<typeof RotateBody>,
): Promise<string> {
  const secret = newSecret(deps);
  await write('oidc_client.secret_rotated', async (w) => {
    const row = await findClient(w, id);
    if (row.secret_hash === null) invalid('params.clientId', 'is a client without a secret');
    const hasGrace = graceSeconds > 0;
    await store.saveClient(w, {
      ...row,
      secret_hash: secret.hash,
      previous_secret_hash: hasGrace ? row.secret_hash : null,
      previous_secret_until: hasGrace ? new Date(deps.clock.now() + graceSeconds * 1000) : null,
    });
    w.audit({ entityType: 'oidc_client', entityId: id, metadata: { graceSeconds } });
  });
  return secret.text;
}
