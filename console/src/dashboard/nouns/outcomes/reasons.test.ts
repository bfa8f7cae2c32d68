import { expect, test } from 'vitest';
import { reasonsOf } from './reasons';

test('names why verifications failed in words, the most frequent reason first', () => {
  expect(
    reasonsOf([
      { method: 'face', reason: 'no match', count: 3 },
      { method: 'zkp', reason: 'wrong_number', count: 4 },
      { method: 'fingerprint', reason: 'no match', count: 2 },
      { method: 'manual', reason: null, count: 1 },
    ]),
  ).toEqual([
    { name: 'no match', reason: 'no match', count: 5 },
    { name: 'Wrong number', reason: 'wrong_number', count: 4 },
    { name: 'No reason recorded', reason: undefined, count: 1 },
  ]);
});

test('leaves the account’s own text as it is, also if it is a code of the service', () => {
  expect(reasonsOf([{ method: 'manual', reason: 'expired', count: 1 }])).toEqual([
    { name: 'expired', reason: 'expired', count: 1 },
  ]);
});
