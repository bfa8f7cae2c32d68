import { expect, test } from 'vitest';
import { isTyped } from './typed-name';

test('a name is typed as it reads, whatever spaces and invisible characters it has', () => {
  expect(isTyped(' Ada Lovelace ', 'Ada  Lovelace')).toBe(true);
  expect(isTyped('José', 'Jose\u0301')).toBe(true);
  expect(isTyped('gro.live عبد', '\u202Egro.live\u2066 عبد')).toBe(true);
  expect(isTyped('Ada Lovelac', 'Ada Lovelace')).toBe(false);
  expect(isTyped('ada lovelace', 'Ada Lovelace')).toBe(false);
});

test('nothing is never a name', () => {
  expect(isTyped('', '')).toBe(false);
  expect(isTyped(' ', '\u200B')).toBe(false);
});
