import { expect, test } from 'vitest';
import { timeLeft } from './time-left';

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [86_399, '23 h'],
  [86_400, '24 h'],
  [172_799, '47 h'],
  [172_800, '2 days'],
  [604_800, '7 days'],
])('%d seconds are %s', (seconds, text) => expect(timeLeft(seconds)).toBe(text));
