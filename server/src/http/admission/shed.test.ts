import { describe, expect, it } from 'vitest';
import { createTimeBudget } from './shed.js';

describe('a time budget', () => {
  it('may be spent in a burst, and is refilled by its share of the time that passes, up to the burst', () => {
    const budget = createTimeBudget(0.1, 20);
    expect(budget.hasLeft(1_000)).toBe(true);
    budget.spend(20);
    expect(budget.hasLeft(1_000)).toBe(false);
    expect(budget.hasLeft(1_010)).toBe(true);
    budget.spend(1);
    expect(budget.hasLeft(1_010)).toBe(false);
    expect(budget.hasLeft(60_000)).toBe(true);
    budget.spend(20);
    expect(budget.hasLeft(60_000)).toBe(false);
  });

  it('is never overdrawn by more than the burst', () => {
    const budget = createTimeBudget(0.1, 20);
    for (let n = 0; n < 1_000; n++) budget.spend(5);
    expect(budget.hasLeft(0)).toBe(false);
    expect(budget.hasLeft(201)).toBe(true);
  });
});
