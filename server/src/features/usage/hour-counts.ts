import type { Environment } from '../../model/environment.js';
import { bucketOf, emptyBuckets } from './histogram.js';
import type { RecentCall } from './usage.store.js';

const HOUR_MS = 60 * 60_000;
/** Rows that wait to be written. While the database is down few calls are counted, so more are unlikely. */
const MAX_ROWS = 5_000;

/** The calls of a key in an hour, to one endpoint with one status. */
export interface HourCount {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly hour: Date;
  /** Method and route pattern. */
  readonly endpoint: string;
  readonly status: number;
  readonly keyId: string;
  /** Calls by duration. See histogram.ts. */
  readonly buckets: readonly number[];
}

export interface HourCounts {
  /** Returns false if the call cannot be counted, because too many rows wait. */
  add(call: RecentCall): boolean;
  /** All counts since the last time. */
  take(): HourCount[];
  /** Adds counts that could not be written. */
  restore(counts: readonly HourCount[]): void;
}

interface Entry extends HourCount {
  readonly buckets: number[];
}

/** Adds calls up in memory, so that a flush writes a row for each hour, endpoint, status and key instead of one for each call. */
export function createHourCounts(): HourCounts {
  let entries = new Map<string, Entry>();
  const keyOf = ({ keyId, status, endpoint }: Omit<HourCount, 'buckets' | 'hour'>, hour: number) =>
    `${keyId} ${hour} ${status} ${endpoint}`;

  return {
    add({ tenantId, environment, method, endpoint: path, status, keyId, at, durationMs }) {
      const hour = at - (at % HOUR_MS);
      const call = { tenantId, environment, endpoint: `${method} ${path}`, status, keyId };
      const key = keyOf(call, hour);
      let entry = entries.get(key);
      if (entry === undefined) {
        if (entries.size >= MAX_ROWS) return false;
        entry = { ...call, hour: new Date(hour), buckets: emptyBuckets() };
        entries.set(key, entry);
      }
      const bucket = bucketOf(durationMs);
      entry.buckets[bucket] = (entry.buckets[bucket] as number) + 1;
      return true;
    },
    take() {
      const taken = [...entries.values()];
      entries = new Map();
      return taken;
    },
    restore(counts) {
      for (const count of counts) {
        const key = keyOf(count, count.hour.getTime());
        const since = entries.get(key)?.buckets;
        if (since === undefined && entries.size >= MAX_ROWS) continue;
        entries.set(key, { ...count, buckets: count.buckets.map((n, at) => n + (since?.[at] ?? 0)) });
      }
    },
  };
}
