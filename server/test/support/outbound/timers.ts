import type { PatientTimers } from '../../../src/base/clock.js';

/** Timers that end when a test says so. */
export function namedTimers() {
  const pending = new Set<{ readonly ms: number; readonly run: () => void }>();
  const waiting = new Set<{ readonly ms: number; readonly found: () => void }>();
  const timers: PatientTimers = {
    after(ms, run) {
      const timer = { ms, run };
      pending.add(timer);
      for (const waiter of waiting) if (waiter.ms === ms) waiter.found();
      return () => void pending.delete(timer);
    },
    patiently: (ms, late) => timers.after(ms, late),
  };
  return {
    timers,
    pending,
    /** Resolves when a timer of this length is pending. */
    started: (ms: number) =>
      new Promise<void>((found) => {
        waiting.add({ ms, found });
        for (const timer of pending) if (timer.ms === ms) found();
      }),
    /** Ends all timers of this length. */
    expire(ms: number) {
      for (const timer of [...pending])
        if (timer.ms === ms) {
          pending.delete(timer);
          timer.run();
        }
    },
  };
}

/** A promise that a test settles. */
export function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
