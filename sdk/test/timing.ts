import type { Timing } from '../src/transport/timing.js';

/** Timers of at least this duration never fire. */
export const NEVER_MS = 3_600_000;

/** Waiting takes no time. Each wait is recorded and advances the clock. */
export function fastTiming(
  start = Date.parse('2026-05-12T09:30:00.000Z'),
): Timing & { readonly waits: number[] } {
  let now = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    random: () => 0.5,
    after(ms, run) {
      if (ms >= NEVER_MS) return () => {};
      const timer = setImmediate(() => {
        waits.push(ms);
        now += ms;
        run();
      });
      return () => clearImmediate(timer);
    },
  };
}

/** The clock stands still until a test advances it. */
export interface ManualTiming extends Timing {
  advance(ms: number): void;
  /** Resolves when a timer of exactly `ms` is pending, with a function that lets it fire. */
  waitsFor(ms: number): Promise<() => void>;
}

export function manualTiming(start = Date.now()): ManualTiming {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly ms: number; readonly run: () => void }>();
  let onTimer: (() => void)[] = [];
  const advance = (ms: number) => {
    now += ms;
    for (const timer of [...timers].sort((left, right) => left.at - right.at))
      if (timer.at <= now && timers.delete(timer)) timer.run();
  };
  return {
    now: () => now,
    random: () => 0.5,
    after(ms, run) {
      const timer = { at: now + ms, ms, run };
      timers.add(timer);
      for (const check of onTimer) check();
      return () => void timers.delete(timer);
    },
    advance,
    async waitsFor(ms) {
      for (;;) {
        const found = [...timers].find((timer) => timer.ms === ms);
        if (found !== undefined) return () => advance(Math.max(0, found.at - now));
        await new Promise<void>((resolve) => {
          const check = () => {
            onTimer = onTimer.filter((other) => other !== check);
            resolve();
          };
          onTimer.push(check);
        });
      }
    },
  };
}
