import { patiently } from '@svc/zk/patiently';

/** Time for everything stored or shared: whole Unix milliseconds, the same on every node. Tests set it. */
export interface Clock {
  now(): number;
}

/** Timers. Tests advance them together with their clock. */
export interface Timers {
  /** Runs the callback once after `ms`, unless the returned function cancels it. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void;
}

/** Timers for what another side is given time for: a database, a receiver, a blockchain node. */
export interface PatientTimers extends Timers {
  /** Like `after`, but time in which this process was busy does not count, and what has arrived is read first. */
  patiently(ms: number, late: () => void): () => void;
}

export const systemTimers: PatientTimers = {
  patiently,
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
