import type { Database } from './db.js';
import { type BatchLimits, inBatches } from './in-batches.js';
import { type Mutation, type Sql, sql } from './sql.js';

const BATCH_SIZE = 1_000;

/** When the rows of a table expire. Each feature declares this for its own tables. */
export interface Expiry {
  readonly table: Sql;
  /** A row has expired when this column is earlier than `before(now)`. The column needs an index. */
  readonly column: Sql;
  readonly before: (now: number) => Date;
  /** Only this column is set to null; the row stays. */
  readonly clears?: Sql;
}

/** What deletes expired rows, without an audit event. */
interface ExpiryDatabase extends Pick<Database, 'query'> {
  mutate(statement: Mutation): Promise<unknown[]>;
}

/** For `before`: a row expires this many milliseconds after the time in its column. */
export const ageOf = (ms: number) => (now: number) => new Date(now - ms);

const nameOf = ({ table, clears }: Expiry) => (clears ? `${table.text}.${clears.text}` : table.text);

const hasExpired = ({ column, before, clears }: Expiry, now: number): Sql =>
  clears ? sql`${column} < ${before(now)} and ${clears} is not null` : sql`${column} < ${before(now)}`;

/** One batch. Skips rows that another node is deleting or a write has locked. */
function deleteBatch(expiry: Expiry, now: number): Mutation {
  const { table, clears } = expiry;
  const batch = sql`ctid = any (array(
    select ctid from ${table} where ${hasExpired(expiry, now)} limit ${BATCH_SIZE} for update skip locked))`;
  return clears
    ? sql.mutation`update ${table} set ${clears} = null where ${batch} returning 1 as done`
    : sql.mutation`delete from ${table} where ${batch} returning 1 as done`;
}

/** How many seconds ago the oldest remaining row expired; 0 when none remains. */
async function findOverdue(db: ExpiryDatabase, expiry: Expiry, now: number): Promise<number> {
  const { table, column, before } = expiry;
  const [oldest] = await db.query<{ at: Date }>(
    sql.query`select ${column} as at from ${table} where ${hasExpired(expiry, now)} order by ${column} limit 1`,
  );
  return oldest ? (before(now).getTime() - oldest.at.getTime()) / 1000 : 0;
}

/**
 * Deletes expired rows, one batch of each table per round, for at most half a minute. Returns how many seconds each table
 * is behind. Expired rows are already rejected everywhere, so it does not matter when they are deleted.
 */
export async function deleteExpiredRows(
  { db, ...limits }: BatchLimits & { readonly db: ExpiryDatabase },
  expiries: readonly Expiry[],
): Promise<Record<string, number>> {
  const now = limits.clock.now();
  let unfinished = expiries;
  await inBatches(limits, async () => {
    const more: Expiry[] = [];
    for (const expiry of unfinished)
      if ((await db.mutate(deleteBatch(expiry, now))).length === BATCH_SIZE) more.push(expiry);
    unfinished = more;
    return unfinished.length > 0;
  });
  const overdue: Record<string, number> = {};
  for (const expiry of expiries) overdue[nameOf(expiry)] = await findOverdue(db, expiry, now);
  return overdue;
}
