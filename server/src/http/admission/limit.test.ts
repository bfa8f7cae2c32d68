import { describe, expect, it } from 'vitest';
import { FULL_BATCH, MAX_WAITING } from './admission.js';
import { type Load, nextLimit, nextMaxWaiting } from './limit.js';

const idle: Load = { loop: 0.2, database: 0, verifier: 0 };
/** The limit after many steps under the same load. */
const after = (limit: number, load: Load) => {
  let at = limit;
  for (let n = 0; n < 200; n++) at = nextLimit(at, load);
  return at;
};

describe('the number of requests that a node works on', () => {
  it('grows while the event loop is idle, so requests that wait for another system do not stop the others', () => {
    expect(nextLimit(FULL_BATCH, idle)).toBeGreaterThan(FULL_BATCH);
    expect(after(FULL_BATCH, idle)).toBe(1_024);
  });

  it('falls while requests wait for a database connection', () => {
    expect(nextLimit(FULL_BATCH, { ...idle, database: 3 })).toBeLessThan(FULL_BATCH);
    expect(after(FULL_BATCH, { ...idle, database: 3 })).toBe(16);
  });

  it('is a full batch while the event loop is busy', () => {
    const busy = { ...idle, loop: 1 };
    expect([after(16, busy), after(1_000, busy)]).toEqual([FULL_BATCH, FULL_BATCH]);
  });

  it('does not grow while proofs wait for a verifier thread', () => {
    expect(nextLimit(FULL_BATCH, { ...idle, verifier: 40 })).toBe(FULL_BATCH);
  });
});

it.each([
  [0, FULL_BATCH],
  [1_000, 500],
  [1_601, 801],
  [100_000, MAX_WAITING],
])('a node that serves %i requests a second lets %i wait', (servedPerSecond, waiting) => {
  expect(nextMaxWaiting(servedPerSecond)).toBe(waiting);
});
