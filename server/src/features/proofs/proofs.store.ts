import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Mutation, type Sql, sql } from '../../db/sql.js';
import { type Write, within } from '../../ledger/write.js';

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
  };
}

/** The user of a verification; null if no identity was required. */
type UserOf<Identity> = Identity extends null ? null : string;

/** A candidate that spent what may be used once. It can lose all the same: a pairing ends with a wrong number. */
export type Settled<UserId = string | null> =
  | { readonly won: true; readonly userId: UserId }
  | { readonly won: false };

interface Identified {
  /** Locks the identity with the DID and its user until the transaction ends, and returns its user. */
  readonly user: Promise<string | null>;
  /** A query for the identity. */
  readonly known: Sql;
  /** The same, if the proof matches it. */
  readonly candidate: Sql;
}

/** A verification that requires no identity. */
function anyone({ scope: { tenantId, environment } }: Write, { accepted }: Attempt): Identified {
  const none = sql`select ${tenantId}::uuid as tenant_id, ${environment}::text as environment, null::uuid as id, null::uuid as user_id`;
  return { user: Promise.resolve(null), known: none, candidate: sql`${none} where ${accepted}::boolean` };
}

function identify(w: Write, attempt: Attempt, now: Date): Identified {
  const { identity, accepted } = attempt;
  if (identity === null) return anyone(w, attempt);
  const { tenantId, environment } = w.scope;
  const isKnown = sql`${within(w.scope, 't')} and t.did = ${identity.did}`;
  const withUser = sql`identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id`;
  const locked = w.query<{ user_id: string }>(
    sql.query`select t.user_id from ${withUser} where ${isKnown} for no key update of t for share of u`,
  );
  return {
    user: locked.then(([row]) => row?.user_id ?? null),
    known: sql`select t.tenant_id, t.environment, t.id, t.user_id from identities t where ${isKnown}`,
    candidate: sql`select t.tenant_id, t.environment, t.id, t.user_id from ${withUser}
      where ${isKnown} and t.revoked_at is null and u.status = 'active' and t.commitment = ${identity.commitment}
        and ${accepted}::boolean and (${identity.bound}::boolean or t.bound_at is null)
        and not (${identity.matched ?? false}::boolean and coalesce(t.match_locked_until > ${now}, false))`,
  };
}

/**
 * Decides a verification: it finds the active identity, spends the nonce or the pairing session, opens the sessions and records
 * the event, or records a failure and changes nothing else. The first statement locks the identity's row, so verifying and
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
): Promise<Settled<UserOf<A['identity']>> | undefined> {
  const { tenantId, environment } = w.scope;
  const { identity, sessions, metadata, verificationId, pairingSessionId = null } = attempt;
  const { user, known, candidate } = identify(w, attempt, now);
  const deciding = w.mutate<{ won: boolean }>(spend.statement(candidate));
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
  const event =
    w.mutate(sql.mutation`insert into verifications (tenant_id, environment, id, method, result, user_id, metadata, occurred_at,
        created_at)
      select ${tenantId}::uuid, ${environment}, ${verificationId}::uuid, 'zkp',
        case when exists (${spend.spent}) then 'pass' else 'fail' end, (select known.user_id from (${known}) as known),
        ${metadata ? JSON.stringify(metadata) : null}::jsonb, ${now}::timestamptz, ${now}::timestamptz`);
  const [userId, [outcome]] = await Promise.all([user, deciding, ...opened, mark, event]);
  return outcome && (outcome.won ? { won: true, userId: userId as UserOf<A['identity']> } : { won: false });
}
