import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/base/clock.js';
import type { Hit, Limiter } from '../../../src/cluster/rate-limit.js';

/** The reference implementation: it stores the time of every counted hit. */
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

/** Tests every limiter must pass. `create` returns a limiter without hits. */
export function describeLimiter(create: (clock: Clock) => Limiter, numRuns: number): void {
  describe('a sliding window', () => {
    it('allows exactly the hits that the reference allows, and returns when the next one is allowed', async () => {
      const step = fc.record({
        wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.constantFrom(49, 50, 51, 100)),
        act: fc.constantFrom('hit', 'hit', 'hit', 'peek', 'refund'),
        key: fc.constantFrom('a', 'b'),
      });
      const run = async (limit: number, steps: { wait: number; act: string; key: 'a' | 'b' }[]) => {
        let now = 1_000_000;
        const limiter = create({ now: () => now });
        const models = { a: naive(limit, 50), b: naive(limit, 50) };
        let last: { key: 'a' | 'b'; now: number; hit: Hit } | undefined;
        for (const { wait, act, key } of steps) {
          now += wait;
          const model = models[key];
          if (act === 'hit') {
            const allowed = model.hit(now);
            const hit = await limiter.hit(key, limit, 50);
            expect(hit).toMatchObject({ allowed, limit, ...model.state(now) });
            if (allowed) last = { key, now, hit };
          } else if (act === 'refund') {
            // A refund is valid only directly after its hit.
            if (last?.key !== key || last.now !== now) continue;
            const state = await last.hit.refund();
            model.refund(now);
            expect(state).toMatchObject({ limit, ...model.state(now) });
            last = undefined;
          }
          const { remaining, resetAt } = model.state(now);
          const seen = await limiter.peek(key, limit, 50);
          expect(seen).toEqual({
            allowed: remaining > 0,
            limit,
            remaining,
            resetAt,
            retryAt: remaining > 0 ? now : resetAt,
          });
        }
      };
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (limit, steps) =>
          run(limit, steps as Parameters<typeof run>[1]),
        ),
        { numRuns },
      );
    });

    it('allows a hit again exactly at retryAt, also after the limit was lowered', async () => {
      let now = 0;
      const limiter = create({ now: () => now });
      for (now = 1; now < 11; now += 1) await limiter.hit('a', 10, 100);
      const { retryAt, allowed } = await limiter.hit('a', 3, 100);
      expect(allowed).toBe(false);
      now = retryAt - 1;
      expect((await limiter.peek('a', 3, 100)).allowed).toBe(false);
      now = retryAt;
      expect((await limiter.peek('a', 3, 100)).allowed).toBe(true);
    });

    it('never allows extra hits when the clock steps back', async () => {
      let now = 1_000;
      const limiter = create({ now: () => now });
      await limiter.hit('a', 2, 100);
      now = 900;
      expect((await limiter.hit('a', 2, 100)).allowed).toBe(true);
      expect((await limiter.hit('a', 2, 100)).allowed).toBe(false);
    });

    it('allows exactly its limit of simultaneous hits, and refunds nothing for a rejected hit', async () => {
      const limiter = create({ now: () => 1_000 });
      const hits = await Promise.all(Array.from({ length: 700 }, () => limiter.hit('a', 300, 100)));
      const rejected = hits.filter(({ allowed }) => !allowed);
      expect(rejected).toHaveLength(400);
      await Promise.all(rejected.map((hit) => hit.refund()));
      expect((await limiter.peek('a', 300, 100)).remaining).toBe(0);
    });

    it('expires many hits together, and none early', async () => {
      let now = 1;
      const limiter = create({ now: () => now });
      for (let burst = 0; burst < 40; burst += 1) {
        now += 1;
        await Promise.all(Array.from({ length: 1 + (burst % 7) }, () => limiter.hit('a', 1_000, 1_000)));
      }
      const left = async (at: number) => {
        now = at;
        return 1_000 - (await limiter.peek('a', 1_000, 1_000)).remaining;
      };
      const counted = (after: number) =>
        Array.from({ length: 40 }, (_, burst) => (burst + 2 > after ? 1 + (burst % 7) : 0)).reduce(
          (sum, count) => sum + count,
          0,
        );
      for (const at of [1_001, 1_002, 1_003, 1_021, 1_040, 1_041])
        expect(await left(at), String(at)).toBe(counted(at - 1_000));
    });
  });
}
