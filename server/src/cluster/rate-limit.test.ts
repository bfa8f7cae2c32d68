import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeLimiter } from '../../test/support/contract/limiter-contract.js';
import { createLimiter, hitAll } from './rate-limit.js';

describeLimiter((clock) => createLimiter(clock), 300);

describe('a request in several windows', () => {
  it('counts in all or in none, and returns the window that decided', async () => {
    const limiter = createLimiter({ now: () => 0 });
    const small = ['small', 2, 1_000] as const;
    const large = ['large', 3, 2_000] as const;
    const left = () =>
      [small, large].map(([key, limit, windowMs]) => limiter.peek(key, limit, windowMs).remaining);
    for (const [first, second] of [
      [small, large],
      [large, small],
    ] as const)
      expect((await hitAll(limiter, first, second)).allowed).toBe(true);
    expect(left()).toEqual([0, 1]);
    for (const [first, second] of [
      [small, large],
      [large, small],
    ] as const)
      expect(await hitAll(limiter, first, second)).toMatchObject({
        allowed: false,
        limit: 2,
        retryAt: 1_000,
      });
    expect(left()).toEqual([0, 1]);
  });

  it('counts in none of them after a refund', async () => {
    const limiter = createLimiter({ now: () => 0 });
    const windows = [
      ['first', 2, 1_000],
      ['second', 2, 1_000],
      ['third', 2, 1_000],
    ] as const;
    await hitAll(limiter, ...windows);
    const hit = await hitAll(limiter, ...windows);
    await hit.refund();
    expect(windows.map(([key, limit, windowMs]) => limiter.peek(key, limit, windowMs).remaining)).toEqual([
      1, 1, 1,
    ]);
  });
});

describe('the table of windows', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  it('keeps a blocked key however many new keys arrive', () => {
    let now = 0;
    const limiter = createLimiter({ now: () => now }, 1_000);
    for (let hit = 0; hit < 10; hit += 1) limiter.hit('blocked', 10, 60_000);
    for (let key = 0; key < 20_000; key += 1) {
      now += 1;
      limiter.hit(`fresh ${key}`, 10, 60_000);
    }
    expect(limiter.peek('blocked', 10, 60_000).allowed).toBe(false);
    expect(limiter.hit('blocked', 10, 60_000).allowed).toBe(false);
    now = 60_000;
    expect(limiter.hit('blocked', 10, 60_000).allowed).toBe(true);
  });

  it('evicts the least recently used of the other keys first', () => {
    const limiter = createLimiter({ now: () => 0 }, 100);
    limiter.hit('old', 10, 1_000);
    limiter.hit('used', 10, 1_000);
    for (let key = 0; key < 98; key += 1) limiter.hit(`k${key}`, 10, 1_000);
    limiter.hit('used', 10, 1_000);
    limiter.hit('one more', 10, 1_000);
    expect(limiter.peek('old', 10, 1_000).remaining).toBe(10);
    expect(limiter.peek('used', 10, 1_000).remaining).toBe(8);
  });

  it('stays bounded under a flood of addresses', { tags: ['ci'] }, () => {
    const limiter = createLimiter({ now: () => 0 }, 5_000);
    for (let key = 0; key < 10_000; key += 1) limiter.hit(`a${key}`, 10, 1_000);
    const before = heap();
    for (let key = 0; key < 60_000; key += 1) limiter.hit(`b${key}`, 10, 1_000);
    expect(heap() - before).toBeLessThan(4 * 1024 * 1024);
  });

  it('counts one busy key in little memory', { tags: ['ci'] }, () => {
    let now = 0;
    const limiter = createLimiter({ now: () => now });
    const before = heap();
    for (let hit = 0; hit < 100_000; hit += 1) {
      now += 1;
      limiter.hit('busy', 1_000, 900);
    }
    expect(heap() - before).toBeLessThan(4 * 1024 * 1024);
    expect(limiter.peek('busy', 1_000, 900).remaining).toBe(100);
  });
});
