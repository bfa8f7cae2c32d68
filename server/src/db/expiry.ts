import type { Database } from './db.js';
import { type BatchLimits, inBatches } from './in-batches.js';
import { type Mutation, type Sql, sql } from './sql.js';

const BATCH_SIZE = 1_000;
/** Tenants of one look at a table. */
const MAX_TENANTS = 500;

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
interface ExpiryDatabase extends Pick<Database, 'query'> {
  mutate(statement: Mutation): Promise<unknown[]>;
}

/** For `before`: a row expires this many milliseconds after the time in its column. */
export const ageOf = (ms: number) => (now: number) => new Date(now - ms);

const nameOf = ({ table, clears }: Expiry) => (clears ? `${table.text}.${clears.text}` : table.text);

const hasExpired = ({ column, before, clears }: Expiry, now: number): Sql =>
  clears ? sql`${column} < ${before(now)} and ${clears} is not null` : sql`${column} < ${before(now)}`;

/** Tenants with expired rows, those that have waited longest first. */
async function findTenants(db: ExpiryDatabase, expiry: Expiry, now: number): Promise<string[]> {
  const { table, column } = expiry;
  const rows = await db.query<{ tenant_id: string }>(sql.query`select tenant_id from ${table}
    where ${hasExpired(expiry, now)} group by tenant_id order by min(${column}) limit ${MAX_TENANTS}`);
  return rows.map((row) => row.tenant_id);
}

/** One batch of a tenant. Skips rows that another node is deleting or a write has locked. */
function deleteBatch(expiry: Expiry, tenantId: string, now: number): Mutation {
  const { table, clears } = expiry;
  const batch = sql`tenant_id = ${tenantId} and ctid = any (array(select ctid from ${table}
    where tenant_id = ${tenantId} and ${hasExpired(expiry, now)} limit ${BATCH_SIZE} for update skip locked))`;
  return clears
    ? sql.mutation`update ${table} set ${clears} = null where ${batch} returning 1 as done`
    : sql.mutation`delete from ${table} where ${batch} returning 1 as done`;
}

/** Deletes a batch of each tenant per round, so a tenant with many expired rows does not delay the others. */
function byTenant(db: ExpiryDatabase, expiry: Expiry, now: number): () => Promise<boolean> {
  let unfinished: string[] = [];
  let mayBeMore = true;
  return async () => {
    if (mayBeMore) {
      unfinished = await findTenants(db, expiry, now);
      mayBeMore = unfinished.length === MAX_TENANTS;
    }
    const more: string[] = [];
    for (const tenantId of unfinished)
      if ((await db.mutate(deleteBatch(expiry, tenantId, now))).length === BATCH_SIZE) more.push(tenantId);
    unfinished = more;
    return mayBeMore || unfinished.length > 0;
  };
}

/** For a table that every machine has. By key, because each machine must delete the same rows. */
function byKey(db: ExpiryDatabase, expiry: Expiry, key: Sql, now: number): () => Promise<boolean> {
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
 * Deletes expired rows, one batch of each table and tenant per round, for at most half a minute. Returns how many seconds each table
 * is behind. Expired rows are already rejected everywhere, so it does not matter when they are deleted.
 */
export async function deleteExpiredRows(
  { db, ...limits }: BatchLimits & { readonly db: ExpiryDatabase },
  expiries: readonly Expiry[],
): Promise<Record<string, number>> {
  const now = limits.clock.now();
  let unfinished = expiries.map((expiry) =>
    expiry.key ? byKey(db, expiry, expiry.key, now) : byTenant(db, expiry, now),
  );
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
