/** The result of one check. `next` is what to do about a problem. */
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

/** The service rejects proofs beyond this difference, and a clock that is visibly wrong soon exceeds it. */
const MAX_SKEW_MS = 300_000;
const NOTICEABLE_SKEW_MS = 5_000;

/** `aheadMs`: how far the other clock is ahead of this machine's. */
export function clockCheck(name: string, whose: string, aheadMs: number): Check {
  const off = Math.abs(aheadMs);
  const seconds = (off / 1000).toFixed(off < 10_000 ? 1 : 0);
  const detail = `this machine’s clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${whose}`;
  const next = 'Synchronize the clocks with NTP. Proofs that are more than 300 s off are rejected.';
  if (off > MAX_SKEW_MS) return fail(name, detail, next);
  return off > NOTICEABLE_SKEW_MS
    ? warn(name, detail, next)
    : ok(name, `within ${NOTICEABLE_SKEW_MS / 1000} s of ${whose}`);
}
