import { sql } from '../db/sql.js';
import type { UnauditedWrite } from '../ledger/unaudited.js';
import { type Read, within } from '../ledger/write.js';

const KINDS = ['devices', 'tenant_users', 'verifications', 'attendance'] as const;
export type CountedKind = (typeof KINDS)[number];

export interface Counts {
  readonly devices: number;
  readonly users: number;
  readonly verifications: number;
  readonly attendance: number;
  readonly audit: number;
}

/** Triggers count the records. The number of audit events is the sequence number of the chain's head. */
export async function countAll(read: Read): Promise<Counts> {
  const here = within(read.scope);
  const of = (kind: string) => sql`coalesce(sum(records) filter (where kind = ${kind}), 0)::bigint`;
  const [counts] =
    await read.query<Counts>(sql.query`select ${of('devices')} as devices, ${of('tenant_users')} as users,
      ${of('verifications')} as verifications, ${of('attendance')} as attendance,
      (select seq from audit_heads where ${here}) as audit
    from (select kind, records from record_counts where ${here} and kind = any (${KINDS}::text[])
      union all select kind, change from record_count_changes where ${here} and kind = any (${KINDS}::text[])) counted`);
  return counts as Counts;
}

/** How many verifications occurred on a day, by their result. */
export interface DayCount {
  /** A day of UTC, such as `2026-05-12`. */
  readonly day: string;
  readonly result: string;
  readonly records: number;
}

/** Only the days and results that have verifications. */
export function countVerificationDays(
  read: Read,
  days: readonly string[],
  results: readonly string[],
): Promise<DayCount[]> {
  const kinds = days.flatMap((day) => results.map((result) => `verifications ${day} ${result}`));
  const where = sql`${within(read.scope)} and kind = any (${kinds}::text[])`;
  return read.query<DayCount>(sql.query`select split_part(kind, ' ', 2) as day, split_part(kind, ' ', 3) as result,
      sum(records)::bigint as records
    from (select kind, records from record_counts where ${where}
      union all select kind, change from record_count_changes where ${where}) counted
    group by kind having sum(records) <> 0 order by kind`);
}

/** How many records of one kind a tenant and environment has. `kind` is the name of their table. */
export async function countRecords(read: Read, kind: CountedKind): Promise<number> {
  const where = sql`${within(read.scope)} and kind = ${kind}`;
  const [row] = await read.query<{
    records: number;
  }>(sql.query`select coalesce(sum(records), 0)::bigint as records
    from (select records from record_counts where ${where}
      union all select change from record_count_changes where ${where}) counted`);
  return row?.records ?? 0;
}

/** Tenants whose changes wait to be added. */
export async function listChanged(w: UnauditedWrite<'record counts'>, limit: number): Promise<string[]> {
  const rows = await w.query<{ tenant_id: string }>(
    sql.query`select tenant_id from record_count_changes group by tenant_id order by tenant_id limit ${limit}`,
  );
  return rows.map((row) => row.tenant_id);
}

/**
 * Moves at most that many changes of a tenant into its counts, and returns how many. Readers see each change once, before or
 * after. Nodes that do this at the same time take different changes, and lock the counts in one order.
 */
export async function sumChanges(
  w: UnauditedWrite<'record counts'>,
  tenantId: string,
  limit: number,
): Promise<number> {
  const [row] = await w.mutate<{ moved: number }>(sql.mutation`with moved as (
      delete from record_count_changes where tenant_id = ${tenantId} and ctid = any (array(
        select ctid from record_count_changes where tenant_id = ${tenantId} limit ${limit} for update skip locked))
      returning environment, kind, change
    ), summed as (
      insert into record_counts as c (tenant_id, environment, kind, records)
      select ${tenantId}, environment, kind, sum(change) from moved
      group by environment, kind order by environment, kind
      on conflict (tenant_id, environment, kind) do update set records = c.records + excluded.records
    )
    select count(*) as moved from moved`);
  return row?.moved ?? 0;
}
