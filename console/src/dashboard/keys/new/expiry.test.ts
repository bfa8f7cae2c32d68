import { expect, test } from 'vitest';
import { expiresAt, isSoon } from './expiry';

const NOW = Date.parse('2026-05-12T09:30:00.000Z');

test('counts the days from now, and lets a date end in the time zone of the reader', () => {
  expect(expiresAt('never', '', NOW)).toBeUndefined();
  expect(expiresAt('30d', '', NOW)).toBe('2026-06-11T09:30:00.000Z');
  expect(expiresAt('90d', '', NOW)).toBe('2026-08-10T09:30:00.000Z');
  expect(expiresAt('1y', '', NOW)).toBe('2027-05-12T09:30:00.000Z');
  expect(expiresAt('date', '2026-06-01', NOW)).toBe(new Date(2026, 5, 1, 23, 59, 59, 999).toISOString());
  expect(expiresAt('date', '', NOW)).toBeUndefined();
});

test('warns of the last two weeks', () => {
  expect(isSoon('2026-05-26T09:29:00.000Z', NOW)).toBe(true);
  expect(isSoon('2026-05-26T09:30:00.000Z', NOW)).toBe(false);
});
