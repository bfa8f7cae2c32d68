import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { databaseClock } from './database-clock.js';
import type { Database } from './db.js';

/** The node's monotonic clock, and a database whose clock is ahead of it. Its response takes as long as the test says. */
function setUp(ahead: number) {
  const state = { now: 1_000_000, ahead, request: 0, response: 0 };
  const db = {
    query: async () => {
      state.now += state.request;
      const now = new Date(state.now + state.ahead);
      state.now += state.response;
      return [{ now }];
    },
  } as unknown as Database;
  const clock = databaseClock(db, () => state.now);
  const sync = (request: number, response: number) => {
    Object.assign(state, { request, response });
    return clock.sync();
  };
  return { state, sync, error: () => clock.now() - (state.now + state.ahead) };
}

describe('the database’s clock', () => {
  it('is not moved by a measurement that took long, because a busy node sends and reads late', async () => {
    const { sync, error } = setUp(5_000);
    await sync(1, 1);
    expect(Math.abs(error())).toBeLessThanOrEqual(1);
    await sync(4_000, 1);
    expect(Math.abs(error())).toBeLessThanOrEqual(1);
    await sync(1, 4_000);
    expect(Math.abs(error())).toBeLessThanOrEqual(1);
  });

  it('follows a database whose clock was set, forwards and backwards', async () => {
    const { state, sync, error } = setUp(0);
    await sync(1, 1);
    for (const ahead of [60_000, -60_000]) {
      state.ahead = ahead;
      await sync(1, 1);
      expect(Math.abs(error())).toBeLessThanOrEqual(1);
    }
  });

  it('is never further off than the fastest measurement since the database’s clock was set', async () => {
    const time = fc.integer({ min: 0, max: 5_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.array(fc.tuple(time, time), { minLength: 1, maxLength: 20 }),
        async (ahead, trips) => {
          const { sync, error } = setUp(ahead);
          for (const [request, response] of trips) await sync(request, response);
          expect(Math.abs(error())).toBeLessThanOrEqual(Math.min(...trips.map(([out, back]) => out + back)));
        },
      ),
    );
  });
});
