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
