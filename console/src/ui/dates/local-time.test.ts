import fc from 'fast-check';
import { expect, it } from 'vitest';
import { localOf, momentOf } from './local-time';

const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];
const FROM = Date.parse('2024-01-01T00:00:00Z') / 60_000;
const TO = Date.parse('2028-01-01T00:00:00Z') / 60_000;

it('finds a moment with the local time of each moment', () => {
  fc.assert(
    fc.property(fc.integer({ min: FROM, max: TO }), fc.constantFrom(...ZONES), (minute, zone) => {
      const local = localOf(minute * 60_000, zone);
      const found = momentOf(local, zone);
      expect(localOf(found, zone)).toBe(local);
      expect(found).toBeLessThanOrEqual(minute * 60_000);
    }),
  );
});

it('takes the first of an hour that comes twice, and counts a missing one from before the change', () => {
  const berlin = (local: string) => new Date(momentOf(local, 'Europe/Berlin')).toISOString();
  expect(berlin('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(berlin('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z');
});
