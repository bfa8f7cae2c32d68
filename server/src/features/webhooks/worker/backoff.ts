const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after each failed attempt the next one follows. After the last of them the event is given up. */
export const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
/** An ordered webhook waits for one event, and everything after it waits too. */
const MAX_ORDERED_MS = 24 * HOUR_MS;

/** The value of `Retry-After` in milliseconds: seconds, or an HTTP date. At most 24 hours; 0 for anything else. */
export function readRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined || value.length > 64) return 0;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}

interface Failed {
  /** Attempts so far. */
  readonly attempts: number;
  readonly firstAt: number;
  readonly now: number;
  readonly retryAfterMs: number;
  readonly ordered: boolean;
  /** From 0 to 1. Spreads retries, so that they don't arrive together. */
  readonly jitter: number;
}

/** When an event is sent again, in Unix milliseconds. Undefined if it is given up. */
export function nextAttemptAt({
  attempts,
  firstAt,
  now,
  retryAfterMs,
  ordered,
  jitter,
}: Failed): number | undefined {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return undefined;
  const own = Math.round(delay * (0.8 + 0.4 * jitter));
  const left = ordered ? firstAt + MAX_ORDERED_MS - now : MAX_RETRY_AFTER_MS;
  return ordered && own > left ? undefined : now + Math.max(own, Math.min(retryAfterMs, left));
}
