import { expect, test } from 'vitest';
import { type Approval, oldestOf } from './approvals';

test('keeps the 100 newest entries of the history', () => {
  const approvals = Array.from({ length: 103 }, (_, minute) => ({
    id: String(minute),
    at: new Date(minute * 60_000).toISOString(),
  })) as unknown as Approval[];
  expect(oldestOf(approvals).map(({ id }) => id)).toEqual(['2', '1', '0']);
  expect(oldestOf(approvals.slice(3))).toEqual([]);
});
