import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Mutation, type Sql, sql } from '../../db/sql.js';
import { type Write, within } from '../../ledger/write.js';

export const NONCE_EXPIRY: Expiry = { table: sql`spent_nonces`, column: sql`expires_at`, before: ageOf(0) };

/** The input of a verification's deciding statement. */
export interface Attempt {
  readonly verificationId: string;
  /** The registered identity that the proof must match; null accepts a proof of any secret, for no user. */
  readonly identity: {
    readonly did: string;
    readonly commitment: string;
    /** The proof is bound to this use. An unbound proof is accepted only if the identity was never verified by a bound one. */
    readonly bound: boolean;
    /** The person typed a number. Not accepted while the identity's numbers are locked. */
    readonly matched?: boolean;
  } | null;
  /** The proof is valid, fresh and bound as required. */
  readonly accepted: boolean;
  /** The sessions that a success opens. */
  readonly sessions: readonly { readonly id: string; readonly refreshHash: string }[];
  readonly refreshExpiresAt: Date;
  readonly sessionExpiresAt: Date;
  /** The pairing session that opens these sessions. Logging out of one ends both. */
  readonly pairingSessionId?: string;
  /** Stored with the verification event. */
  readonly metadata?: Record<string, unknown>;
}

/** Spends a nonce if there is a candidate. */
export function spendNonce({ scope }: Write, nonce: string, expiresAt: Date): Mutation {
  return sql.mutation`insert into spent_nonces (tenant_id, environment, nonce, expires_at)
    select ${scope.tenantId}::uuid, ${scope.environment}, ${nonce}::uuid, ${expiresAt}::timestamptz from candidate
    on conflict do nothing returning true as won`;
}

/** The user of a verification; null if no identity was required. */
type UserOf<Identity> = Identity extends null ? null : string;

/** A candidate that spent what may be used once. It can lose all the same: a pairing ends with a wrong number. */
export type Settled<UserId = string | null> =
  | { readonly won: true; readonly userId: UserId }
  | { readonly won: false };

/**
 * `known`: the identity with the DID and its user, both locked. `candidate`: the same if the proof matches it. One part locks
 * both rows, because Citus 13.2 misreads the rows of a part that locks some of them and joins another part.
 */
function findCandidate({ scope }: Write, { identity, accepted }: Attempt, now: Date): Sql {
  if (identity === null) {
    return sql`known as (select null::uuid as id, null::uuid as user_id
    ), candidate as (select id, user_id from known where ${accepted}::boolean)`;
  }
  return sql`known as (
    select t.id, t.user_id, t.revoked_at, t.commitment, t.bound_at, t.match_locked_until, u.status from identities t
    join tenant_users u on u.tenant_id = ${scope.tenantId} and u.environment = ${scope.environment} and u.id = t.user_id
    where ${within(scope, 't')} and t.did = ${identity.did} for no key update of t for share of u
  ), candidate as (
    select id, user_id from known
    where revoked_at is null and status = 'active' and commitment = ${identity.commitment} and ${accepted}::boolean
      and (${identity.bound}::boolean or bound_at is null)
      and not (${identity.matched ?? false}::boolean and coalesce(match_locked_until > ${now}, false))
  )`;
}

/**
 * Decides a verification in one statement, the same for every outcome. It finds the active identity, spends the nonce or
 * the pairing session, opens the sessions and records the event, or records a failure and changes nothing else. It locks
 * the identity's row, so verifying and revoking happen one after the other. `spend` returns one row, with whether the candidate
 * `won`, if there was something to spend. It can read the identity's `id` and `user_id` from `candidate`, which is empty after
 * a failed check.
 *
 * This statement also writes tables that other stores own: `sessions` and `refresh_tokens` (sessions.store.ts), `verifications`
 * and `identities.bound_at`. Separate statements would differ in work between outcomes (docs/adr/0003).
 */
export async function settleVerification<const A extends Attempt>(
  w: Write,
  attempt: A,
  spend: Mutation,
  now: Date,
): Promise<Settled<UserOf<A['identity']>> | undefined> {
  const { tenantId, environment } = w.scope;
  const { sessions, metadata, pairingSessionId = null } = attempt;
  const sessionIds = sessions.map(({ id }) => id);
  const refreshHashes = sessions.map(({ refreshHash }) => refreshHash);
  const [row] = await w.mutate<{
    won: boolean;
    user_id: string | null;
  }>(sql.mutation`with ${findCandidate(w, attempt, now)}, spent as (
    ${spend}
  ), winner as (
    select c.id, c.user_id from candidate c, spent where spent.won
  ), session as (
    insert into sessions (tenant_id, environment, id, identity_id, user_id, pairing_session_id, created_at, expires_at)
    select ${tenantId}::uuid, ${environment}, opened.id, winner.id, winner.user_id, ${pairingSessionId}::uuid,
      ${now}::timestamptz, ${attempt.sessionExpiresAt}::timestamptz
    from winner, unnest(${sessionIds}::uuid[]) as opened (id)
  ), token as (
    insert into refresh_tokens (tenant_id, environment, token_hash, session_id, created_at, expires_at)
    select ${tenantId}::uuid, ${environment}, opened.hash, opened.id, ${now}::timestamptz,
      ${attempt.refreshExpiresAt}::timestamptz
    from winner, unnest(${sessionIds}::uuid[], ${refreshHashes}::text[]) as opened (id, hash)
  ), mark as (
    update identities set bound_at = ${now}
    where ${within(w.scope)} and id in (select id from winner) and bound_at is null
      and ${attempt.identity?.bound ?? false}::boolean
  ), event as (
    insert into verifications (tenant_id, environment, id, method, result, user_id, metadata, occurred_at, created_at)
    select ${tenantId}::uuid, ${environment}, ${attempt.verificationId}::uuid, 'zkp',
      case when exists (select 1 from winner) then 'pass' else 'fail' end,
      (select user_id from known), ${metadata ? JSON.stringify(metadata) : null}::jsonb, ${now}::timestamptz,
      ${now}::timestamptz
  )
  select spent.won, winner.user_id from spent left join winner on true`);
  return row && (row.won ? { won: true, userId: row.user_id as UserOf<A['identity']> } : { won: false });
}
