import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Source, type Waiting } from './fair-queue.js';

interface Job extends Waiting {
  readonly id: string;
}

function makeQueue({ limit = 1_000, batchLimit = 8 } = {}) {
  const clock = { now: 0 };
  const queue = new FairQueue<Job>({ limit, batchLimit, now: () => clock.now });
  const counts = new Map<string, number>();
  const send = (name: string, count = 1, priority?: Source['priority']) =>
    Array.from({ length: count }, () => {
      if (!queue.enter({ name, priority })) return false;
      const n = (counts.get(name) ?? 0) + 1;
      counts.set(name, n);
      queue.push({ source: name, id: `${name}${n}` });
      return true;
    });
  const take = () => queue.take()?.jobs.map(({ id }) => id);
  /** Takes and settles the next batch, in which jobs of that source are invalid. */
  const settle = (bad?: string) => {
    const batch = queue.take();
    if (batch !== undefined)
      queue.note(
        batch,
        batch.jobs.map(({ source }) => source !== bad),
      );
    return batch;
  };
  return { clock, queue, send, take, settle };
}

describe('the fair queue', () => {
  it('hands out a lone job at once, and everything that waits together', () => {
    const { send, take } = makeQueue();
    send('a');
    expect(take()).toEqual(['a1']);
    send('a', 3);
    expect(take()).toEqual(['a2', 'a3', 'a4']);
    expect(take()).toBeUndefined();
  });

  it('takes from each source in turn, so a lone job is in the next batch behind any flood', () => {
    const { send, take } = makeQueue();
    send('flood', 200);
    send('b');
    send('c', 2);
    expect(take()).toEqual(['flood1', 'b1', 'c1', 'flood2', 'c2', 'flood3', 'flood4', 'flood5']);
    send('b');
    expect(take()).toContain('b2');
  });

  it('is bounded, and gives no source more than a quarter', () => {
    const { queue, send } = makeQueue({ limit: 8 });
    expect(send('a', 3)).toEqual([true, true, false]);
    for (const name of ['b', 'c', 'd']) expect(send(name, 2)).toEqual([true, true]);
    expect(queue.places).toBe(8);
    expect(send('e')).toEqual([false]);
    queue.take();
    expect(queue.places).toBe(0);
    expect(send('e')).toEqual([true]);
  });

  it('counts places that are held and not yet used', () => {
    const { queue } = makeQueue({ limit: 4 });
    expect(queue.enter({ name: 'a' })).toBe(true);
    expect(queue.enter({ name: 'a' })).toBe(false);
    queue.leave('a');
    expect(queue.enter({ name: 'a' })).toBe(true);
  });

  it('serves low priority when nobody else waits', () => {
    const { send, take } = makeQueue();
    send('legacy', 2, 'low');
    send('a', 9);
    expect(take()).toHaveLength(8);
    expect(take()).toEqual(['a9']);
    expect(take()).toEqual(['legacy1', 'legacy2']);
  });

  it('drops what waited too long, also where no turn comes', () => {
    const { queue, send, take } = makeQueue();
    send('legacy', 2, 'low');
    send('a', 3);
    expect(queue.drop(({ id }) => ['legacy1', 'a1', 'a2'].includes(id)).map(({ id }) => id)).toEqual([
      'legacy1',
      'a1',
      'a2',
    ]);
    expect(queue.places).toBe(2);
    expect([take(), take()]).toEqual([['a3'], ['legacy2']]);
  });

  it('keeps a source of low priority low when it sent a bad proof', () => {
    const { send, settle, take } = makeQueue();
    send('legacy', 1, 'low');
    settle('legacy');
    send('legacy', 1, 'low');
    send('a');
    expect(take()).toEqual(['a1']);
    expect(take()).toEqual(['legacy2']);
  });

  it('keeps a source with a bad proof apart for a minute, on its fair share', () => {
    const { clock, send, settle, take } = makeQueue();
    send('bad', 1);
    send('good', 1);
    expect(settle('bad')).toMatchObject({ singly: false });
    send('bad', 9);
    send('good', 12);
    const sources = Array.from({ length: 5 }, () => settle('bad')).map((batch) => [
      [...new Set(batch?.jobs.map(({ source }) => source))],
      batch?.jobs.length,
      batch?.singly,
    ]);
    // Half of a batch is its share while two sources wait.
    expect(sources).toEqual([
      [['bad'], 4, true],
      [['good'], 8, false],
      [['bad'], 4, true],
      [['good'], 4, false],
      [['bad'], 1, true],
    ]);
    clock.now = 59_999;
    send('good');
    send('bad');
    expect(take()).toEqual(['good14']);
    expect(take()).toEqual(['bad11']);
    clock.now = 60_000;
    send('good');
    send('bad');
    expect(take()?.sort()).toEqual(['bad12', 'good15']);
  });

  it('tries a suspect’s proofs together again once a batch of them was good', () => {
    const { send, settle } = makeQueue();
    send('a');
    settle('a');
    send('a', 2);
    expect(settle()).toMatchObject({ singly: true });
    send('a', 2);
    expect(settle()).toMatchObject({ singly: false });
  });

  it('hands a job that lost its company out first, and alone', () => {
    const { queue, send } = makeQueue();
    send('a', 2);
    queue.pushAlone({ source: 'b', id: 'b0' });
    expect(queue.take()).toEqual({ jobs: [{ source: 'b', id: 'b0' }], singly: true });
    expect(queue.places).toBe(2);
    expect(queue.take()?.jobs).toHaveLength(2);
  });

  it('forgets sources that are gone, and suspects after their minute', () => {
    const { clock, queue, send, settle } = makeQueue({ limit: 40_000 });
    for (let n = 0; n < 5_000; n++) {
      send(`source ${n}`);
      settle(n % 2 === 0 ? `source ${n}` : undefined);
    }
    expect(queue.sources).toBe(2_500);
    clock.now = 60_000;
    send('a');
    settle();
    expect(queue.sources).toBe(0);
  });

  it('hands out every job exactly once, in its source’s order, whatever comes when', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ send: names, count: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ settle: fc.option(names, { nil: undefined }) }),
      fc.record({ wait: fc.integer({ min: 1, max: 70_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, queue, send, settle } = makeQueue({ limit: 64 });
        const sent = new Map<string, number>();
        const seen = new Map<string, number>();
        const note = (batch: ReturnType<typeof settle>) => {
          expect(batch?.jobs.length ?? 0).toBeLessThanOrEqual(8);
          for (const { source, id } of batch?.jobs ?? []) {
            seen.set(source, (seen.get(source) ?? 0) + 1);
            expect(id).toBe(`${source}${seen.get(source)}`);
          }
        };
        for (const one of steps) {
          if ('send' in one) {
            const taken = send(one.send, one.count).filter(Boolean).length;
            sent.set(one.send, (sent.get(one.send) ?? 0) + taken);
          } else if ('settle' in one) note(settle(one.settle));
          else clock.now += one.wait;
          expect(queue.places).toBeLessThanOrEqual(64);
        }
        for (let batch = settle(); batch !== undefined; batch = settle()) note(batch);
        expect(queue.places).toBe(0);
        for (const [name, count] of sent) expect(seen.get(name) ?? 0).toBe(count);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
