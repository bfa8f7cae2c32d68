import type { Database } from '../../kernel/db/db.js';
import { sql } from '../../kernel/db/sql.js';
import type { Environment } from '../../model/environment.js';

const MOST_RECENT = 50;

export interface MonthCount {
  readonly tenantId: string;
  readonly month: string;
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

export async function findUsed(db: Database, tenantId: string, month: string): Promise<number> {
  const rows = await db.query<{ used: number }>(
    sql`select used from usage_months where tenant_id = ${tenantId} and month = ${month}`,
  );
  return rows[0]?.used ?? 0;
}

/**
 * Adds calls, one row a tenant and month, in the order of the key so that nodes cannot deadlock. PostgreSQL's commit does
 * not wait for the disk: a count survives this process's death, and the database server's death may cost its last
 * moments. The embedded database dies with this process, so there the commit waits.
 */
export async function addCalls(db: Database, calls: readonly MonthCount[]): Promise<void> {
  const tx = await db.begin();
  try {
    await tx.commit([
      ...(db.kind === 'postgres' ? [sql`set local synchronous_commit = off`] : []),
      sql`insert into usage_months (tenant_id, month, used)
        select tenant_id, month, count(*)
        from unnest(${calls.map((call) => call.tenantId)}::uuid[], ${calls.map((call) => call.month)}::text[]) as c (tenant_id, month)
        group by tenant_id, month order by tenant_id, month
        on conflict (tenant_id, month) do update set used = usage_months.used + excluded.used`,
    ]);
  } catch (error) {
    await tx.rollback();
    throw error;
  }
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

/** Inserts the newest and forgets what has fallen behind the last 50 of each tenant. */
export async function addRecentCalls(db: Database, calls: readonly RecentCall[]): Promise<void> {
  const newest = newestPerTenant(calls);
  const column = <T>(read: (call: RecentCall) => T) => newest.map(read);
  await db.query(sql`insert into recent_calls (tenant_id, id, method, endpoint, status, environment, called_at, duration_ms)
    select * from unnest(${column((c) => c.tenantId)}::uuid[], ${column((c) => c.id)}::uuid[],
      ${column((c) => c.method)}::text[], ${column((c) => c.endpoint)}::text[], ${column((c) => c.status)}::integer[],
      ${column((c) => c.environment)}::text[], ${column((c) => new Date(c.at).toISOString())}::timestamptz[],
      ${column((c) => c.durationMs)}::integer[])`);
  await db.query(sql`delete from recent_calls r using (
      select tenant_id, id, row_number() over (partition by tenant_id order by id desc) as place
      from recent_calls where tenant_id = any(${[...new Set(column((c) => c.tenantId))]}::uuid[])
    ) ranked
    where ranked.place > ${MOST_RECENT} and r.tenant_id = ranked.tenant_id and r.id = ranked.id`);
}

export async function touchKeys(
  db: Database,
  uses: readonly { keyId: string; tenantId: string; at: number }[],
): Promise<void> {
  await db.query(sql`update api_keys k set last_used_at = u.at
    from unnest(${uses.map((use) => use.tenantId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
      ${uses.map((use) => new Date(use.at).toISOString())}::timestamptz[]) as u (tenant_id, id, at)
    where k.tenant_id = u.tenant_id and k.id = u.id`);
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
  return db.query<RecentCallRow>(sql`select method, endpoint, status, environment, called_at, duration_ms
    from recent_calls where tenant_id = ${tenantId} order by id desc limit ${MOST_RECENT}`);
}

export function listMonths(
  db: Database,
  tenantId: string,
  since: string,
): Promise<{ month: string; used: number }[]> {
  return db.query(
    sql`select month, used from usage_months where tenant_id = ${tenantId} and month >= ${since}`,
  );
}
