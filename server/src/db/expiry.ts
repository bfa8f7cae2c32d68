import type { Database } from './db.js';
import { type BatchLimits, inBatches } from './in-batches.js';
import { type Mutation, type Sql, sql } from './sql.js';

const BATCH_SIZE = 1_000;
/** Rows that are searched for tenants. */
const SEARCH_SIZE = 5_000;

/** When the rows of a table expire. Each feature declares this for its own tables. */
export interface Expiry {
  readonly table: Sql;
  /** A row has expired when this column is earlier than `before(now)`. The column needs an index. */
  readonly column: Sql;
  readonly before: (now: number) => Date;
  /** The primary key of a table whose rows all machines have. */
  readonly key?: Sql;
  /** Only this column is set to null; the row stays. */
  readonly clears?: Sql;
}

/** What deletes expired rows, without an audit event. */
interface ExpiryDatabase extends Pick<Database, 'query' | 'isSpread'> {
  mutate(statement: Mutation): Promise<unknown[]>;
}

/** For `before`: a row expires this many milliseconds after the time in its column. */
export const ageOf = (ms: number) => (now: number) => new Date(now - ms);

const nameOf = ({ table, clears }: Expiry) => (clears ? `${table.text}.${clears.text}` : table.text);

const hasExpired = ({ column, before, clears }: Expiry, now: number): Sql =>
  clears ? sql`${column} < ${before(now)} and ${clears} is not null` : sql`${column} < ${before(now)}`;

/** One batch of all tenants, or of one. Skips rows that another node is deleting or a write has locked. */
function deleteBatch(expiry: Expiry, now: number, tenantId?: string): Mutation {
  const { table, clears } = expiry;
  const batch =
    tenantId === undefined
      ? sql`ctid = any (array(select ctid from ${table}
          where ${hasExpired(expiry, now)} limit ${BATCH_SIZE} for update skip locked))`
      : sql`tenant_id = ${tenantId} and ctid = any (array(select ctid from ${table}
          where tenant_id = ${tenantId} and ${hasExpired(expiry, now)} limit ${BATCH_SIZE} for update skip locked))`;
  return clears
    ? sql.mutation`update ${table} set ${clears} = null where ${batch} returning 1 as done`
    : sql.mutation`delete from ${table} where ${batch} returning 1 as done`;
}

/** Deletes a batch per round. Returns whether there may be more. */
type DeleteRound = () => Promise<boolean>;

const forAllTenants =
  (db: ExpiryDatabase, expiry: Expiry, now: number): DeleteRound =>
  async () =>
    (await db.mutate(deleteBatch(expiry, now))).length === BATCH_SIZE;

/**
 * On a database that is spread over several machines: a batch of each tenant that owns one of the rows that expired first.
 * The index of the column ends the search after that many rows.
 */
function byTenant(db: ExpiryDatabase, expiry: Expiry, now: number): DeleteRound {
  const { table, column } = expiry;
  return async () => {
    const oldest = await db.query<{ owner: string }>(sql.query`select tenant_id as owner from ${table}
      where ${hasExpired(expiry, now)} order by ${column} limit ${SEARCH_SIZE}`);
    let deleted = 0;
    for (const tenantId of new Set(oldest.map((row) => row.owner)))
      deleted += (await db.mutate(deleteBatch(expiry, now, tenantId))).length;
    // If all of them are locked, the next run finds them again.
    return deleted > 0 && (oldest.length === SEARCH_SIZE || deleted >= BATCH_SIZE);
  };
}

/** For a table that every machine has. By key, because each machine must delete the same rows. */
function byKey(db: ExpiryDatabase, expiry: Expiry, key: Sql, now: number): DeleteRound {
  const { table } = expiry;
  return async () => {
    const rows = await db.query<{ key: string }>(sql.query`select ${key} as key from ${table}
      where ${hasExpired(expiry, now)} order by ${key} limit ${BATCH_SIZE}`);
    if (rows.length > 0)
      await db.mutate(sql.mutation`delete from ${table} where ${key} = any(${rows.map((row) => row.key)})
        and ${hasExpired(expiry, now)}`);
    return rows.length === BATCH_SIZE;
  };
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
  let unfinished = expiries.map((expiry) => {
    if (!db.isSpread) return forAllTenants(db, expiry, now);
    return expiry.key ? byKey(db, expiry, expiry.key, now) : byTenant(db, expiry, now);
  });
  await inBatches(limits, async () => {
    const more: typeof unfinished = [];
    for (const deleteRound of unfinished) if (await deleteRound()) more.push(deleteRound);
    unfinished = more;
    return unfinished.length > 0;
  });
  const overdue: Record<string, number> = {};
  for (const expiry of expiries) overdue[nameOf(expiry)] = await findOverdue(db, expiry, now);
  return overdue;
}
