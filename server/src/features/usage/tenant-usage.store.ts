import { sql } from '../../db/sql.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { MAX_LOGGED } from '../../model/plans.js';
import type { Admission, MonthChange, RecentCall } from './usage.store.js';

/**
 * The statements of usage.store.ts for a database that is spread over several machines: each is about one tenant, so its
 * machine runs it alone, and simple enough for the cluster to forward without planning it.
 */

/** Counts as many of the calls as the quota has room for, and returns how many. Exact over all nodes. */
export async function admitTenantCalls(
  w: UnauditedWrite<'usage'>,
  { tenantId, month, calls, quota }: Admission,
): Promise<number> {
  const most = Math.min(calls, quota);
  const all = await w.mutate(sql.mutation`insert into usage_months as u (tenant_id, month, used)
    values (${tenantId}, ${month}, ${most}) on conflict (tenant_id, month) do update
    set used = u.used + excluded.used where u.used + excluded.used <= ${quota}::bigint returning 1 as done`);
  if (all.length > 0) return most;
  // The quota is almost used up. The row is read after it is locked.
  const [some] = await w.mutate<{ calls: number }>(sql.mutation`update usage_months u
    set used = l.used + greatest(0, least(${most}::bigint, ${quota}::bigint - l.used))
    from (select used from usage_months where tenant_id = ${tenantId} and month = ${month} for update) l
    where u.tenant_id = ${tenantId} and u.month = ${month}
    returning greatest(0, least(${most}::bigint, ${quota}::bigint - l.used)) as calls`);
  return some?.calls ?? 0;
}

/** Adds calls to the month or subtracts them. */
export async function addTenantCalls(
  w: UnauditedWrite<'usage'>,
  { tenantId, month, calls }: MonthChange,
): Promise<void> {
  await w.mutate(sql.mutation`insert into usage_months as u (tenant_id, month, used)
    values (${tenantId}, ${month}, ${calls})
    on conflict (tenant_id, month) do update set used = u.used + excluded.used`);
}

/** Logs the newest calls of the tenant. */
export async function addTenantRecentCalls(
  w: UnauditedWrite<'usage'>,
  tenantId: string,
  calls: readonly RecentCall[],
): Promise<void> {
  const column = <T>(read: (call: RecentCall) => T) => calls.map(read);
  await w.mutate(sql.mutation`insert into recent_calls (tenant_id, id, method, endpoint, status, environment, called_at, duration_ms,
      key_id, error)
    select ${tenantId}::uuid, c.* from unnest(${column((c) => c.id)}::uuid[],
      ${column((c) => c.method)}::text[], ${column((c) => c.endpoint)}::text[], ${column((c) => c.status)}::integer[],
      ${column((c) => c.environment)}::text[], ${column((c) => new Date(c.at).toISOString())}::timestamptz[],
      ${column((c) => c.durationMs)}::integer[], ${column((c) => c.keyId)}::uuid[], ${column((c) => c.error)}::text[]) as c`);
}

/** Deletes all but the last 1,000 of the tenant. Skips rows that another node is deleting. */
export async function deleteOldTenantCalls(w: UnauditedWrite<'usage'>, tenantId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from recent_calls where tenant_id = ${tenantId} and id in (
    select id from recent_calls where tenant_id = ${tenantId} order by id desc offset ${MAX_LOGGED}
    for update skip locked)`);
}
