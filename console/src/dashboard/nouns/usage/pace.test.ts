import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceOf } from './pace';

const DAY_MS = 86_400_000;
const at = (text: string) => Date.parse(text);
const endOf = (now: number) => Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + 1);

const months = fc
  .record({
    now: fc.integer({ min: at('2026-01-01'), max: at('2030-01-01') }),
    limit: fc.integer({ min: 1, max: 10 ** 9 }),
    share: fc.double({ min: 0, max: 2, noNaN: true }),
  })
  .map(({ now, limit, share }) => ({ now, limit, used: Math.floor(limit * share) }));

describe('the pace of a month’s quota', () => {
  it('says when the quota is used up, if that is in this month', () => {
    const now = at('2026-05-11T00:00:00Z');
    expect(paceOf({ used: 500, limit: 1_000 }, now)?.usedUpAt).toBe(at('2026-05-21T00:00:00Z'));
    expect(paceOf({ used: 100, limit: 1_000 }, now)?.usedUpAt).toBeUndefined();
    expect(paceOf({ used: 0, limit: 1_000 }, now)?.usedUpAt).toBeUndefined();
    expect(paceOf({ used: 1_000, limit: 1_000 }, now)?.usedUpAt).toBe(now);
    expect(paceOf({ used: 5, limit: null }, now)).toBeUndefined();
  });

  it('does not extrapolate from the first hours of a month', () => {
    const now = at('2026-05-01T01:00:00Z');
    expect(paceOf({ used: 20, limit: 1_000 }, now)?.usedUpAt).toBeUndefined();
    expect(paceOf({ used: 100, limit: 1_000 }, now)?.usedUpAt).toBe(now + 9 * DAY_MS);
  });

  it('ends in this month, and never before now', () => {
    fc.assert(
      fc.property(months, ({ now, ...month }) => {
        const usedUpAt = paceOf(month, now)?.usedUpAt;
        if (usedUpAt === undefined) return;
        expect(usedUpAt).toBeGreaterThanOrEqual(now);
        expect(usedUpAt).toBeLessThan(endOf(now));
      }),
    );
  });

  it('ends no later if more is used, and no earlier if more is allowed', () => {
    const time = (month: { used: number; limit: number }, now: number) =>
      paceOf(month, now)?.usedUpAt ?? Number.POSITIVE_INFINITY;
    fc.assert(
      fc.property(months, fc.nat(1_000), ({ now, used, limit }, more) => {
        expect(time({ used: used + more, limit }, now)).toBeLessThanOrEqual(time({ used, limit }, now));
        expect(time({ used, limit: limit + more }, now)).toBeGreaterThanOrEqual(time({ used, limit }, now));
      }),
    );
  });
});
