import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DELAYS_MS, nextAttemptAt, readRetryAfter } from './backoff.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-05-12T09:30:00.000Z');
const failed = (attempts: number, rest: object = {}) =>
  nextAttemptAt({ attempts, firstAt: NOW, now: NOW, retryAfterMs: 0, ordered: false, jitter: 0.5, ...rest });

describe('the next attempt', () => {
  it('follows after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, then never', () => {
    const hours = [5 / 3_600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24];
    expect(hours.map((_, at) => failed(at + 1))).toEqual(
      hours.map((count) => NOW + Math.round(count * HOUR_MS)),
    );
    expect(failed(10)).toBeUndefined();
  });

  it('is spread by a fifth in both directions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, jitter) => {
          const delay = (failed(attempts, { jitter }) as number) - NOW;
          const usual = DELAYS_MS[attempts - 1] as number;
          expect(delay).toBeGreaterThanOrEqual(Math.floor(usual * 0.8));
          expect(delay).toBeLessThanOrEqual(Math.ceil(usual * 1.2));
        },
      ),
    );
  });

  it('waits at least as long as the receiver asks', () => {
    expect(failed(1, { retryAfterMs: HOUR_MS })).toBe(NOW + HOUR_MS);
    expect(failed(4, { retryAfterMs: HOUR_MS })).toBe(NOW + 2 * HOUR_MS);
  });

  it('of an ordered webhook is never later than 24 hours after the first', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.nat(48 * HOUR_MS),
        fc.nat(24 * HOUR_MS),
        (attempts, passed, retryAfterMs) => {
          const at = failed(attempts, { firstAt: NOW - passed, retryAfterMs, ordered: true });
          if (at !== undefined) expect(at - (NOW - passed)).toBeLessThanOrEqual(24 * HOUR_MS);
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['999999999', 24 * HOUR_MS],
    ['Tue, 12 May 2026 09:31:00 GMT', 60_000],
    ['Tue, 12 May 2026 09:00:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
    ['1e9', 0],
    [undefined, 0],
  ])('%s is %i milliseconds', (value, ms) => {
    expect(readRetryAfter(value, NOW)).toBe(ms);
  });

  it('of any text is between 0 and 24 hours', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = readRetryAfter(value, NOW);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(24 * HOUR_MS);
      }),
    );
  });
});
