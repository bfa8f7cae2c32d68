import { expect, it } from 'vitest';
import { groupsOf } from './groups';

it('puts equal neighbours together, and keeps the order', () => {
  const grouped = groupsOf(['a1', 'a2', 'b1', 'a3'], (text) => text.charAt(0));
  expect(grouped.map(({ first, items }) => [first, items])).toEqual([
    ['a1', ['a1', 'a2']],
    ['b1', ['b1']],
    ['a3', ['a3']],
  ]);
  expect(groupsOf([], String)).toEqual([]);
});
