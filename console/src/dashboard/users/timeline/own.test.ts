import { UserRoundPlus } from 'lucide-react';
import { expect, it } from 'vitest';
import { withOwn } from './own';

const at = (...times: readonly string[]) =>
  times.map((time) => ({ id: time, at: time, icon: UserRoundPlus, tone: 'plain' as const, pieces: [] }));
const timesOf = (...args: Parameters<typeof withOwn>) => withOwn(...args).map(({ at: time }) => time);

it('has own rows between the others, newest first', () => {
  expect(timesOf(at('5', '3', '1'), at('4', '2'), true)).toEqual(['5', '4', '3', '2', '1']);
});

it('has no own row before the rows that are newer than it were read', () => {
  expect(timesOf(at('5', '3'), at('4', '2'), false)).toEqual(['5', '4', '3']);
  expect(timesOf(at('5', '3', '1'), at('4', '2'), false)).toEqual(['5', '4', '3', '2', '1']);
  expect(timesOf([], at('4', '2'), true)).toEqual(['4', '2']);
});
