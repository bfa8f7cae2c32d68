import type { Database } from '../../db/db.js';
import { join, sql } from '../../db/sql.js';
import type { RejectedCall } from '../../http/deps.js';
import { type Read, within } from '../../ledger/write.js';
import { MAX_LOGGED } from '../../model/plans.js';
import { CALL_EXPIRY, REJECTION_EXPIRY } from '../usage/usage.js';

export interface RequestFilter {
  /** `404` or `4xx`. */
  readonly status?: string;
  readonly method?: string;
  readonly path?: string;
  readonly keyId?: string;
  readonly error?: string;
}

export interface RequestRow {
  /** The id of the request. Calls that a node of an earlier version logged have another, and no key. */
  id: string;
  method: string;
  endpoint: string;
  status: number;
  called_at: Date;
  duration_ms: number;
  key_id: string | null;
  error: string | null;
}

/** The newest of the account's last 1,000 calls and 7 days that match. At most `count`, before the id `before`. */
export function listRequests(
  read: Read,
  { status, method, path, keyId, error }: RequestFilter,
  count: number,
  now: number,
  before?: string,
): Promise<RequestRow[]> {
  const conditions = [
    sql`environment = ${read.scope.environment}`,
    sql`called_at >= ${CALL_EXPIRY.before(now)}`,
    ...(status?.endsWith('xx') ? [sql`status / 100 = ${Number(status[0])}`] : []),
    ...(status && !status.endsWith('xx') ? [sql`status = ${Number(status)}`] : []),
    ...(method ? [sql`method = ${method}`] : []),
    ...(path ? [sql`endpoint = ${path}`] : []),
    ...(keyId ? [sql`key_id = ${keyId}::uuid`] : []),
    ...(error ? [sql`error = ${error}`] : []),
    ...(before ? [sql`id < ${before}::uuid`] : []),
  ];
  return read.query<RequestRow>(sql.query`select id, method, endpoint, status, called_at, duration_ms, key_id, error
    from (select * from recent_calls where tenant_id = ${read.scope.tenantId} order by id desc limit ${MAX_LOGGED}) as log
    where ${join(conditions, ' and ')} order by id desc limit ${count}`);
}

export interface RejectedRow {
  minute: Date;
  error: RejectedCall['error'];
  calls: number;
}

/** The newest of the last 7 days. At most `count`, before a position of the form `<minute> <error>`. */
export function listRejected(
  read: Read,
  count: number,
  now: number,
  before?: string,
): Promise<RejectedRow[]> {
  const [minute, error] = before?.split(' ') ?? [];
  const rest = before ? sql`and (minute, error) < (${minute}::timestamptz, ${error}::text)` : sql``;
  return read.query<RejectedRow>(sql.query`select minute, error, calls from rejected_calls
    where ${within(read.scope)} and minute >= ${REJECTION_EXPIRY.before(now)} ${rest}
    order by minute desc, error desc limit ${count}`);
}

export async function logStates(db: Database, tenantIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; state: string }>(
    sql.query`select tenant_id as id, count(*) || ' ' || max(id::text) as state
      from recent_calls where tenant_id = any(${tenantIds}::uuid[]) group by tenant_id`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}
