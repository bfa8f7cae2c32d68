/**
 * Durations are counted in fixed buckets, so counts of different nodes and hours can be added. A bucket holds the durations up to its
 * bound and above the bound before it; the last also holds all that are longer. The columns of `usage_hours` have these names.
 */
export const BOUNDS_MS = [
  1, 2, 5, 10, 15, 20, 30, 50, 75, 100, 200, 500, 1_000, 2_000, 5_000, 30_000,
] as const;

export const emptyBuckets = (): number[] => BOUNDS_MS.map(() => 0);

export function bucketOf(ms: number): number {
  const at = BOUNDS_MS.findIndex((bound) => ms <= bound);
  return at < 0 ? BOUNDS_MS.length - 1 : at;
}

export const countOf = (buckets: readonly number[]): number => buckets.reduce((sum, n) => sum + n, 0);

/**
 * The duration that this share of the calls did not exceed, in whole milliseconds. It is in the same bucket as the exact value, which is
 * estimated as if the calls of a bucket were spread evenly over it. Null without calls.
 */
export function percentile(buckets: readonly number[], share: number): number | null {
  const rank = Math.max(1, Math.ceil(countOf(buckets) * share));
  let before = 0;
  for (const [at, bound] of BOUNDS_MS.entries()) {
    const inBucket = buckets[at] as number;
    if (before + inBucket >= rank) {
      const lower = BOUNDS_MS[at - 1] ?? 0;
      return Math.ceil(lower + ((bound - lower) * (rank - before)) / inBucket);
    }
    before += inBucket;
  }
  return null;
}
