import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Mutation, type Sql, sql } from '../../db/sql.js';
import { type Write, within } from '../../ledger/write.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import { isInForce, isNotInForce } from '../../records/in-force.js';
import { isUsable, recordUse, type Verified } from '../attestation/attestation.js';

export const NONCE_EXPIRY: Expiry = { table: sql`spent_nonces`, column: sql`expires_at`, before: ageOf(0) };

/** The input of a verification. */
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
    /** The assertion that came with the proof, and whether its level is what the policy requires. */
    readonly attested?: { readonly verified: Verified | undefined; readonly isEnough: boolean };
  } | null;
  /** Why the proof is rejected before any identity is looked up. Null if it is valid, fresh and bound as required. */
  readonly rejected: FailureReason | null;
  /** The sessions that a success opens. */
  readonly sessions: readonly { readonly id: string; readonly refreshHash: string }[];
  readonly refreshExpiresAt: Date;
  readonly sessionExpiresAt: Date;
  /** The pairing session that opens these sessions. Logging out of one ends both. */
  readonly pairingSessionId?: string;
  /** The device at which the person signs in. */
  readonly deviceId?: string | null;
  /** Stored with the verification event. */
  readonly metadata?: Record<string, unknown>;
}

/** What may be used once. */
export interface Spend {
  /**
   * Spends it for a candidate, in one guarded statement. `candidate` is a query for the identity's `tenant_id`, `environment`,
   * `id` and `user_id`, which finds nothing after a failed check. Returns one row, with whether the candidate `won`, if there
   * was something to spend.
   */
  statement(candidate: Sql): Mutation;
  /** For the statements after it: a query for the `tenant_id` and `environment` of what this verification spent, if it won. */
  readonly spent: Sql;
  /**
   * For what can also wait for another step: a query that finds it if this verification made it wait. Nothing is then recorded, and
   * `statement` returned `waits`.
   */
  readonly waits?: Sql;
  /** For the event: why a candidate did not win. */
  readonly lost: Sql;
}

/** Spends a nonce. */
export function spendNonce({ scope }: Write, nonce: string, expiresAt: Date, verificationId: string): Spend {
  return {
    statement: (candidate) =>
      sql.mutation`insert into spent_nonces (tenant_id, environment, nonce, expires_at, verification_id)
        select candidate.tenant_id, candidate.environment, ${nonce}::uuid, ${expiresAt}::timestamptz, ${verificationId}::uuid
        from (${candidate}) as candidate on conflict do nothing returning true as won`,
    spent: sql`select t.tenant_id, t.environment from spent_nonces t
      where ${within(scope, 't')} and t.nonce = ${nonce}::uuid and t.verification_id = ${verificationId}::uuid`,
    lost: sql`'nonce_used'`,
  };
}

/** Spends a nonce that no verification names. False if it is spent. */
export async function consumeNonce(w: Write, nonce: string, expiresAt: Date): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows =
    await w.mutate(sql.mutation`insert into spent_nonces (tenant_id, environment, nonce, expires_at)
    values (${tenantId}, ${environment}, ${nonce}, ${expiresAt}) on conflict do nothing returning nonce`);
  return rows.length > 0;
}

/** The user of a verification; null if no identity was required. */
type UserOf<Identity> = Identity extends null ? null : string;

export type Settled<UserId = string | null> =
  /** `waits`: the proof was accepted, and nothing is recorded before another step. */
  | { readonly won: true; readonly userId: UserId; readonly waits?: true }
  | { readonly won: false; readonly reason: FailureReason };

interface Identified {
  /** Locks the identity with the DID and its user until the transaction ends, and returns its user. */
  readonly user: Promise<string | null>;
  /** A query for the identity. */
  readonly known: Sql;
  /** The same, if the proof matches it. */
  readonly candidate: Sql;
  /** Why this verification fails. `lost` is the reason if there is a candidate. */
  readonly failure: (lost: Sql) => Sql;
}

/** A verification that requires no identity. */
function anyone({ scope: { tenantId, environment } }: Write, { rejected }: Attempt): Identified {
  const none = sql`select ${tenantId}::uuid as tenant_id, ${environment}::text as environment, null::uuid as id, null::uuid as user_id`;
  return {
    user: Promise.resolve(null),
    known: none,
    candidate: sql`${none} where ${rejected}::text is null`,
    failure: (lost) => sql`coalesce(${rejected}::text, ${lost})`,
  };
}

function identify(w: Write, attempt: Attempt, now: Date): Identified {
  const { identity, rejected } = attempt;
  if (identity === null) return anyone(w, attempt);
  const { tenantId, environment } = w.scope;
  const isKnown = sql`${within(w.scope, 't')} and t.did = ${identity.did}`;
  const withUser = sql`identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id`;
  const locked = w.query<{ user_id: string }>(
    sql.query`select t.user_id from ${withUser} where ${isKnown} for no key update of t for share of u`,
  );
  const { commitment, bound, matched = false, attested } = identity;
  const verified = attested?.verified;
  const isAttested = verified === undefined ? sql`true` : isUsable(w.scope, verified, sql`t.id`);
  const isEnough = attested?.isEnough ?? true;
  const isLocked = sql`${matched}::boolean and coalesce(t.match_locked_until > ${now}, false)`;
  return {
    user: locked.then(([row]) => row?.user_id ?? null),
    known: sql`select t.tenant_id, t.environment, t.id, t.user_id from identities t where ${isKnown}`,
    candidate: sql`select t.tenant_id, t.environment, t.id, t.user_id from ${withUser}
      where ${isKnown} and ${isInForce(sql`t`, now)} and u.status = 'active' and t.commitment = ${commitment}
        and ${rejected}::text is null and (${bound}::boolean or t.bound_at is null) and not (${isLocked})
        and ${isAttested} and ${isEnough}::boolean`,
    failure: (lost) => sql`coalesce(${rejected}::text, (select case
        when t.revoked_at is not null then 'revoked'
        when ${isNotInForce(sql`t`, now)} then 'not_in_force'
        when u.status <> 'active' then 'inactive_user'
        when t.commitment <> ${commitment} then 'wrong_secret'
        when not ${bound}::boolean and t.bound_at is not null then 'unbound'
        when ${isLocked} then 'locked'
        when not ${isAttested} then 'attestation'
        when not ${isEnough}::boolean then 'attestation_level'
        else ${lost} end from ${withUser} where ${isKnown}), 'unknown_identity')`,
  };
}

/**
 * Decides a verification: it finds the active identity, spends the nonce or the pairing session, opens the sessions and records
 * the event, or records a failure with its reason and changes nothing else. The first statement locks the identity's row, so verifying and
 * revoking happen one after the other. `spend` decides, in one guarded statement. The others read what it did from the rows, so
 * all are sent in one round trip, and are the same for every outcome (docs/adr/0034).
 *
 * It also writes tables that other stores own: `sessions` and `refresh_tokens` (sessions.store.ts), `verifications` and
 * `identities.bound_at`.
 */
export async function settleVerification<const A extends Attempt>(
  w: Write,
  attempt: A,
  spend: Spend,
  now: Date,
): Promise<Settled<UserOf<A['identity']>>> {
  const { tenantId, environment } = w.scope;
  const { identity, sessions, metadata, verificationId, pairingSessionId = null, deviceId = null } = attempt;
  const { user, known, candidate, failure } = identify(w, attempt, now);
  const deciding = w.mutate<{ won: boolean; waits?: boolean }>(spend.statement(candidate));
  const opened = sessions.flatMap(({ id, refreshHash }) => [
    w.mutate(sql.mutation`insert into sessions (tenant_id, environment, id, identity_id, user_id, pairing_session_id, created_at,
        expires_at)
      select spent.tenant_id, spent.environment, ${id}::uuid, known.id, known.user_id, ${pairingSessionId}::uuid,
        ${now}::timestamptz, ${attempt.sessionExpiresAt}::timestamptz from (${spend.spent}) as spent, (${known}) as known`),
    w.mutate(sql.mutation`insert into refresh_tokens (tenant_id, environment, token_hash, session_id, created_at, expires_at)
      select spent.tenant_id, spent.environment, ${refreshHash}, ${id}::uuid, ${now}::timestamptz,
        ${attempt.refreshExpiresAt}::timestamptz from (${spend.spent}) as spent`),
  ]);
  const mark =
    w.mutate(sql.mutation`update identities set bound_at = ${now} where ${within(w.scope)} and did = ${identity?.did ?? null}
    and bound_at is null and ${identity?.bound ?? false}::boolean and exists (${spend.spent})`);
  const verified = identity?.attested?.verified;
  const used = verified && recordUse(w, verified, now, sql`exists (${spend.spent})`);
  const event = w.mutate<{
    reason: FailureReason | null;
  }>(sql.mutation`insert into verifications (tenant_id, environment, id, method, result, reason, user_id, device_id, metadata,
        occurred_at, created_at)
      select ${tenantId}::uuid, ${environment}, ${verificationId}::uuid, 'zkp',
        case when exists (${spend.spent}) then 'pass' else 'fail' end,
        case when not exists (${spend.spent}) then ${failure(spend.lost)} end,
        (select known.user_id from (${known}) as known), ${deviceId}::uuid,
        ${metadata ? JSON.stringify(metadata) : null}::jsonb, ${now}::timestamptz, ${now}::timestamptz
      ${spend.waits === undefined ? sql`` : sql`where not exists (${spend.waits})`}
      returning reason`);
  const [userId, [outcome], [recorded]] = await Promise.all([user, deciding, event, ...opened, mark, used]);
  if (outcome?.won) return { won: true, userId: userId as UserOf<A['identity']> };
  if (outcome?.waits) return { won: true, userId: userId as UserOf<A['identity']>, waits: true };
  if (!recorded?.reason) throw new Error('A failed verification has no reason');
  return { won: false, reason: recorded.reason };
}
