import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import { isNotInForce } from '../../records/in-force.js';

/** An identity `t` with its person `u`. */
export const withPerson = ({ tenantId, environment }: Scope): Sql => sql`identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id`;

/**
 * Branches of a `case` over an identity `t` and its person `u`: why the identity can't do what its proof asks for, in the one order of
 * reasons. The branches of single claims come after these, and last whether what may be used once is spent. None may be null where the
 * identity can't be used: a null is no reason.
 */
export function reasons(commitment: string, now: Date, admits: readonly FailureReason[] = []): Sql {
  const unless = (reason: FailureReason, condition: Sql) => (admits.includes(reason) ? NEVER : condition);
  return sql`when ${unless('revoked', REVOKED)} then 'revoked'
        when ${isNotInForce(IDENTITY, now)} then 'not_in_force'
        when ${unless('inactive_user', INACTIVE)} then 'inactive_user'
        when t.commitment is distinct from ${commitment} then 'wrong_secret'`;
}

const IDENTITY = sql`t`;
const REVOKED = sql`t.revoked_at is not null`;
const INACTIVE = sql`u.status is distinct from 'active'`;
const NEVER = sql`false`;

/** The identity that a proof is of, and why it can't be used. */
export interface ProverRow {
  id: string;
  user_id: string;
  did: string;
  commitment: string;
  created_at: Date;
  revoked_at: Date | null;
  revoked_by_itself: boolean;
  /** Until when the identity's numbers are locked, after three wrong ones. */
  match_locked_until: Date | null;
  reason: FailureReason | null;
}

/** What a proof shows, in stored form. */
export interface ProverSearch {
  readonly did: string;
  readonly commitment: string;
  /** Null: nothing to spend. */
  readonly nonce: string | null;
}

function selectProver(
  { scope }: Read,
  { did, commitment, nonce }: ProverSearch,
  now: Date,
  admits: readonly FailureReason[],
): Sql {
  const { tenantId, environment } = scope;
  return sql`select t.id, t.user_id, t.did, t.commitment, t.created_at, t.revoked_at, t.revoked_by_itself, t.match_locked_until,
      case ${reasons(commitment, now, admits)}
        when exists (select 1 from spent_nonces n where n.tenant_id = ${tenantId} and n.environment = ${environment}
          and n.nonce = ${nonce}::uuid) then 'nonce_used' end as reason
    from ${withPerson(scope)} where ${within(scope, 't')} and t.did = ${did}`;
}

/** Undefined if there is no such identity. */
export async function findProver(
  read: Read,
  search: ProverSearch,
  now: Date,
  admits: readonly FailureReason[] = [],
): Promise<ProverRow | undefined> {
  const [row] = await read.query<ProverRow>(sql.query`${selectProver(read, search, now, admits)}`);
  return row;
}

/** Locks the identity and its person until the transaction ends, so that their identities are counted exactly. */
export async function lockProver(
  w: Write,
  search: ProverSearch,
  now: Date,
  admits: readonly FailureReason[] = [],
): Promise<ProverRow | undefined> {
  const [row] = await w.query<ProverRow>(
    sql.query`${selectProver(w, search, now, admits)} for no key update of t, u`,
  );
  return row;
}
