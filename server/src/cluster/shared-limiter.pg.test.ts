// @module-tag needs-redis-server
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLimiter } from '../../test/support/contract/limiter-contract.js';
import { connectRedis, endRedisServers, freshPrefix, rawRedis } from '../../test/support/faults/redis.js';
import type { Redis } from './redis.js';
import { createSharedLimiter } from './shared-limiter.js';

const prefix = freshPrefix();
let redis: Redis;
let other: Redis;
let raw: Awaited<ReturnType<typeof rawRedis>>;

beforeAll(async () => {
  redis = await connectRedis(prefix);
  other = await connectRedis(prefix);
  raw = await rawRedis();
});
afterAll(async () => {
  await raw.del(await raw.keys(`${prefix}*`));
  raw.destroy();
  await redis.close();
  await other.close();
  endRedisServers();
});

let made = 0;
const fresh = () => {
  made += 1;
  const run = made;
  return (key: string) => `${run}:${key}`;
};

describeLimiter((clock) => createSharedLimiter({ redis, clock, name: fresh() }), 25);

describe('windows of several nodes', () => {
  it('are shared: of simultaneous hits exactly the limit pass, and a refund on one node frees a hit on the other', async () => {
    const name = fresh();
    const clock = { now: () => 5_000 };
    const [a, b] = [redis, other].map((of) => createSharedLimiter({ redis: of, clock, name })) as [
      ReturnType<typeof createSharedLimiter>,
      ReturnType<typeof createSharedLimiter>,
    ];
    const hits = await Promise.all(
      Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? a : b).hit('k', 100, 1_000)),
    );
    const passed = hits.filter(({ allowed }) => allowed);
    expect(passed).toHaveLength(100);
    expect(passed.map(({ remaining }) => remaining).sort((x, y) => x - y)).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
    expect((await passed[0]!.refund()).remaining).toBe(1);
    expect((await a.hit('k', 100, 1_000)).allowed).toBe(true);
    expect((await b.hit('k', 100, 1_000)).allowed).toBe(false);
  });

  it('take ten bytes a request, store no more than the limit, and expire by themselves', async () => {
    const name = fresh();
    let now = 1_800_000_000_000;
    const limiter = createSharedLimiter({ redis, clock: { now: () => now }, name });
    for (let at = 0; at < 40; at += 1) {
      now += 1;
      await Promise.all(Array.from({ length: 100 }, () => limiter.hit('k', 2_000, 900_000)));
    }
    const key = prefix + name('k');
    expect(await raw.lLen(key)).toBe(2_000);
    expect(await raw.memoryUsage(key)).toBeLessThan(2_000 * 12);
    const ttl = await raw.pTTL(key);
    expect(ttl).toBeGreaterThan(900_000);
    expect(ttl).toBeLessThanOrEqual(960_000);
  });

  it('replace a key that is not a window', async () => {
    const name = fresh();
    const limiter = createSharedLimiter({ redis, clock: { now: () => 5_000 }, name });
    await raw.set(prefix + name('text'), 'x');
    await raw.rPush(prefix + name('list'), ['x', '', 'y']);
    for (const key of ['text', 'list']) {
      expect(await limiter.hit(key, 2, 1_000)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiter.hit(key, 2, 1_000)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.hit(key, 2, 1_000)).toMatchObject({ allowed: false });
    }
    expect(redis.isUp).toBe(true);
  });
});
