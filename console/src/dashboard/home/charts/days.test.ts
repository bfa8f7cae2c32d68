import { describe, expect, it } from 'vitest';
import { successOf, totalOf } from './days';

const day = (pass: number, fail: number, challenge = 0) => ({ day: '2026-05-12', pass, fail, challenge });

describe('the success rate of days', () => {
  it('is the share that passed of those that passed or failed', () => {
    expect(successOf([day(3, 1, 5)])).toBe(0.75);
    expect(successOf([day(1, 0), day(0, 1)])).toBe(0.5);
  });

  it('is unknown without any, also if there are only challenges', () => {
    expect(successOf([])).toBeUndefined();
    expect(successOf([day(0, 0, 4)])).toBeUndefined();
  });

  it('is 100 % only if none failed', () => {
    expect(successOf([day(1_000_000, 1)])).toBe(0.999);
    expect(successOf([day(7, 0)])).toBe(1);
  });
});

it('counts every result in the total of days', () => {
  expect(totalOf([day(3, 2, 1), day(4, 0, 0)])).toBe(10);
});
