import type { Clock } from '../base/clock.js';
import type { Database } from './db.js';
import { sql } from './sql.js';

/** Unix milliseconds that don't jump when the system clock is set. */
const monotonic = () => performance.timeOrigin + performance.now();

export interface DatabaseClock extends Clock {
  /** Measures the offset again. */
  sync(): Promise<void>;
}

/**
 * The database's clock, as an offset to this process's monotonic clock. Nodes with different system clocks agree on
 * every expiry, and reading the time needs no query.
 */
export function databaseClock(db: Database): DatabaseClock {
  let offset = 0;
  return {
    now: () => Math.floor(monotonic() + offset),
    async sync() {
      const before = monotonic();
      const [row] = await db.query<{ now: Date }>(sql.query`select clock_timestamp()::timestamptz(3) as now`);
      const after = monotonic();
      if (row) offset = row.now.getTime() - (before + after) / 2;
    },
  };
}
