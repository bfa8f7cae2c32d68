const DAY_MS = 86_400_000;

export interface Pace {
  readonly used: number;
  readonly limit: number;
  /** When the quota is used up at the pace of the month so far, or the present if it is. Undefined: not in this month. */
  readonly usedUpAt: number | undefined;
}

/**
 * How fast the quota of a month is used, which begins and ends at midnight UTC. The first day counts as a whole one, because its first
 * hours say little. Undefined without a limit.
 */
export function paceOf(
  { used, limit }: { readonly used: number; readonly limit: number | null },
  now: number,
): Pace | undefined {
  if (limit === null) return undefined;
  if (used >= limit) return { used, limit, usedUpAt: now };
  const today = new Date(now);
  const start = Date.UTC(today.getUTCFullYear(), today.getUTCMonth());
  const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1);
  const elapsed = Math.max(DAY_MS, now - start);
  const usedUpAt = now + ((limit - used) * elapsed) / used;
  return { used, limit, usedUpAt: used > 0 && usedUpAt < end ? usedUpAt : undefined };
}
