import { sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';
import type { METHODS, RESULTS } from './verifications.schema.js';

export interface Range {
  readonly from: Date;
  readonly to: Date;
}

export interface HourCount {
  readonly hour: Date;
  readonly method: string;
  readonly result: (typeof RESULTS)[number];
  readonly count: number;
}

/**
 * Verifications by the hour in which they occurred, with each method and result. Reads the newest of each combination up to a
 * limit, in order, from an index that has all that is needed. `date_bin` takes half the time of `date_trunc`.
 */
export function countHours(
  read: Read,
  kinds: readonly { readonly method: (typeof METHODS)[number]; readonly result: (typeof RESULTS)[number] }[],
  { from, to }: Range,
  limit: number,
): Promise<HourCount[]> {
  return read.query<HourCount>(sql.query`select hour, kind.method, kind.result, counted.count
    from unnest(${kinds.map(({ method }) => method)}::text[], ${kinds.map(({ result }) => result)}::text[]) as kind (method, result),
    lateral (select date_bin('1 hour', occurred_at, 'epoch') as hour, count(*) as count
      from (select occurred_at from verifications where ${within(read.scope)} and method = kind.method
          and result = kind.result and occurred_at >= ${from} and occurred_at < ${to}
        order by occurred_at desc, id desc limit ${limit}) as newest
      group by 1) as counted`);
}

/** How many people passed since a moment, of the newest verifications that passed with each method. */
export async function countPeople(
  read: Read,
  methods: readonly string[],
  since: Date,
  limit: number,
): Promise<number> {
  const [row] = await read.query<{ count: number }>(sql.query`select count(distinct user_id) as count
    from unnest(${methods}::text[]) as kind (method),
    lateral (select user_id from verifications where ${within(read.scope)} and method = kind.method and result = 'pass'
        and occurred_at >= ${since}
      order by occurred_at desc, id desc limit ${limit}) as passed`);
  return row?.count ?? 0;
}

export interface ReasonCount {
  readonly method: (typeof METHODS)[number];
  readonly reason: string | null;
  readonly count: number;
}

/** Why verifications failed, of the newest failures with each method. The most frequent reasons first. */
export function countReasons(
  read: Read,
  methods: readonly string[],
  { from, to }: Range,
  { newest, reasons }: { readonly newest: number; readonly reasons: number },
): Promise<ReasonCount[]> {
  return read.query<ReasonCount>(sql.query`select kind.method, counted.reason, counted.count
    from unnest(${methods}::text[]) as kind (method),
    lateral (select reason, count(*) as count
      from (select reason from verifications where ${within(read.scope)} and method = kind.method and result = 'fail'
          and occurred_at >= ${from} and occurred_at < ${to}
        order by occurred_at desc, id desc limit ${newest}) as failed
      group by 1) as counted
    order by counted.count desc, kind.method, counted.reason limit ${reasons}`);
}

export interface RefusedRow {
  readonly user_id: string;
  readonly full_name: string;
  readonly method: (typeof METHODS)[number];
  readonly reason: string | null;
  readonly occurred_at: Date;
}

/** People whose newest verification since a moment failed, of the newest failures with each method. The newest first. */
export function listRefused(
  read: Read,
  methods: readonly string[],
  since: Date,
  { newest, people }: { readonly newest: number; readonly people: number },
): Promise<RefusedRow[]> {
  const { tenantId, environment } = read.scope;
  return read.query<RefusedRow>(sql.query`with failed as (
      select distinct on (f.user_id) f.user_id, f.method, f.reason, f.occurred_at
      from unnest(${methods}::text[]) as kind (method),
      lateral (select user_id, method, reason, occurred_at from verifications
        where ${within(read.scope)} and method = kind.method and result = 'fail' and occurred_at >= ${since}
        order by occurred_at desc, id desc limit ${newest}) as f
      where f.user_id is not null order by f.user_id, f.occurred_at desc)
    select failed.user_id, u.full_name, failed.method, failed.reason, failed.occurred_at
    from failed join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = failed.user_id
    where not exists (select 1 from unnest(${methods}::text[]) as kind (method),
      lateral (select 1 from verifications t where ${within(read.scope, 't')} and t.user_id = failed.user_id
        and t.method = kind.method and t.result = 'pass' and t.occurred_at >= failed.occurred_at limit 1) as passed)
    order by failed.occurred_at desc limit ${people}`);
}
