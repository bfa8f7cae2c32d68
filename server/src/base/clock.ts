import type { Database } from '../db/db.js';
import { sql } from '../db/sql.js';

/** The one clock of shared state: whole Unix milliseconds, the same on every node. Tests move it by hand. */
export interface Clock {
  now(): number;
}

/** Doing something later. Tests move it together with their clock. */
export interface Timers {
  /** Runs it once, `ms` from now, unless the returned function is called before. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** The machine's time since the process began, which does not step when somebody sets the wall clock. */
const monotonic = () => performance.timeOrigin + performance.now();

export interface DatabaseClock extends Clock {
  /** Measures the distance to the database's clock again. */
  sync(): Promise<void>;
}

/**
 * The database's clock, kept by its distance to this process's monotonic clock, so that nodes whose own clocks differ
 * agree on every expiry without a round trip a reading.
 */
export function databaseClock(db: Database): DatabaseClock {
  let offset = 0;
  return {
    now: () => Math.floor(monotonic() + offset),
    async sync() {
      const before = monotonic();
      const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp()::timestamptz(3) as now`);
      const after = monotonic();
      if (row) offset = row.now.getTime() - (before + after) / 2;
    },
  };
}
