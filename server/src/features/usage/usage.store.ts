import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Environment } from '../../model/environment.js';

const MOST_RECENT = 50;

/** What the calls of one tenant's month change, summed over a batch. */
export interface MonthChange {
  readonly tenantId: string;
  readonly month: string;
  /** Of the plan; null where it has none. */
  readonly quota: number | null;
  /** Calls that wait to be admitted. */
  readonly wanted: number;
  /** Calls that were counted and then ended in 429 or 503. */
  readonly released: number;
}

export interface RecentCall {
  readonly id: string;
  readonly tenantId: string;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  readonly environment: Environment;
  readonly at: number;
  readonly durationMs: number;
}

export interface CountedCalls {
  readonly tenantId: string;
  readonly month: string;
  readonly admitted: number;
}

/**
 * Counts as many of the wanted calls as each quota has room for, after taking off the released ones. Takes one change for each tenant
 * and month, and returns no row for a month that has none yet. Rows are locked in the order of their key, so nodes cannot deadlock, and
 * are read after they are locked, so all nodes together never exceed a quota.
 *
 * On PostgreSQL the commit does not wait for the disk: a count survives this process's death, and the database server's death may cost
 * its last moments. The embedded database dies with this process, so there the commit waits.
 */
export function countCalls(db: Database, changes: readonly MonthChange[]): Promise<CountedCalls[]> {
  const column = <T>(read: (change: MonthChange) => T) => changes.map(read);
  const waits = db.kind === 'postgres' ? 'off' : 'on';
  return db.query<CountedCalls>(sql.mutation`with this_commit as (
      select set_config('synchronous_commit', ${waits}, true)
    ), locked as (
      select c.tenant_id, c.month, c.quota, c.wanted, u.used - c.released as used
      from unnest(${column((c) => c.tenantId)}::uuid[], ${column((c) => c.month)}::text[],
        ${column((c) => c.quota)}::bigint[], ${column((c) => c.wanted)}::bigint[],
        ${column((c) => c.released)}::bigint[]) as c (tenant_id, month, quota, wanted, released)
      join usage_months u using (tenant_id, month) order by tenant_id, month for update of u
    ), admitted as (
      select tenant_id, month, used, greatest(0, least(wanted, coalesce(quota - used, wanted))) as calls from locked
    )
    update usage_months u set used = a.used + a.calls from admitted a, this_commit
    where u.tenant_id = a.tenant_id and u.month = a.month
    returning u.tenant_id as "tenantId", u.month, a.calls as admitted`);
}

/** Adds the row of a month, if it is not there yet. */
export async function createMonth(db: Database, tenantId: string, month: string): Promise<void> {
  await db.query(sql.mutation`insert into usage_months (tenant_id, month, used) values (${tenantId}, ${month}, 0)
    on conflict (tenant_id, month) do nothing`);
}

/** The last 50 of each tenant, in their order. */
export function newestPerTenant(calls: readonly RecentCall[]): RecentCall[] {
  const seen = new Map<string, number>();
  return calls
    .toReversed()
    .filter(({ tenantId }) => {
      const count = (seen.get(tenantId) ?? 0) + 1;
      seen.set(tenantId, count);
      return count <= MOST_RECENT;
    })
    .reverse();
}

/** Inserts the newest and deletes all but the last 50 of each tenant; rows that another node is deleting are skipped. */
export async function addRecentCalls(db: Database, calls: readonly RecentCall[]): Promise<void> {
  const newest = newestPerTenant(calls);
  const column = <T>(read: (call: RecentCall) => T) => newest.map(read);
  await db.query(sql.mutation`insert into recent_calls (tenant_id, id, method, endpoint, status, environment, called_at, duration_ms)
    select * from unnest(${column((c) => c.tenantId)}::uuid[], ${column((c) => c.id)}::uuid[],
      ${column((c) => c.method)}::text[], ${column((c) => c.endpoint)}::text[], ${column((c) => c.status)}::integer[],
      ${column((c) => c.environment)}::text[], ${column((c) => new Date(c.at).toISOString())}::timestamptz[],
      ${column((c) => c.durationMs)}::integer[])`);
  await db.query(sql.mutation`with ranked as (
      select tenant_id, id, row_number() over (partition by tenant_id order by id desc) as place
      from recent_calls where tenant_id = any(${[...new Set(column((c) => c.tenantId))]}::uuid[])
    ), old as (
      select r.tenant_id, r.id from recent_calls r join ranked using (tenant_id, id)
      where ranked.place > ${MOST_RECENT} for update of r skip locked
    )
    delete from recent_calls r using old where r.tenant_id = old.tenant_id and r.id = old.id`);
}

/** Keys that another transaction is changing are skipped, so a revocation never waits for this, nor this for a revocation. */
export async function touchKeys(
  db: Database,
  uses: readonly { keyId: string; tenantId: string; at: number }[],
): Promise<void> {
  await db.query(sql.mutation`with used as (
      select k.tenant_id, k.id, u.at from api_keys k
      join unnest(${uses.map((use) => use.tenantId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
        ${uses.map((use) => new Date(use.at).toISOString())}::timestamptz[]) as u (tenant_id, id, at)
        on k.tenant_id = u.tenant_id and k.id = u.id
      for no key update of k skip locked
    )
    update api_keys k set last_used_at = used.at from used where k.tenant_id = used.tenant_id and k.id = used.id`);
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
    from recent_calls where tenant_id = ${tenantId} order by id desc limit ${MOST_RECENT}`);
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
