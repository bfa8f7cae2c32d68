import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOUNDS_MS, bucketOf, countOf, emptyBuckets, percentile } from './histogram.js';

const LAST_MS = BOUNDS_MS.at(-1) as number;

function bucketsOf(durations: readonly number[]): number[] {
  const buckets = emptyBuckets();
  for (const ms of durations) buckets[bucketOf(ms)] = (buckets[bucketOf(ms)] as number) + 1;
  return buckets;
}

/** The exact value: the smallest duration that this share of all does not exceed. */
const exact = (durations: readonly number[], share: number): number =>
  durations.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(durations.length * share)) - 1] as number;

describe('a histogram of durations', () => {
  it('has percentiles in the bucket of the exact value, however the calls were divided before they were added', () => {
    const duration = fc.oneof(
      fc.nat(40),
      fc.nat(2_000),
      fc.nat(LAST_MS + 5_000),
      fc.constantFrom(...BOUNDS_MS),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(duration, { maxLength: 40 }), { maxLength: 6 }),
        fc.constantFrom(0.5, 0.95),
        (hours, share) => {
          const all = hours.flat();
          const merged = hours
            .map(bucketsOf)
            .reduce((sum, hour) => sum.map((n, at) => n + (hour[at] as number)), emptyBuckets());
          expect(merged).toEqual(bucketsOf(all));
          expect(countOf(merged)).toBe(all.length);
          const value = percentile(merged, share);
          if (all.length === 0) expect(value).toBeNull();
          else expect(bucketOf(value as number)).toBe(bucketOf(exact(all, share)));
          expect(value).toBe(value && Math.trunc(value));
        },
      ),
    );
  });

  it('counts what is longer than its last bound as that long', () => {
    expect(percentile(bucketsOf([LAST_MS * 10]), 0.5)).toBe(LAST_MS);
  });

  it('has a greater or equal percentile for a greater share', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(LAST_MS), { minLength: 1 }), (durations) => {
        const buckets = bucketsOf(durations);
        expect(percentile(buckets, 0.95)).toBeGreaterThanOrEqual(percentile(buckets, 0.5) as number);
      }),
    );
  });
});
