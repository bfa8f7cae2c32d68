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
