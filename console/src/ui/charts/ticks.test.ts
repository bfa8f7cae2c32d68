import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ticksUpTo } from './ticks';

describe('the ticks of a chart', () => {
  it('are round numbers', () => {
    expect(ticksUpTo(1)).toEqual([0, 1]);
    expect(ticksUpTo(7)).toEqual([0, 2, 4, 6, 8]);
    expect(ticksUpTo(151)).toEqual([0, 50, 100, 150, 200]);
    expect(ticksUpTo(61_204)).toEqual([0, 20_000, 40_000, 60_000, 80_000]);
  });

  it('are at most six whole numbers from 0 to the largest value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (most) => {
        const ticks = ticksUpTo(most);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
        expect(ticks.at(-2)).toBeLessThan(most);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.every(Number.isInteger)).toBe(true);
      }),
    );
  });
});
