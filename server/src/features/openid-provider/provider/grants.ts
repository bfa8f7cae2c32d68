import type { AdapterPayload, KoaContextWithOIDC, default as Provider } from 'oidc-provider';
import type { Database } from '../../../db/db.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { reader } from '../../../ledger/write.js';
import { findSignIn } from '../../pairing/pairing.js';
import type { GrantRow, SignIn } from './grants.store.js';
import { findGrantsOnce } from './request-grants.js';

type Grant = InstanceType<Provider['Grant']>;

/** How long refresh tokens can be exchanged after a person signed in. */
export const GRANT_TTL_SECONDS = 14 * 24 * 60 * 60;

/** A stored grant as the library reads it. Without times, because `findLiveGrants` has compared them with our clock, which may be ahead of the library's. */
export const grantPayload = (row: GrantRow) =>
  ({
    kind: 'Grant',
    jti: row.id,
    accountId: row.user_id,
    clientId: row.client_id,
    openid: { scope: row.scope },
  }) as AdapterPayload & ConstructorParameters<Provider['Grant']>[0];

/** Grants that are stored with the first code or device code that belongs to them. */
const unstored = new WeakMap<object, SignIn>();
/** The stored grant that each of them is used instead of. */
const replaced = new WeakMap<object, string | undefined>();

/** Who signed in with the grant of the current request, if it is not stored yet. */
export const unstoredSignIn = (grant: object | undefined): SignIn | undefined => grant && unstored.get(grant);

/**
 * When the person is asked first: the browser keeps the grant that it has for the client, because the new one is only stored with
 * its first code.
 */
export function keepStoredGrant({ oidc: { session, client, entities } }: KoaContextWithOIDC): void {
  const isUnstored = unstoredSignIn(entities.Grant) !== undefined;
  if (!isUnstored || client === undefined) return;
  const authorization = session?.authorizations?.[client.clientId];
  if (authorization) authorization.grantId = replaced.get(entities.Grant as object);
}

/** The grants of all clients in a browser. */
export const grantIdsOf = ({ authorizations = {} }: Pick<AdapterPayload, 'authorizations'>): string[] =>
  Object.values(authorizations).flatMap(({ grantId }) => grantId ?? []);

/**
 * The grant for this request: of the phone's approval that ended the interaction, of an earlier sign-in to this client, or of the
 * sign-in to another client in the same browser. Undefined if none of them is live.
 */
export async function loadGrant(
  deps: Pick<Deps, 'ids' | 'clock'> & { readonly reads: Database },
  scope: Scope,
  context: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { oidc } = context;
  const { provider, session, client, result } = oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const read = reader(deps.reads, scope);
  const own = session.grantIdFor(client.clientId);
  const newGrant = (signIn: SignIn) => {
    const grant = new provider.Grant({
      jti: deps.ids(),
      accountId: signIn.userId,
      clientId: client.clientId,
    } as ConstructorParameters<Provider['Grant']>[0]);
    grant.addOIDCScope([...oidc.requestParamOIDCScopes].join(' '));
    unstored.set(grant, signIn);
    replaced.set(grant, own);
    return grant;
  };
  const approvedBy = result?.pairingSessionId;
  if (typeof approvedBy === 'string') {
    const signIn = await findSignIn(read, approvedBy);
    return signIn?.userId === session.accountId ? newGrant(signIn) : undefined;
  }
  const live = (await findGrantsOnce(context, read, grantIdsOf(session), new Date(deps.clock.now()))).filter(
    ({ user_id: userId }) => userId === session.accountId,
  );
  const existing = live.find(({ id }) => id === own);
  const isEnough = [...oidc.requestParamOIDCScopes].every((name) =>
    existing?.scope.split(' ').includes(name),
  );
  if (existing && isEnough) return new provider.Grant(grantPayload(existing));
  const source = existing ?? live[0];
  return (
    source &&
    newGrant({
      userId: source.user_id,
      identityId: source.identity_id,
      verificationId: source.verification_id,
    })
  );
}
