import type { Clock } from '../base/clock.js';
import type { Database } from './db.js';
import { sql } from './sql.js';

/** Unix milliseconds that don't jump when the system clock is set. */
const processTime = () => performance.timeOrigin + performance.now();

export interface DatabaseClock extends Clock {
  /** Measures the offset again. */
  sync(): Promise<void>;
}

/**
 * The database's clock, as an offset to this process's monotonic clock. Nodes with different system clocks agree on
 * every expiry, and reading the time needs no query. Each measurement gives the least and the greatest offset that are possible,
 * because the database read its clock between the request and the response. The offset moves no further than that, so a slow
 * response, on a busy node for example, does not make it worse.
 */
export function databaseClock(db: Database, monotonic = processTime): DatabaseClock {
  let offset = 0;
  return {
    now: () => Math.floor(monotonic() + offset),
    async sync() {
      const before = monotonic();
      const [row] = await db.query<{ now: Date }>(sql.query`select clock_timestamp()::timestamptz(3) as now`);
      const after = monotonic();
      if (row === undefined) return;
      const [least, greatest] = [row.now.getTime() - after, row.now.getTime() - before];
      offset = Math.min(Math.max(offset, least), greatest);
    },
  };
}
