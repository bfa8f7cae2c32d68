import type { Database } from '../../../db/db.js';
import { ageOf, type Expiry } from '../../../db/expiry.js';
import { sql } from '../../../db/sql.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import type { Write } from '../../../ledger/write.js';

const WEEK_MS = 7 * 24 * 60 * 60_000;

export const LOGIN_FAILURE_EXPIRY: Expiry = {
  table: sql`login_failures`,
  column: sql`hour`,
  before: ageOf(WEEK_MS),
};

/** Counts a failure. Returns how many of the hour the audit log has. */
export async function countFailure(
  w: UnauditedWrite<'login failures'>,
  tenantId: string,
  hour: Date,
): Promise<number> {
  const [row] = await w.mutate<{ recorded: number }>(sql.mutation`insert into login_failures as f
      (tenant_id, hour, failures) values (${tenantId}, ${hour}, 1)
    on conflict (tenant_id, hour) do update set failures = f.failures + 1
    returning recorded`);
  return row?.recorded ?? 0;
}

/** Returns false if the audit log has that many of the hour, or all. */
export async function markOneRecorded(w: Write, hour: Date, most: number): Promise<boolean> {
  const marked = await w.mutate(sql.mutation`update login_failures set recorded = recorded + 1
    where tenant_id = ${w.scope.tenantId} and hour = ${hour} and recorded < least(failures, ${most}::integer)
    returning 1 as done`);
  return marked.length > 0;
}

export interface Unrecorded {
  tenant_id: string;
  hour: Date;
  count: number;
}

/** Hours before that one with failures that the audit log does not have. */
export const listUnrecorded = (db: Database, before: Date, limit: number): Promise<Unrecorded[]> =>
  db.query(sql.query`select tenant_id, hour, failures - recorded as count from login_failures
    where hour < ${before} and recorded < failures order by hour, tenant_id limit ${limit}`);

/** Returns false if the number of those that the audit log does not have is another one now. */
export async function markAllRecorded(
  w: Write,
  { hour, count }: Omit<Unrecorded, 'tenant_id'>,
): Promise<boolean> {
  const marked = await w.mutate(sql.mutation`update login_failures set recorded = failures
    where tenant_id = ${w.scope.tenantId} and hour = ${hour} and failures - recorded = ${count}
    returning 1 as done`);
  return marked.length > 0;
}
