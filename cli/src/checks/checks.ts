import type { Run } from '../command.js';
import { EXIT } from '../failure.js';

/** One thing that was looked at; `next` is what to do about it. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly next?: string;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail });
export const warn = (name: string, detail: string, next: string): Check => ({
  name,
  status: 'warn',
  detail,
  next,
});
export const fail = (name: string, detail: string, next: string): Check => ({
  name,
  status: 'fail',
  detail,
  next,
});

/** Proofs may be five minutes off; what is near that today is beyond it soon. */
const MOST_SKEW_MS = 300_000;
const SKEW_SEEN_MS = 5_000;

/** Of a clock that is so far ahead of this machine's. */
export function clockCheck(name: string, whose: string, aheadMs: number): Check {
  const off = Math.abs(aheadMs);
  const seconds = (off / 1000).toFixed(off < 10_000 ? 1 : 0);
  const detail = `this machine’s clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${whose}`;
  const next = 'Synchronise the clocks with NTP: proofs more than 300 s off are refused.';
  if (off > MOST_SKEW_MS) return fail(name, detail, next);
  return off > SKEW_SEEN_MS
    ? warn(name, detail, next)
    : ok(name, `within ${SKEW_SEEN_MS / 1000} s of ${whose}`);
}

const COLOUR = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** Shows what was found; the exit code is 1 when something failed. */
export function showChecks(run: Run, checks: readonly Check[]): number {
  const failed = checks.some(({ status }) => status === 'fail');
  const lines = checks.map(({ name, status, detail, next }) => {
    const line = `${run.style(COLOUR[status], status.padEnd(4))}  ${name.padEnd(14)}  ${detail}`;
    return next === undefined ? line : `${line}\n${' '.repeat(22)}Next: ${next}`;
  });
  run.show({ status: failed ? 'fail' : 'ok', checks }, lines.join('\n'));
  return failed ? EXIT.refused : EXIT.done;
}
