import { expect, test } from 'vitest';
import { readAccountName } from './account-name.js';

test('removes control characters and direction marks from an account name', () => {
  expect(readAccountName('  Muster\u202e AG\u0007\u200b ')).toBe('Muster AG');
  expect(readAccountName(' \u200b ')).toBeUndefined();
  expect(readAccountName(null)).toBeUndefined();
});

test('truncates an account name after 80 characters', () => {
  expect(readAccountName('é'.repeat(80))).toBe('é'.repeat(80));
  expect(readAccountName('é'.repeat(81))).toBe(`${'é'.repeat(80)}…`);
});
