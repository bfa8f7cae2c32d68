import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvalIdIn } from './receipt-file';

const id = '01a21da2-58ae-7365-a987-88a891bd845d';

test('finds the approval of a receipt', () => {
  expect(approvalIdIn(JSON.stringify({ statement: { approvalId: id } }))).toBe(id);
});

test('finds none in any other file', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    '{"statement":null}',
    '{"statement":{"approvalId":"../users"}}',
    '{',
  ])
    expect(approvalIdIn(text)).toBeUndefined();
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(approvalIdIn(text)).toBeUndefined();
    }),
  );
});
