import { expect, test } from 'vitest';
import { remaining } from './remaining';

test('shows hours and minutes, and seconds only in the last minute', () => {
  expect([1, 59, 60, 3599, 3600, 86_399, 604_800].map(remaining)).toEqual([
    '1 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h 0 min',
    '23 h 59 min',
    '168 h 0 min',
  ]);
});
