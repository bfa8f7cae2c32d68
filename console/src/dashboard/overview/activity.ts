import type { AuditEvent } from '@svc/sdk';

export interface Bucket {
  readonly from: number;
  readonly succeeded: number;
  readonly failed: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LENGTHS: readonly (readonly [ms: number, name: string])[] = [
  [MINUTE, 'minute'],
  [5 * MINUTE, 'five minutes'],
  [15 * MINUTE, 'quarter of an hour'],
  [HOUR, 'hour'],
  [6 * HOUR, 'six hours'],
  [DAY, 'day'],
  [7 * DAY, 'week'],
  [28 * DAY, 'four weeks'],
];
const MAX_BUCKETS = 24;

/** Groups events into equal intervals of local time, oldest first, including empty ones. */
export function bucketsOf(events: readonly Pick<AuditEvent, 'createdAt' | 'status'>[]): {
  readonly each: string;
  readonly ms: number;
  readonly buckets: readonly Bucket[];
} {
  const times = events.map(({ createdAt }) => Date.parse(createdAt));
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  // Days begin at local midnight, not at midnight UTC.
  const shift = new Date(newest).getTimezoneOffset() * MINUTE;
  const startOf = (time: number, ms: number) => Math.floor((time - shift) / ms) * ms + shift;
  const count = (ms: number) => (startOf(newest, ms) - startOf(oldest, ms)) / ms + 1;
  const [ms, each] = LENGTHS.find(([length]) => count(length) <= MAX_BUCKETS) ?? (LENGTHS.at(-1) as never);
  const first = Math.max(startOf(oldest, ms), startOf(newest, ms) - (MAX_BUCKETS - 1) * ms);
  const buckets = Array.from({ length: Math.min(count(ms), MAX_BUCKETS) }, (_, at) => {
    const from = first + at * ms;
    const within = events.filter((_event, index) => startOf(times[index] as number, ms) === from);
    const failed = within.filter(({ status }) => status === 'failure').length;
    return { from, succeeded: within.length - failed, failed };
  });
  return { each, ms, buckets };
}
