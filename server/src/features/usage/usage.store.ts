import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Environment } from '../../model/environment.js';

const MOST_RECENT = 50;

/** What a node did in one tenant's month since it was last written. */
export interface MonthChange {
  readonly tenantId: string;
  readonly month: string;
  /** Calls to be counted. */
  readonly used: number;
  /** A lease, and how many calls are taken off it: those it admitted that are now counted, and those given back. */
  readonly lease: string | null;
  readonly unleased: number;
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

export interface LeaseRequest {
  readonly tenantId: string;
  readonly month: string;
  /** The lease to be added to. */
  readonly id: string;
  readonly limit: number;
  /** Calls that wait for an answer. */
  readonly waiting: number;
  /** Calls of the lease that are given back with this. */
  readonly given: number;
  readonly now: number;
  readonly until: number;
}

const LARGEST_LEASE = 256;

/**
 * Adds to a lease and answers by how many calls: none where the quota is used up or leased out. A sixteenth of what is
 * left, so that leases shrink to one near the limit, but never less than wait where there is room. One statement on one
 * row, so that nodes that ask at once are judged one after the other.
 */
export async function lease(db: Database, request: LeaseRequest): Promise<number> {
  const { tenantId, month, id, limit, waiting, given, now, until } = request;
  const statement = sql`insert into usage_months as u (tenant_id, month, used) values (${tenantId}, ${month}, 0)
    on conflict (tenant_id, month) do update set leases = (
      select held.others || jsonb_build_object(${id}::text,
        jsonb_build_array((held.mine + granted.calls)::bigint, ${until}::bigint, granted.calls))
      from (
        select coalesce(jsonb_object_agg(key, value) filter (where key <> ${id}), '{}') as others,
          coalesce(sum((value->>0)::bigint) filter (where key <> ${id}), 0) as theirs,
          greatest(0, coalesce(sum((value->>0)::bigint) filter (where key = ${id}), 0) - ${given}::bigint) as mine
        from jsonb_each(u.leases) where (value->>1)::bigint > ${now}::bigint
      ) held,
      lateral (select (${limit} - u.used - held.theirs - held.mine)::bigint as room) free,
      lateral (select greatest(0, least(free.room,
        greatest(${waiting}::bigint, least(${LARGEST_LEASE}::bigint, free.room / 16)))) as calls) granted)
    returning (leases->${id}->>2)::bigint as granted`;
  const [row] = await db.query<{ granted: number | null }>(statement);
  if (row && row.granted !== null) return row.granted;
  // The month's row was not there: it is now.
  const [again] = await db.query<{ granted: number | null }>(statement);
  return again?.granted ?? 0;
}

/**
 * Counts calls and takes them off their leases; one change a tenant and month, in the order of the key so that nodes
 * cannot deadlock. PostgreSQL's commit does not wait for the disk: a count survives this process's death, and the
 * database server's death may cost its last moments. The embedded database dies with this process, so there the commit
 * waits.
 */
export async function addCalls(db: Database, changes: readonly MonthChange[]): Promise<void> {
  const column = <T>(read: (change: MonthChange) => T) => changes.map(read);
  const waits = db.kind === 'postgres' ? 'off' : 'on';
  await db.query(sql`with changes as (select * from unnest(${column((c) => c.tenantId)}::uuid[],
      ${column((c) => c.month)}::text[], ${column((c) => c.used)}::bigint[], ${column((c) => c.lease)}::text[],
      ${column((c) => c.unleased)}::bigint[]) as c (tenant_id, month, used, lease, unleased)),
    this_commit as (select set_config('synchronous_commit', ${waits}, true))
    insert into usage_months as u (tenant_id, month, used)
    select tenant_id, month, used from changes, this_commit order by tenant_id, month
    on conflict (tenant_id, month) do update set used = u.used + excluded.used, leases = (
      select case when c.lease is null or not u.leases ? c.lease then u.leases
        when (u.leases->c.lease->>0)::bigint <= c.unleased then u.leases - c.lease
        else jsonb_set(u.leases, array[c.lease, '0'], to_jsonb((u.leases->c.lease->>0)::bigint - c.unleased)) end
      from changes c where c.tenant_id = u.tenant_id and c.month = u.month)`);
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
  await db.query(sql`insert into recent_calls (tenant_id, id, method, endpoint, status, environment, called_at, duration_ms)
    select * from unnest(${column((c) => c.tenantId)}::uuid[], ${column((c) => c.id)}::uuid[],
      ${column((c) => c.method)}::text[], ${column((c) => c.endpoint)}::text[], ${column((c) => c.status)}::integer[],
      ${column((c) => c.environment)}::text[], ${column((c) => new Date(c.at).toISOString())}::timestamptz[],
      ${column((c) => c.durationMs)}::integer[])`);
  await db.query(sql`with ranked as (
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
  await db.query(sql`with used as (
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
