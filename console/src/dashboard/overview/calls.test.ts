import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCalls, hoursOf, type Point, successOf } from './calls';

const START = Date.parse('2026-05-12T00:00:00.000Z');
const point = (hour: number, key: string, count: number): Point => ({
  at: new Date(START + hour * 3_600_000).toISOString(),
  key,
  count,
  p50: null,
  p95: null,
});

describe('the calls of the overview', () => {
  it('are added up by hour, with 4xx and 5xx as failures', () => {
    const series = [point(1, '201', 5), point(0, '200', 3), point(0, '401', 2), point(0, '500', 1)];
    expect(hoursOf(series)).toEqual([
      { at: START, succeeded: 3, failed: 3 },
      { at: START + 3_600_000, succeeded: 5, failed: 0 },
    ]);
  });

  it('count each call of a series once', () => {
    const points = fc.array(
      fc.record({ hour: fc.nat(47), key: fc.constantFrom('200', '399', '400', '503'), count: fc.nat(1000) }),
    );
    fc.assert(
      fc.property(points, (all) => {
        const hours = hoursOf(all.map(({ hour, key, count }) => point(hour, key, count)));
        expect(compareCalls(hours, 48).now).toBe(all.reduce((sum, { count }) => sum + count, 0));
      }),
    );
  });

  it('are compared with the same number of hours before', () => {
    const hours = hoursOf([point(0, '200', 1), point(1, '200', 2), point(2, '200', 4), point(3, '200', 8)]);
    expect(compareCalls(hours, 2)).toEqual({ now: 12, before: 3 });
  });

  it('have no success rate if there are none', () => {
    expect(successOf(hoursOf([point(0, '200', 0)]))).toBeUndefined();
    expect(successOf(hoursOf([point(0, '200', 3), point(0, '404', 1)]))).toBe(0.75);
  });
});
