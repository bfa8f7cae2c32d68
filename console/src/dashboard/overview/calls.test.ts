import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { hoursOf, type Point, successOf, verificationsOf } from './calls';

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
        const counted = hours.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
        expect(counted).toBe(all.reduce((sum, { count }) => sum + count, 0));
      }),
    );
  });

  it('have no success rate if there are none', () => {
    expect(successOf(hoursOf([point(0, '200', 0)]))).toBeUndefined();
    expect(successOf(hoursOf([point(0, '200', 3), point(0, '404', 1)]))).toBe(0.75);
  });
});

test('verifications of all endpoints are added up by day, with the time of proofs', () => {
  const series = [
    point(24, 'POST /v1/verifications', 2),
    { ...point(24, 'POST /v1/identity/verify', 3), p50: 7 },
    point(0, 'POST /v1/devices', 9),
  ];
  expect(verificationsOf(series)).toEqual([
    { count: 0, time: null },
    { count: 5, time: 7 },
  ]);
});
