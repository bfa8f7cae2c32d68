import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { DatabaseProbe, Deps } from '../../http/deps.js';

/** Shorter than the timeout of statements, because a health check should respond soon. */
const TIMEOUT_MS = 2_000;
/** How long a test of writing counts. */
const FRESH_MS = 5_000;

/** Whether the database responds and accepts writes. Many health checks cost it no more than a few. */
export function createDatabaseProbe(deps: Pick<Deps, 'db' | 'clock' | 'timers' | 'log'>): DatabaseProbe {
  const { db, clock } = deps;
  const canRead = shareAnswers(deps, 'respond', () => db.query(sql.query`select 1`));
  const canWrite = shareAnswers(deps, 'accept writes', () => testWriting(db));
  let last: { readonly writes: boolean; readonly at: number } | undefined;

  return {
    async check() {
      const reads = await canRead();
      const age = last && clock.now() - last.at;
      const isFresh = age !== undefined && age >= 0 && age < FRESH_MS;
      // The first check after an outage tests writing, however short the outage was.
      if (!reads) last = undefined;
      else if (!isFresh) last = { writes: await canWrite(), at: clock.now() };
      return { reads, writes: last?.writes ?? false };
    },
    writeFailed() {
      // If the last test failed too, its result is kept. Otherwise every failing write could cause another test.
      if (last?.writes) last = undefined;
    },
  };
}

/**
 * Tests what every write needs: a transaction that is not read-only, a record in the write-ahead log, which the commit waits for,
 * and a new file in the data folder. Changes no row, because an update of a row also succeeds on a full disk
 * (docs/adr/0030-what-ready-asks.md).
 */
async function testWriting(db: Database): Promise<void> {
  const [row] = await db.query<{ read_only: string }>(
    sql.query`select pg_logical_emit_message(true, 'svc', 'health'), pg_export_snapshot(),
      current_setting('transaction_read_only') as read_only`,
  );
  if (row?.read_only !== 'off') throw new Error('Transactions are read-only');
}

/**
 * Concurrent callers share one statement. Callers that follow while it hangs wait for the same one, so it never occupies more than
 * one connection. Each caller waits two seconds at most.
 */
function shareAnswers(
  { timers, log }: Pick<Deps, 'timers' | 'log'>,
  what: string,
  run: () => Promise<unknown>,
): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;

  async function attempt(): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (err) {
      log.warn({ err }, `health: the database does not ${what}`);
      return false;
    } finally {
      running = undefined;
    }
  }

  return async () => {
    running ??= attempt();
    let cancel = () => {};
    const late = new Promise<false>((resolve) => {
      cancel = timers.patiently(TIMEOUT_MS, () => {
        log.warn({ timeoutMs: TIMEOUT_MS }, `health: the database does not ${what} in time`);
        resolve(false);
      });
    });
    try {
      return await Promise.race([running, late]);
    } finally {
      cancel();
    }
  };
}
