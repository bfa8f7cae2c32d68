import type { AdapterPayload, Client } from 'oidc-provider';
import { equalSecrets, sha256 } from '../../../base/crypto/keyring.js';
import { isUuid } from '../../../base/crypto/random.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { Read } from '../../../ledger/write.js';
import { findAccount } from '../../accounts/accounts.js';
import { allowsDeviceFlow } from '../../pairing/pairing.js';
import type { CustomClaims } from '../clients/claims.js';
import { type ClientRow, findClient } from '../clients/clients.store.js';
import { sectorOf } from '../clients/redirect-uris.js';

/** Ours, besides the metadata of the standards. */
export const EXTRA_METADATA = [
  'svc_subject_type',
  'svc_secret_hashes',
  'svc_sector',
  'svc_require_pkce',
  'svc_custom_claims',
  'svc_claims_in_id_token',
];

interface ExtraMetadata {
  readonly svc_subject_type: ClientRow['subject_type'];
  /** SHA-256 of the secrets that are valid now. */
  readonly svc_secret_hashes: readonly string[];
  /** What pairwise subjects are derived for: the host or private scheme of its redirect URIs; for a device, the client itself. */
  readonly svc_sector: string;
  readonly svc_require_pkce: boolean;
  readonly svc_custom_claims: CustomClaims;
  readonly svc_claims_in_id_token: boolean;
}

export const extraOf = (client: Client) => client as unknown as ExtraMetadata;

/** The standards want a secret here. It is compared by `acceptsSecret`, and nothing is signed with it. */
const STORED_AS_HASH = 'stored as a hash';

/** Where only the browser that asks may be signed in, the device flow is not possible: it signs in another device. */
async function allowsDevices({ db }: Pick<Deps, 'db'>, { tenantId }: Scope): Promise<boolean> {
  const account = await findAccount({ db }, tenantId);
  return account === undefined || allowsDeviceFlow(account.securityPolicy);
}

async function grantTypesOf(deps: Pick<Deps, 'db'>, scope: Scope, type: ClientRow['type']) {
  if (type !== 'device') return ['authorization_code', 'refresh_token'];
  const isAllowed = await allowsDevices(deps, scope);
  return [...(isAllowed ? ['urn:ietf:params:oauth:grant-type:device_code'] : []), 'refresh_token'];
}

/** A client as the provider reads it. Undefined if there is none with this id. */
export async function findClientMetadata(
  deps: Pick<Deps, 'db' | 'clock'>,
  read: Read,
  id: string,
): Promise<AdapterPayload | undefined> {
  const row = isUuid(id) ? await findClient(read, id) : undefined;
  // A `client_id` is compared exactly.
  if (row === undefined || row.id !== id) return undefined;
  const isDevice = row.type === 'device';
  const previous =
    row.previous_secret_hash !== null && (row.previous_secret_until?.getTime() ?? 0) > deps.clock.now()
      ? [row.previous_secret_hash]
      : [];
  const hasSecret = row.secret_hash !== null;
  const extra: ExtraMetadata = {
    svc_subject_type: row.subject_type,
    svc_secret_hashes: hasSecret ? [row.secret_hash as string, ...previous] : [],
    svc_sector: isDevice ? row.id : sectorOf(row.redirect_uris[0] as string),
    svc_require_pkce: row.require_pkce,
    svc_custom_claims: row.custom_claims,
    svc_claims_in_id_token: row.id_token_claims,
  };
  return {
    client_id: row.id,
    client_name: row.name,
    application_type: row.type === 'native' || isDevice ? 'native' : 'web',
    redirect_uris: row.redirect_uris,
    post_logout_redirect_uris: row.post_logout_redirect_uris,
    ...(row.backchannel_logout_uri !== null && {
      backchannel_logout_uri: row.backchannel_logout_uri,
      backchannel_logout_session_required: true,
    }),
    grant_types: await grantTypesOf(deps, read.scope, row.type),
    response_types: isDevice ? [] : ['code'],
    response_modes: row.type === 'web' ? ['query', 'form_post'] : ['query'],
    token_endpoint_auth_method: row.token_endpoint_auth,
    ...(hasSecret && { client_secret: STORED_AS_HASH }),
    ...(row.jwks !== null && { jwks: row.jwks }),
    id_token_signed_response_alg: row.id_token_alg,
    dpop_bound_access_tokens: row.require_dpop,
    // Software asks for `groups` of its own accord. Without such a claim, it gets none.
    scope: ['openid', 'offline_access', 'groups', ...row.claims].join(' '),
    ...extra,
  } as AdapterPayload;
}

/** Takes the same time for every wrong secret. */
export const acceptsSecret = (client: Client, secret: string): boolean =>
  extraOf(client)
    .svc_secret_hashes.map((hash) => equalSecrets(sha256(secret), hash))
    .includes(true);
