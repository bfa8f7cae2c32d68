/** Time for everything stored or shared: whole Unix milliseconds, the same on every node. Tests set it. */
export interface Clock {
  now(): number;
}

/** Timers. Tests advance them together with their clock. */
export interface Timers {
  /** Runs the callback once after `ms`, unless the returned function cancels it. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
