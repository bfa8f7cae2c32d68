import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlots } from './slots.js';

const never = new AbortController().signal;
setMaxListeners(0, never);
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Takes a slot. `release` is set once it is granted. */
function ask(slots: ReturnType<typeof createSlots>, tenant: string, isUnproven = false, signal = never) {
  const asked: { release?: () => void; isRefused?: true } = {};
  void slots.take(tenant, isUnproven, signal).then((release) => {
    if (release) asked.release = release;
    else asked.isRefused = true;
  });
  return asked;
}

describe('the connections of a node', () => {
  it('are given to tenants in turn', async () => {
    const slots = createSlots(2, 2);
    const busy = [ask(slots, 'a'), ask(slots, 'a')];
    const waiting = ['a', 'a', 'b'].map((tenant) => ask(slots, tenant));
    await settle();
    busy[0]?.release?.();
    busy[1]?.release?.();
    await settle();
    expect(waiting.map(({ release }) => release !== undefined)).toEqual([true, false, true]);
  });

  it('are at most 8 for a tenant, of which failing receivers have 4', async () => {
    const slots = createSlots(64, 8);
    const healthy = Array.from({ length: 10 }, () => ask(slots, 'a'));
    const failing = Array.from({ length: 10 }, () => ask(slots, 'b', true));
    await settle();
    const granted = (asked: typeof healthy) => asked.filter(({ release }) => release).length;
    expect([granted(healthy), granted(failing)]).toEqual([8, 4]);
    const good = ask(slots, 'b');
    await settle();
    expect(good.release).toBeDefined();
  });

  it('are kept for receivers that work, however many fail', async () => {
    const slots = createSlots(64, 8);
    for (let tenant = 0; tenant < 1_000; tenant += 1) ask(slots, `dead ${tenant}`, true);
    await settle();
    expect(slots.size).toBe(32);
    const good = ask(slots, 'good');
    await settle();
    expect(good.release).toBeDefined();
  });

  it('are not taken by a request that was given up', async () => {
    const slots = createSlots(1, 1);
    const first = ask(slots, 'a');
    const abort = new AbortController();
    const second = ask(slots, 'a', false, abort.signal);
    const third = ask(slots, 'b');
    abort.abort();
    await settle();
    first.release?.();
    await settle();
    expect([second.isRefused, third.release !== undefined]).toEqual([true, true]);
    third.release?.();
    third.release?.();
    expect(slots.size).toBe(0);
  });

  it('never exceed the limits, and none is lost', async () => {
    const command = fc.record({
      tenant: fc.constantFrom('a', 'b', 'c'),
      isUnproven: fc.boolean(),
      keep: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 60 }), async (commands) => {
        const slots = createSlots(6, 4);
        const all = [];
        for (const { tenant, isUnproven, keep } of commands) {
          all.push(ask(slots, tenant, isUnproven));
          await Promise.resolve();
          expect(slots.size).toBeLessThanOrEqual(6);
          if (keep === 0) all.find(({ release }) => release)?.release?.();
        }
        for (let round = 0; round <= all.length; round += 1) {
          await Promise.resolve();
          await Promise.resolve();
          for (const { release } of all) release?.();
        }
        await settle();
        expect(all.every(({ release }) => release !== undefined)).toBe(true);
        for (const { release } of all) release?.();
        expect(slots.size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
