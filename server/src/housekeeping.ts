import { type Mutation, type Sql, sql } from './db/sql.js';
import { sumChanges } from './features/overview/overview.js';
import { expireSessions } from './features/registrations/registrations.js';
import type { Deps } from './http/deps.js';
import { leadsKeptSince } from './model/lead-retention.js';

export { startAnchoring } from './features/anchors/anchors.js';

const EVERY_MS = 60_000;
/** A run that takes longer leaves the rest to the next one. */
const MAX_RUN_MS = 30_000;
const BATCH_SIZE = 1_000;
const COUNTS_BATCH_SIZE = 10_000;
const DAY_MS = 24 * 60 * 60_000;

interface Expiry {
  readonly table: Sql;
  /** A row has expired when this column is earlier than `before(now)`. The column needs an index. */
  readonly column: Sql;
  readonly before: (now: number) => Date;
  /** Only this column is cleared; the row stays. */
  readonly clears?: Sql;
}

const after = (ms: number) => (now: number) => new Date(now - ms);

/** Expired rows are already refused everywhere, so it does not matter when they are deleted. */
const EXPIRIES: readonly Expiry[] = [
  { table: sql`spent_nonces`, column: sql`expires_at`, before: after(0) },
  { table: sql`one_time_codes`, column: sql`expires_at`, before: after(0) },
  { table: sql`idempotency_keys`, column: sql`expires_at`, before: after(0) },
  { table: sql`refresh_tokens`, column: sql`expires_at`, before: after(0) },
  { table: sql`refresh_tokens`, column: sql`used_at`, before: after(60_000), clears: sql`retry_answer` },
  { table: sql`sessions`, column: sql`expires_at`, before: after(0) },
  {
    table: sql`proof_pairing_sessions`,
    column: sql`expires_at`,
    before: after(0),
    clears: sql`desktop_refresh_sealed`,
  },
  { table: sql`proof_pairing_sessions`, column: sql`expires_at`, before: after(30 * DAY_MS) },
  { table: sql`sso_requests`, column: sql`expires_at`, before: after(0) },
  { table: sql`demo_idp_codes`, column: sql`expires_at`, before: after(0) },
  { table: sql`leads`, column: sql`created_at`, before: leadsKeptSince },
];

const nameOf = ({ table, clears }: Expiry) => (clears ? `${table.text}.${clears.text}` : table.text);

const hasExpired = ({ column, before, clears }: Expiry, now: number): Sql =>
  clears ? sql`${column} < ${before(now)} and ${clears} is not null` : sql`${column} < ${before(now)}`;

/** One batch. Rows that another node is deleting, or that a write has locked, are skipped. */
function deleteBatch(expiry: Expiry, now: number): Mutation {
  const { table, clears } = expiry;
  const act = clears
    ? sql.mutation`update ${table} set ${clears} = null`
    : sql.mutation`delete from ${table}`;
  return sql.mutation`${act} where ctid = any (array(
    select ctid from ${table} where ${hasExpired(expiry, now)} limit ${BATCH_SIZE} for update skip locked))
    returning 1 as done`;
}

/** For how many seconds the oldest row that is left has been expired; 0 when none is left. */
async function findOverdue(db: Deps['db'], expiry: Expiry, now: number): Promise<number> {
  const { table, column, before } = expiry;
  const [oldest] = await db.query<{ at: Date }>(
    sql.query`select ${column} as at from ${table} where ${hasExpired(expiry, now)} order by ${column} limit 1`,
  );
  return oldest ? (before(now).getTime() - oldest.at.getTime()) / 1000 : 0;
}

/**
 * Deletes all that has expired, a batch of each table in turn, for at most half a minute. Returns how many seconds each
 * table is behind.
 */
export async function deleteExpired({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<Record<string, number>> {
  const now = clock.now();
  let unfinished = EXPIRIES;
  while (unfinished.length > 0 && clock.now() - now < MAX_RUN_MS) {
    const more: Expiry[] = [];
    for (const expiry of unfinished)
      if ((await db.query(deleteBatch(expiry, now))).length === BATCH_SIZE) more.push(expiry);
    unfinished = more;
  }
  const overdue: Record<string, number> = {};
  for (const expiry of EXPIRIES) overdue[nameOf(expiry)] = await findOverdue(db, expiry, now);
  return overdue;
}

/** Sums up the counts of records, for at most half a minute. */
export async function sumCounts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const end = clock.now() + MAX_RUN_MS;
  while ((await sumChanges(db, COUNTS_BATCH_SIZE)) === COUNTS_BATCH_SIZE && clock.now() < end);
}

/** Runs every minute, one run at a time. Returns what stops it. */
export function startHousekeeping(deps: Deps): () => void {
  let overdue: Record<string, number> = {};
  deps.metrics.gauge(
    'svc_expired_overdue_seconds',
    'Seconds since the oldest row that housekeeping has yet to delete expired.',
    () => overdue,
    'table',
  );
  async function run(): Promise<void> {
    try {
      [overdue] = await Promise.all([deleteExpired(deps), sumCounts(deps), expireSessions(deps)]);
    } catch (err) {
      deps.log.warn({ err }, 'housekeeping failed');
    }
    cancel = deps.timers.after(EVERY_MS, () => void run());
  }
  let cancel = deps.timers.after(EVERY_MS, () => void run());
  return () => cancel();
}
