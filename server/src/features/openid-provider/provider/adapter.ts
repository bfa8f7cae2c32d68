import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import { sha256 } from '../../../base/crypto/keyring.js';
import { isUuid } from '../../../base/crypto/random.js';
import type { SealContext } from '../../../base/crypto/sealer.js';
import type { Database } from '../../../db/db.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { reader } from '../../../ledger/write.js';
import { findClientMetadata } from './client-metadata.js';
import { GRANT_TTL_SECONDS, grantIdsOf, grantPayload, unstoredSignIn } from './grants.js';
import { endGrant, findGrantOf, findLiveGrants, insertGrant } from './grants.store.js';
import { findGrantsOnce, keepGrants } from './request-grants.js';
import { AlreadyUsed, spendWithToken, takeCode } from './spent-codes.js';
import * as store from './state.store.js';

export type AdapterDeps = Pick<Deps, 'db' | 'write' | 'sealer' | 'clock' | 'counters'> & {
  /** The same database, for queries that may share a round trip with those of other requests. */
  readonly reads: Database;
};

const ACTOR = { type: 'system', id: null } as const;

/** The session of each request as it was read. The library saves sessions that did not change, too. */
const sessions = new WeakMap<object, string>();

const canonical = (payload: AdapterPayload) =>
  JSON.stringify(Object.entries(payload).sort(([left], [right]) => (left < right ? -1 : 1)));

const isAsRead = (payload: AdapterPayload) =>
  Provider.ctx !== undefined && sessions.get(Provider.ctx) === canonical(payload);

/** What is valid as long as its grant. An interaction also names a grant, which is replaced if it ends. */
const OF_GRANTS: readonly string[] = ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'DeviceCode'];

/** Routes that give a code if a grant of the browser is live. */
const AUTHORIZING: readonly string[] = ['authorization', 'resume'];

/** Routes that read the grant of a code or token. */
const OF_ONE_GRANT: readonly string[] = ['token', 'userinfo'];

/** Ends a grant, unless it has ended. */
const grantEnder = (deps: AdapterDeps, scope: Scope) => async (grantId: string) => {
  const now = () => new Date(deps.clock.now());
  if ((await findLiveGrants(reader(deps.reads, scope), [grantId], now())).length === 0) return;
  await deps.write({ scope, actor: ACTOR, action: 'oidc.grant_revoked' }, async (w) => {
    const ended = await endGrant(w, grantId, now());
    w.audit({ entityType: 'oidc_grant', entityId: grantId, status: ended ? 'success' : 'failure' });
  });
  deps.counters.write('oidc.grant_revoked');
};

/**
 * Stores what the provider remembers of one issuer. Each of its codes and tokens is found only while its grant is live. What
 * may be used once is decided by one guarded statement.
 */
export function createAdapter(deps: AdapterDeps, scope: Scope): (kind: string) => Adapter {
  const read = reader(deps.reads, scope);
  const plain = unaudited(deps.db, 'openid provider');
  const now = () => new Date(deps.clock.now());
  const endGrantOf = grantEnder(deps, scope);

  return (kind) => {
    const idOf = (id: string) => `${kind}:${sha256(id)}`;
    const contextOf = (id: string): SealContext => ({ ...scope, table: 'oidc_state', column: 'payload', id });

    async function open(row: store.StateRow | undefined): Promise<AdapterPayload | undefined> {
      if (row === undefined) return undefined;
      const payload = JSON.parse(
        (await deps.sealer.open('oidc', contextOf(row.id), row.payload)).toString(),
      ) as AdapterPayload;
      return row.consumed_at === null
        ? payload
        : { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) };
    }

    async function seal(id: string, payload: AdapterPayload, expiresIn: number): Promise<store.NewState> {
      const { grantId, uid, userCode } = payload;
      return {
        id: idOf(id),
        kind,
        payload: await deps.sealer.seal('oidc', contextOf(idOf(id)), Buffer.from(JSON.stringify(payload))),
        grantId: OF_GRANTS.includes(kind) && grantId !== undefined && isUuid(grantId) ? grantId : null,
        uidHash: uid === undefined ? null : sha256(uid),
        userCodeHash: userCode === undefined ? null : sha256(userCode),
        expiresAt: new Date(deps.clock.now() + expiresIn * 1000),
      };
    }

    /** Of what was used before, the grant ends. */
    async function spend(id: string): Promise<void> {
      const spent = await plain.mutate(store.consumeState(scope, idOf(id), now()));
      if (spent.length > 0) return;
      const { grantId } = (await open(await store.findState(read, kind, 'id', idOf(id), now()))) ?? {};
      if (grantId !== undefined) await endGrantOf(grantId);
      throw new AlreadyUsed();
    }

    return {
      async upsert(id, payload, expiresIn = GRANT_TTL_SECONDS) {
        if (kind === 'Session' && isAsRead(payload)) return;
        const state = await seal(id, payload, expiresIn);
        if (state.grantId !== null && (kind === 'AuthorizationCode' || kind === 'DeviceCode'))
          return authorize(deps, scope, state, payload);
        if (kind === 'AccessToken') return give(deps, scope, state, payload);
        const statement = kind === 'ReplayDetection' ? store.insertState : store.saveState;
        const saved = await plain.mutate(statement(scope, state));
        if (saved.length === 0) throw new AlreadyUsed();
      },
      async find(id) {
        if (kind === 'Client') return findClientMetadata(deps, read, id);
        if (kind === 'Grant') {
          const [row] = isUuid(id) ? await findGrantsOnce(Provider.ctx, read, [id], now()) : [];
          return row && grantPayload(row);
        }
        const context = Provider.ctx;
        const route = context?.oidc?.route ?? '';
        // Sent together with the next query.
        if (OF_ONE_GRANT.includes(route) && OF_GRANTS.includes(kind))
          keepGrants(context, findGrantOf(read, idOf(id), now()));
        const payload = await open(await store.findState(read, kind, 'id', idOf(id), now()));
        if (kind === 'Session' && payload && context) {
          sessions.set(context, canonical(payload));
          const ids = grantIdsOf(payload);
          if (AUTHORIZING.includes(route) && ids.length > 0)
            keepGrants(context, findLiveGrants(read, ids, now()));
        }
        return payload;
      },
      findByUid: async (uid) => open(await store.findState(read, kind, 'uid_hash', sha256(uid), now())),
      findByUserCode: async (code) =>
        open(await store.findState(read, kind, 'user_code_hash', sha256(code), now())),
      async consume(id) {
        const context = Provider.ctx;
        if (kind !== 'AuthorizationCode' || context === undefined) return spend(id);
        spendWithToken(context, { id: idOf(id), alone: () => spend(id) });
      },
      async destroy(id) {
        if (kind === 'Grant') return endGrantOf(id);
        const deleted = await plain.mutate(store.deleteState(scope, idOf(id)));
        // An approval gives one code, also if the browser goes on several times at the same time.
        if (kind === 'Interaction' && deleted.length === 0)
          throw new errors.SessionNotFound('the sign-in has gone on already');
      },
      async revokeByGrantId(grantId) {
        if (isUuid(grantId)) await plain.mutate(store.deleteStatesOfGrant(scope, kind, grantId));
      },
    };
  };
}

/** The first code of a sign-in, stored with its grant. */
async function authorize(
  deps: AdapterDeps,
  scope: Scope,
  state: store.NewState,
  payload: AdapterPayload,
): Promise<void> {
  const grant = Provider.ctx?.oidc.entities.Grant;
  const signIn = unstoredSignIn(grant);
  const id = state.grantId as string;
  const at = new Date(deps.clock.now());
  const [stored] = signIn ? [] : await findGrantsOnce(Provider.ctx, reader(deps.reads, scope), [id], at);
  const verificationId = signIn?.verificationId ?? stored?.verification_id ?? null;
  await deps.write({ scope, actor: ACTOR, action: 'oidc.authorized' }, async (w) => {
    const metadata = { clientId: payload.clientId ?? null, verificationId };
    w.audit({ entityType: 'oidc_grant', entityId: id, metadata });
    if (signIn !== undefined) {
      const expiresAt = new Date(at.getTime() + GRANT_TTL_SECONDS * 1000);
      const { clientId = '' } = payload;
      await insertGrant(w, { ...signIn, id, clientId, scope: grant?.getOIDCScope() ?? '', expiresAt }, at);
    }
    const saved = await w.mutate(store.saveState(scope, state));
    if (saved.length === 0) throw new AlreadyUsed();
  });
  deps.counters.write('oidc.authorized');
}

/** An access token. If its code was used before, the grant ends. */
async function give(
  deps: AdapterDeps,
  scope: Scope,
  state: store.NewState,
  payload: AdapterPayload,
): Promise<void> {
  try {
    await issue(deps, scope, state, payload, takeCode(Provider.ctx)?.id);
  } catch (error) {
    if (error instanceof AlreadyUsed && state.grantId !== null) await grantEnder(deps, scope)(state.grantId);
    throw error;
  }
}

/** Spends the code in the write of its access token. Of concurrent requests with one code, one gets a token. */
async function issue(
  deps: AdapterDeps,
  scope: Scope,
  state: store.NewState,
  { clientId, gty, scope: granted }: AdapterPayload,
  codeId: string | undefined,
): Promise<void> {
  const metadata = { clientId: clientId ?? null, grantType: gty ?? null, scope: granted ?? null };
  await deps.write({ scope, actor: ACTOR, action: 'oidc.token_issued' }, async (w) => {
    w.audit({ entityType: 'oidc_grant', entityId: state.grantId, metadata });
    const at = new Date(deps.clock.now());
    const [spent] = await Promise.all([
      codeId === undefined ? undefined : w.mutate(store.consumeState(scope, codeId, at)),
      w.mutate(store.insertState(scope, state)),
    ]);
    if (spent?.length === 0) throw new AlreadyUsed();
  });
  deps.counters.write('oidc.token_issued');
}
