import type { ErrorCode } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { sql } from '../../db/sql.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Write } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import { MAX_LOGGED } from '../../model/plans.js';

/** Calls in the list of recent calls. */
const MAX_RECENT = 50;

export const CALL_EXPIRY: Expiry = {
  table: sql`recent_calls`,
  column: sql`called_at`,
  before: ageOf(7 * 24 * 60 * 60_000),
};

/** Calls of a tenant's month, summed over a batch. Positive: to be counted. Negative: to be released. */
export interface MonthChange {
  readonly tenantId: string;
  readonly month: string;
  readonly calls: number;
}

/** Calls of one tenant's month that wait to be admitted. */
export interface Admission extends MonthChange {
  readonly quota: number;
}

export interface RecentCall {
  /** The id of the request. */
  readonly id: string;
  readonly tenantId: string;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  readonly environment: Environment;
  readonly keyId: string;
  readonly at: number;
  readonly durationMs: number;
  readonly error: ErrorCode | null;
}

/**
 * On PostgreSQL the commit of a count does not wait for the disk. It survives a crash of this process, while a crash of the
 * database server may lose the last moments. The embedded database runs in this process, so there the commit waits.
 */
export const waitForDisk = ({ kind }: Pick<Database, 'kind'>) =>
  sql`select set_config('synchronous_commit', ${kind === 'postgres' ? 'off' : 'on'}, true)`;

/**
 * Counts as many of the calls as each quota has room for, and returns how many: one admission per tenant and month, and no
 * row for a month that has none yet. Rows are locked in key order, so nodes cannot deadlock, and read after they are locked,
 * so all nodes together never exceed a quota.
 */
export function admitCalls(
  w: UnauditedWrite<'usage'>,
  admissions: readonly Admission[],
): Promise<MonthChange[]> {
  const column = <T>(read: (admission: Admission) => T) => admissions.map(read);
  return w.mutate<MonthChange>(sql.mutation`with this_commit as (${waitForDisk(w)}), locked as (
      select a.*, u.used from unnest(${column((a) => a.tenantId)}::uuid[], ${column((a) => a.month)}::text[],
        ${column((a) => a.calls)}::bigint[], ${column((a) => a.quota)}::bigint[]) as a (tenant_id, month, calls, quota)
      join usage_months u using (tenant_id, month) order by tenant_id, month for update of u
    ), admitted as (
      select tenant_id, month, used, greatest(0, least(calls, quota - used)) as calls from locked
    )
    update usage_months u set used = a.used + a.calls from admitted a, this_commit
    where u.tenant_id = a.tenant_id and u.month = a.month
    returning u.tenant_id as "tenantId", u.month, a.calls`);
}

/** Adds calls to their months or subtracts them. One change per tenant and month, in key order, so that nodes cannot deadlock. */
export async function addCalls(w: UnauditedWrite<'usage'>, changes: readonly MonthChange[]): Promise<void> {
  const column = <T>(read: (change: MonthChange) => T) => changes.map(read);
  await w.mutate(sql.mutation`with this_commit as (${waitForDisk(w)})
    insert into usage_months as u (tenant_id, month, used)
    select tenant_id, month, calls from unnest(${column((c) => c.tenantId)}::uuid[], ${column((c) => c.month)}::text[],
      ${column((c) => c.calls)}::bigint[]) as c (tenant_id, month, calls), this_commit order by tenant_id, month
    on conflict (tenant_id, month) do update set used = u.used + excluded.used`);
}

/** Logs the newest calls of each tenant. */
export async function addRecentCalls(
  w: UnauditedWrite<'usage'>,
  calls: readonly RecentCall[],
): Promise<void> {
  const column = <T>(read: (call: RecentCall) => T) => calls.map(read);
  await w.mutate(sql.mutation`insert into recent_calls (tenant_id, id, method, endpoint, status, environment, called_at, duration_ms, key_id, error)
    select * from unnest(${column((c) => c.tenantId)}::uuid[], ${column((c) => c.id)}::uuid[],
      ${column((c) => c.method)}::text[], ${column((c) => c.endpoint)}::text[], ${column((c) => c.status)}::integer[],
      ${column((c) => c.environment)}::text[], ${column((c) => new Date(c.at).toISOString())}::timestamptz[],
      ${column((c) => c.durationMs)}::integer[], ${column((c) => c.keyId)}::uuid[], ${column((c) => c.error)}::text[])`);
}

/** Deletes all but the last 1,000 of each tenant. Skips rows that another node is deleting. */
export async function deleteOldCalls(
  w: UnauditedWrite<'usage'>,
  tenantIds: readonly string[],
): Promise<void> {
  await w.mutate(sql.mutation`with ranked as (
      select tenant_id, id, row_number() over (partition by tenant_id order by id desc) as place
      from recent_calls where tenant_id = any(${tenantIds}::uuid[])
    ), old as (
      select r.tenant_id, r.id from recent_calls r join ranked using (tenant_id, id)
      where ranked.place > ${MAX_LOGGED} for update of r skip locked
    )
    delete from recent_calls r using old where r.tenant_id = old.tenant_id and r.id = old.id`);
}

export interface RecentCallRow {
  method: string;
  endpoint: string;
  status: number;
  environment: Environment;
  called_at: Date;
  duration_ms: number;
}

export function listRecentCalls(db: Database, tenantId: string): Promise<RecentCallRow[]> {
  return db.query<RecentCallRow>(sql.query`select method, endpoint, status, environment, called_at, duration_ms
    from recent_calls where tenant_id = ${tenantId} order by id desc limit ${MAX_RECENT}`);
}

export function listMonths(
  db: Database,
  tenantId: string,
  since: string,
): Promise<{ month: string; used: number }[]> {
  return db.query(
    sql.query`select month, used from usage_months where tenant_id = ${tenantId} and month >= ${since}`,
  );
}

export interface CrossedMonth {
  tenant_id: string;
  used: number;
  threshold: number;
  quota: number;
}

/** Active accounts that used a greater share of their quota than the last one that was announced. */
export function listCrossedMonths(
  db: Database,
  month: string,
  quotas: readonly { readonly plan: string; readonly quota: number }[],
  percents: readonly number[],
  limit: number,
): Promise<CrossedMonth[]> {
  return db.query<CrossedMonth>(sql.query`select u.tenant_id, u.used, u.threshold, q.quota
    from usage_months u join tenants t on t.id = u.tenant_id and t.status = 'active'
      join unnest(${quotas.map(({ plan }) => plan)}::text[], ${quotas.map(({ quota }) => quota)}::bigint[])
        as q (plan, quota) on q.plan = t.plan
    where u.month = ${month} and u.threshold < 100
      and u.used * 100 >= q.quota * (select min(p) from unnest(${percents}::int[]) as p where p > u.threshold)
    limit ${limit}`);
}

/** Returns false if it is not `from` any more. */
export async function setThreshold(
  w: Write,
  month: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const changed = await w.mutate(sql.mutation`update usage_months set threshold = ${to}
    where tenant_id = ${w.scope.tenantId} and month = ${month} and threshold = ${from} returning 1 as done`);
  return changed.length > 0;
}
