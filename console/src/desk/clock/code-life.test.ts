import { describe, expect, it } from 'vitest';
import { liveCode, secondsLeft } from './code-life';

const NEXT = Date.UTC(2026, 4, 12, 8, 0, 15);
const code = { value: 'svc://attend?c=1', refreshesAt: new Date(NEXT).toISOString() };

describe('a code', () => {
  it('is shown until the next one is three seconds late, and never again', () => {
    expect(liveCode(undefined, NEXT)).toBeUndefined();
    expect(liveCode(code, NEXT - 15_000)).toBe(code);
    expect(liveCode(code, NEXT + 2_999)).toBe(code);
    expect(liveCode(code, NEXT + 3_000)).toBeUndefined();
    expect(liveCode(code, NEXT + 86_400_000)).toBeUndefined();
  });

  it('counts whole seconds down to the next one, and no further', () => {
    expect([15_000, 14_001, 14_000, 1, 0, -2_000].map((ms) => secondsLeft(code, NEXT - ms))).toEqual([
      15, 15, 14, 1, 0, 0,
    ]);
  });
});
