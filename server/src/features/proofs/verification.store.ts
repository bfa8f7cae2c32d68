import { type Mutation, type Sql, sql } from '../../db/sql.js';
import { SEAL_COLUMNS } from '../../ledger/record-seal.js';
import { type Write, within } from '../../ledger/write.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import type { Judged } from './judge.js';
import { reasons, withPerson } from './provers.store.js';

/** A verification, and what its proof shows. */
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
    /** The assertion that came with the proof. */
    readonly attested?: Pick<Judged, 'verified' | 'refused' | 'isEnough'>;
  } | null;
  /** Why the proof is rejected before any identity is looked up. Null if it is valid, fresh and bound as required. */
  readonly rejected: FailureReason | null;
  /** Statements that a success adds, such as those that open a session. */
  readonly opens?: (of: Outcome) => readonly Mutation[];
  /** The device at which the person signs in. */
  readonly deviceId?: string | null;
  /** Stored with the verification event. */
  readonly metadata?: Record<string, unknown>;
}

/** Queries that statements of a verification read from. */
export interface Outcome {
  /** For the `tenant_id` and `environment` of what it spent, if it succeeded. */
  readonly spent: Sql;
  /** For the `id` and `user_id` of its identity, which are null if none was required. */
  readonly known: Sql;
  /** When it was decided. */
  readonly now: Date;
}

/** What may be used once. */
export interface Spend {
  /**
   * Spends it for a candidate, in one guarded statement. `candidate` is a query for the identity's `tenant_id`, `environment`,
   * `id` and `user_id`, which finds nothing after a failed check. Returns one row, with whether the candidate `won`, if there
   * was something to spend.
   */
  statement(candidate: Sql): Mutation;
  /** Called with that row before the write commits. */
  readonly returned?: (row: object) => void;
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

/** The user of a verification; null if no identity was required. */
type UserOf<Identity> = Identity extends null ? null : string;

export type Settled<UserId = string | null> =
  | { readonly won: true; readonly userId: UserId; readonly waits?: undefined }
  /** The proof was accepted, and nothing is recorded before another step. */
  | { readonly won: true; readonly userId: UserId; readonly waits: true }
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
  const isKnown = sql`${within(w.scope, 't')} and t.did = ${identity.did}`;
  const person = withPerson(w.scope);
  const locked = w.query<{ user_id: string }>(
    sql.query`select t.user_id from ${person} where ${isKnown} for no key update of t for share of u`,
  );
  const { commitment, bound, matched = false, attested } = identity;
  const { verified, refused, isEnough = true } = attested ?? {};
  const isAttested = verified
    ? verified.isUsable(w.scope, sql`t.id`)
    : sql`${refused === undefined}::boolean`;
  const reason = sql`case ${reasons(commitment, now)}
        when not ${bound}::boolean and t.bound_at is not null then 'unbound'
        when ${matched}::boolean and coalesce(t.match_locked_until > ${now}, false) then 'locked'
        when ${isAttested} is not true then 'attestation'
        when not ${isEnough}::boolean then 'attestation_level' end`;
  return {
    user: locked.then(([row]) => row?.user_id ?? null),
    known: sql`select t.tenant_id, t.environment, t.id, t.user_id from identities t where ${isKnown}`,
    candidate: sql`select t.tenant_id, t.environment, t.id, t.user_id from ${person}
      where ${isKnown} and ${rejected}::text is null and ${reason} is null`,
    failure: (lost) =>
      sql`coalesce(${rejected}::text, (select coalesce(${reason}, ${lost}) from ${person} where ${isKnown}), 'unknown_identity')`,
  };
}

/**
 * Decides a verification: it finds the active identity, spends the nonce or the pairing session, opens what a success opens and records
 * the event, or records a failure with its reason and changes nothing else. The first statement locks the identity's row, so verifying and
 * revoking happen one after the other. `spend` decides, in one guarded statement. The others read what it did from the rows, so
 * all are sent in one round trip, and are the same for every outcome (docs/adr/0034).
 *
 * It also writes tables that other stores own: `verifications` and `identities.bound_at`.
 */
export async function settleVerification<const A extends Attempt>(
  w: Write,
  attempt: A,
  spend: Spend,
  now: Date,
): Promise<Settled<UserOf<A['identity']>>> {
  const { tenantId, environment } = w.scope;
  const { identity, opens, metadata, verificationId, deviceId = null } = attempt;
  const { user, known, candidate, failure } = identify(w, attempt, now);
  const deciding = w.mutate<{ won: boolean; waits?: boolean }>(spend.statement(candidate));
  const opened = opens?.({ spent: spend.spent, known, now }).map((statement) => w.mutate(statement)) ?? [];
  const mark =
    w.mutate(sql.mutation`update identities set bound_at = ${now} where ${within(w.scope)} and did = ${identity?.did ?? null}
    and bound_at is null and ${identity?.bound ?? false}::boolean and exists (${spend.spent})`);
  const verified = identity?.attested?.verified;
  const used = verified?.recordUse(w, now, sql`exists (${spend.spent})`);
  const seal = w.seal('verification');
  const event = w.mutate<{
    result: string;
    reason: FailureReason | null;
    userId: string | null;
  }>(sql.mutation`insert into verifications (tenant_id, environment, id, method, result, reason, user_id, device_id, metadata,
        occurred_at, created_at, ${SEAL_COLUMNS})
      select ${tenantId}::uuid, ${environment}, ${verificationId}::uuid, 'zkp',
        case when exists (${spend.spent}) then 'pass' else 'fail' end,
        case when not exists (${spend.spent}) then ${failure(spend.lost)} end,
        (select known.user_id from (${known}) as known), ${deviceId}::uuid,
        ${metadata ? JSON.stringify(metadata) : null}::jsonb, ${now}::timestamptz, ${now}::timestamptz, ${seal.values}
      ${spend.waits === undefined ? sql`` : sql`where not exists (${spend.waits})`}
      returning result, reason, user_id as "userId"`);
  const [found, [outcome], [recorded]] = await Promise.all([user, deciding, event, ...opened, mark, used]);
  const userId = found as UserOf<A['identity']>;
  if (outcome) spend.returned?.(outcome);
  if (recorded === undefined) {
    if (outcome?.waits) return { won: true, userId, waits: true };
    throw new Error('A verification was not recorded');
  }
  const at = now.toISOString();
  const record = { id: verificationId, environment, method: 'zkp', deviceId, metadata, ...recorded };
  seal.place({ ...record, occurredAt: at, createdAt: at });
  if (outcome?.won) return { won: true, userId };
  const { reason } = recorded;
  if (!reason) throw new Error('A failed verification has no reason');
  return { won: false, reason };
}
