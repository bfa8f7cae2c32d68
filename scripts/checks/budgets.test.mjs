import { describe, expect, it } from 'vitest';
import { judge, raisedSilently, secondsIn, withoutBudget } from './budgets.mjs';

const budget = (/** @type {Partial<import('./budgets.mjs').Budget>} */ over = {}) => ({
  name: 'write',
  unit: 'times the plain server',
  limit: 4,
  measured: 3.8,
  reason: 'as before',
  ...over,
});
const cpu = budget({ depends: 'cpu' });
const verdict = (/** @type {readonly number[]} */ values, isSteady = true, of = cpu) =>
  judge([of], { write: values }, isSteady)[0];

describe('a budget', () => {
  it('is red one per cent above its limit, and not at it', () => {
    expect(verdict([4])).toMatchObject({ isRed: false });
    expect(verdict([4.04])).toMatchObject({
      isRed: true,
      line: 'write: 4.04 times the plain server, limit 4 EXCEEDED',
    });
  });

  it('that was measured three times is red if it was exceeded twice', () => {
    expect(verdict([9, 3, 4])).toMatchObject({ isRed: false });
    expect(verdict([9, 3, 5])).toMatchObject({ isRed: true });
  });

  it('is red if it was not measured', () => {
    expect(verdict([])).toMatchObject({ isRed: true, line: 'write: not measured' });
    expect(judge([cpu], {}, true)).toMatchObject([{ isRed: true }]);
    // The largest of no pages, and a share of nothing.
    for (const value of [-Infinity, Number.NaN]) expect(verdict([value])).toMatchObject({ isRed: true });
  });

  it('of CPU is not judged if the machine changed during the run, and others are', () => {
    expect(verdict([9], false)).toMatchObject({
      isRed: false,
      line: expect.stringContaining('not judged: the machine changed'),
    });
    expect(verdict([9], false, budget())).toMatchObject({ isRed: true });
  });

  it('can be lowered, and raised with a new reason', () => {
    const before = [budget()];
    expect(raisedSilently([budget({ limit: 3 })], before)).toEqual([]);
    expect(raisedSilently([budget({ limit: 5, reason: 'records have a digest' })], before)).toEqual([]);
    expect(raisedSilently([budget({ limit: 5 })], before)).toHaveLength(1);
    expect(raisedSilently([budget({ name: 'another' })], before)).toEqual([]);
  });

  it('cannot be removed while its figure is measured', () => {
    expect(withoutBudget([budget()], { write: [3] })).toEqual([]);
    expect(withoutBudget([budget()], { write: [3], list: [1] })).toEqual(['list']);
  });

  it('of a whole run adds up what bash says of itself and of its children', () => {
    expect(secondsIn('0m0.250s 0m0.500s\n2m3.000s 1m0.250s\n')).toBe(184);
  });
});
