import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter } from './rate-limit.js';

/** The rule itself: the times of what was counted, all of them. */
function naive(limit: number, windowMs: number) {
  let times: number[] = [];
  const current = (now: number) => {
    times = times.filter((time) => time > now - windowMs);
    return times;
  };
  return {
    hit(now: number) {
      const allowed = current(now).length < limit;
      if (allowed) times.push(now);
      return allowed;
    },
    state(now: number) {
      const counted = current(now);
      return {
        remaining: limit - counted.length,
        resetAt: counted.length === 0 ? now : counted[0]! + windowMs,
      };
    },
    refund(now: number) {
      current(now).pop();
    },
  };
}

describe('a sliding window', () => {
  it('lets through exactly what the rule lets through, and tells when it is free', () => {
    const step = fc.record({
      wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.constantFrom(49, 50, 51, 100)),
      act: fc.constantFrom('hit', 'hit', 'hit', 'peek', 'refund'),
      key: fc.constantFrom('a', 'b'),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        let now = 1_000_000;
        const limiter = createLimiter({ now: () => now });
        const models = { a: naive(limit, 50), b: naive(limit, 50) };
        let last: { key: 'a' | 'b'; now: number } | undefined;
        for (const { wait, act, key } of steps as { wait: number; act: string; key: 'a' | 'b' }[]) {
          now += wait;
          const model = models[key];
          if (act === 'hit') {
            const allowed = model.hit(now);
            expect(limiter.hit(key, limit, 50)).toMatchObject({ allowed, limit, ...model.state(now) });
            if (allowed) last = { key, now };
          } else if (act === 'refund') {
            // A refund follows its own hit.
            if (last?.key !== key || last.now !== now) continue;
            limiter.refund(key);
            model.refund(now);
            last = undefined;
          }
          const { remaining, resetAt } = model.state(now);
          const seen = limiter.peek(key, limit, 50);
          expect(seen).toEqual({
            allowed: remaining > 0,
            limit,
            remaining,
            resetAt,
            retryAt: remaining > 0 ? now : resetAt,
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is free again at the moment it said, when its limit has been lowered too', () => {
    let now = 0;
    const limiter = createLimiter({ now: () => now });
    for (now = 0; now < 10; now += 1) limiter.hit('a', 10, 100);
    const { retryAt, allowed } = limiter.hit('a', 3, 100);
    expect(allowed).toBe(false);
    now = retryAt - 1;
    expect(limiter.peek('a', 3, 100).allowed).toBe(false);
    now = retryAt;
    expect(limiter.peek('a', 3, 100).allowed).toBe(true);
  });

  it('does not let a clock that steps back open it', () => {
    let now = 1_000;
    const limiter = createLimiter({ now: () => now });
    limiter.hit('a', 2, 100);
    now = 900;
    expect(limiter.hit('a', 2, 100).allowed).toBe(true);
    expect(limiter.hit('a', 2, 100).allowed).toBe(false);
  });
});

describe('the table of windows', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  it('keeps a blocked key however many fresh ones come', () => {
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

  it('forgets the least recently used of the others first', () => {
    const limiter = createLimiter({ now: () => 0 }, 100);
    limiter.hit('old', 10, 1_000);
    limiter.hit('used', 10, 1_000);
    for (let key = 0; key < 98; key += 1) limiter.hit(`k${key}`, 10, 1_000);
    limiter.hit('used', 10, 1_000);
    limiter.hit('one more', 10, 1_000);
    expect(limiter.peek('old', 10, 1_000).remaining).toBe(10);
    expect(limiter.peek('used', 10, 1_000).remaining).toBe(8);
  });

  it('stays bounded under a flood of addresses', () => {
    const limiter = createLimiter({ now: () => 0 }, 5_000);
    for (let key = 0; key < 10_000; key += 1) limiter.hit(`a${key}`, 10, 1_000);
    const before = heap();
    for (let key = 0; key < 60_000; key += 1) limiter.hit(`b${key}`, 10, 1_000);
    expect(heap() - before).toBeLessThan(4 * 1024 * 1024);
  });

  it('counts one busy key in little memory', () => {
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
