import { lowestIdAt } from '../base/crypto/random.js';
import { type Query, type Sql, sql } from '../db/sql.js';
import type { Scope } from '../ledger/audit-store.js';
import { within } from '../ledger/write.js';

/** Records that were created before a moment, a batch at a time in the order of their ids. */
export interface OldRows {
  readonly before: Date;
  /** The last record of the batch before, so that no batch reads what earlier ones have deleted. */
  readonly after: string;
  readonly limit: number;
}

/** How many were deleted, and the last of them. */
export interface DeletedRows {
  readonly count: number;
  readonly last: string | null;
}

/**
 * Ids are in the order of time, so the primary key ends the search. A record whose `created_at` is earlier than its id by more than
 * this, because a clock was set back, is found when this time has passed too.
 */
export const CLOCKS_DIFFER_MS = 60 * 60_000;

/** The ids of the first old rows that also meet `more`. */
export const firstOld = (
  scope: Scope,
  table: Sql,
  { before, after, limit }: OldRows,
  more = sql`true`,
): Sql => sql`array(select id from ${table} where ${within(scope)} and id > ${after}
    and id < ${lowestIdAt(before.getTime() + CLOCKS_DIFFER_MS)} and created_at < ${before} and ${more} order by id limit ${limit})`;

/** Counts the old rows, at most about `limit`. Only the newest of them are read from the table, the others from the primary key. */
export function countOldRows(scope: Scope, table: Sql, before: Date, limit: number): Query {
  const surely = lowestIdAt(before.getTime() - CLOCKS_DIFFER_MS);
  const maybe = lowestIdAt(before.getTime() + CLOCKS_DIFFER_MS);
  const count = (condition: Sql) => sql`(select count(*) from (select 1 from ${table}
    where ${within(scope)} and ${condition} order by id limit ${limit}) as old)`;
  return sql.query`select ${count(sql`id < ${surely}`)}
    + ${count(sql`id >= ${surely} and id < ${maybe} and created_at < ${before}`)} as count`;
}

/** As `countOldRows`, for a table in which only some old rows count. */
export const countOldRowsThat = (
  scope: Scope,
  table: Sql,
  before: Date,
  limit: number,
  more: Sql,
): Query => sql.query`select count(*) as count from (select 1 from ${table} where ${within(scope)}
    and id < ${lowestIdAt(before.getTime() + CLOCKS_DIFFER_MS)} and created_at < ${before} and ${more} order by id limit ${limit}) as old`;
