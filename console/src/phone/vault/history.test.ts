import { expect, test } from 'vitest';
import { type HistoryEntry, oldestOf } from './history';

test('keeps the 100 newest entries of the history', () => {
  const entries = Array.from({ length: 103 }, (_, minute) => ({
    id: String(minute),
    at: new Date(minute * 60_000).toISOString(),
  })) as unknown as HistoryEntry[];
  expect(oldestOf(entries).map(({ id }) => id)).toEqual(['2', '1', '0']);
  expect(oldestOf(entries.slice(3))).toEqual([]);
});
