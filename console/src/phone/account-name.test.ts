import { expect, test } from 'vitest';
import { readAccountName } from './account-name';

test('an account name has no control characters and no marks that turn the text around it', () => {
  expect(readAccountName('  Muster\u202e AG\u0007\u200b ')).toBe('Muster AG');
  expect(readAccountName(' \u200b ')).toBeUndefined();
  expect(readAccountName(null)).toBeUndefined();
});

test('an account name is cut after 80 characters', () => {
  expect(readAccountName('é'.repeat(80))).toBe('é'.repeat(80));
  expect(readAccountName('é'.repeat(81))).toBe(`${'é'.repeat(80)}…`);
});
