import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupsOf, outcomesOf, type Point, queryOf, RANGES, type Range } from './series';

const START = Date.parse('2026-05-12T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const point = (hour: number, key: string, count: number): Point => ({
  at: new Date(START + hour * HOUR_MS).toISOString(),
  key,
  count,
  p50: null,
  p95: null,
});

describe('the charts of the usage page', () => {
  it('request whole hours or days that end with the present one', () => {
    const now = Date.parse('2026-05-12T09:30:00.000Z');
    expect(queryOf('24h', now)).toEqual({ step: 'hour', from: '2026-05-11T10:00:00.000Z' });
    expect(queryOf('7d', now)).toEqual({ step: 'hour', from: '2026-05-05T10:00:00.000Z' });
    expect(queryOf('30d', now)).toEqual({ step: 'day', from: '2026-04-13T00:00:00.000Z' });
    expect(queryOf('90d', now)).toEqual({ step: 'day', from: '2026-02-12T00:00:00.000Z' });
  });

  it('never request more than the service keeps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: START, max: START + 10 ** 12 }),
        fc.constantFrom<Range[]>(...(Object.keys(RANGES) as Range[])),
        (now, range) => {
          const { from, step } = queryOf(range, now);
          const age = now - Date.parse(from);
          expect(age).toBeLessThanOrEqual((step === 'hour' ? 14 : 90) * 24 * HOUR_MS);
        },
      ),
    );
  });

  it('count each call once, by the class of its status', () => {
    const series = [
      point(1, '201', 5),
      point(0, '200', 3),
      point(0, '302', 1),
      point(0, '404', 2),
      point(0, '500', 1),
    ];
    expect(outcomesOf(series)).toEqual([
      { at: START, succeeded: 4, rejected: 2, failed: 1 },
      { at: START + HOUR_MS, succeeded: 5, rejected: 0, failed: 0 },
    ]);
  });

  it('list the groups with the most calls first, with their shares', () => {
    const series = [point(0, 'a', 1), point(1, 'a', 1), point(0, 'b', 6), point(0, 'c', 0)];
    expect(groupsOf(series)).toEqual([
      { key: 'b', count: 6, share: 0.75 },
      { key: 'a', count: 2, share: 0.25 },
      { key: 'c', count: 0, share: 0 },
    ]);
    expect(groupsOf([point(0, 'a', 0)])).toEqual([{ key: 'a', count: 0, share: 0 }]);
  });
});
