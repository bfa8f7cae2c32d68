import { describe, expect, it } from 'vitest';
import { systemTimers } from '../../base/clock.js';
import { createLog } from '../../base/log.js';
import { createBus } from '../../cluster/bus.js';
import { createKeyCache } from './key-cache.js';

const value = (id: string) => ({ of: [id, 'tenant'] });

function fixture(isAlone = true) {
  let now = 1_000;
  const bus = createBus({ timers: systemTimers, log: createLog('silent'), isAlone });
  const cache = createKeyCache<{ of: readonly string[] }>({ bus, clock: { now: () => now } });
  return {
    bus,
    cache,
    fill: (hash: string, id = hash) => cache.fill(hash, async () => value(id)),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('what is remembered of a key', () => {
  it('is forgotten when the key or its tenant is said to have changed, and no other’s is', async () => {
    const { bus, cache, fill } = fixture();
    await fill('a');
    await cache.fill('b', async () => ({ of: ['b', 'other tenant'] }));
    void bus.publish('api_key', 'a');
    expect([cache.get('a'), cache.get('b')?.of[0]]).toEqual([undefined, 'b']);
    await fill('a');
    void bus.publish('tenant', 'tenant');
    expect([cache.get('a'), cache.get('b')?.of[0]]).toEqual([undefined, 'b']);
  });

  it('is not what was read before a change was told of and answered after', async () => {
    const { bus, cache } = fixture();
    let answer = (_: { of: readonly string[] }) => {};
    const reading = cache.fill('a', () => new Promise((resolve) => (answer = resolve)));
    void bus.publish('api_key', 'a');
    answer(value('a'));
    expect((await reading)?.of[0], 'whoever asked before the change gets what stood then').toBe('a');
    expect(cache.get('a')).toBeUndefined();
  });

  it('is used for a second', async () => {
    const { cache, fill, pass } = fixture();
    await fill('a');
    pass(999);
    expect(cache.get('a')).toBeDefined();
    pass(1);
    expect(cache.get('a')).toBeUndefined();
  });

  it('is nothing where changes by others are not heard of, and nothing of a key that is not there', async () => {
    const deaf = fixture(false);
    await deaf.fill('a');
    expect(deaf.cache.get('a')).toBeUndefined();
    const { cache } = fixture();
    expect(await cache.fill('x', async () => undefined)).toBeUndefined();
    expect(cache.get('x')).toBeUndefined();
  });

  it('is of 10,000 keys at most', async () => {
    const { cache, fill } = fixture();
    for (let key = 0; key <= 10_000; key += 1) await fill(`k${key}`);
    expect([cache.get('k0'), cache.get('k1')?.of[0]]).toEqual([undefined, 'k1']);
  });
});
