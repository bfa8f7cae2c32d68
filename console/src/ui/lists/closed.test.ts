import { expect, it } from 'vitest';
import { closed } from './closed';

it('ends the marks of direction that a text begins, and drops those that would end more', () => {
  expect(closed('Ada Lovelace')).toBe('Ada Lovelace');
  expect(closed('\u2067\u05d0\u2069 Ada')).toBe('\u2067\u05d0\u2069 Ada');
  expect(closed('\u202Egro.live\u2066 \u05d0')).toBe('\u202Egro.live\u2066 \u05d0\u2069');
  expect(closed('\u2066\u2068a')).toBe('\u2066\u2068a\u2069\u2069');
  expect(closed('\u2069\u202Elive\u2069')).toBe('\u202Elive');
});
