import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Source, type Waiting } from './fair-queue.js';

interface Job extends Waiting {
  readonly id: string;
}

type Kind = Omit<Source, 'name'>;
const PHONE: Kind = { keyless: true };
const LOW: Kind = { priority: 'low' };

function makeQueue({ limit = 1_000, batchLimit = 8, historyLimit = 100 } = {}) {
  const clock = { now: 0 };
  const queue = new FairQueue<Job>({ limit, batchLimit, historyLimit, now: () => clock.now });
  const counts = new Map<string, number>();
  const send = (name: string, count = 1, kind: Kind = {}) =>
    Array.from({ length: count }, () => {
      const source = { name, ...kind };
      if (!queue.reserve(source)) return false;
      const n = (counts.get(name) ?? 0) + 1;
      counts.set(name, n);
      queue.push({ source, id: `${name}${n}` });
      return true;
    });
  const take = () => queue.take()?.jobs.map(({ id }) => id);
  /** Takes the next batch and records its verdicts; jobs of source `bad` are invalid. */
  const settle = (bad?: string) => {
    const batch = queue.take();
    if (batch !== undefined)
      queue.record(
        batch,
        batch.jobs.map(({ source }) => source.name !== bad),
      );
    return batch;
  };
  /** Gives tenants a history of valid proofs, so that they share batches with each other. */
  const addHistory = (...names: string[]) => {
    for (const name of names) {
      const jobs = Array.from({ length: 16 }, (_, n) => ({ source: { name }, id: `${name}-${n}` }));
      queue.record(
        { jobs, singly: false },
        jobs.map(() => true),
      );
    }
  };
  return { clock, queue, send, take, settle, addHistory };
}

const sourcesOf = (batch: { jobs: readonly Job[] } | undefined) => [
  ...new Set(batch?.jobs.map(({ source }) => source.name)),
];

describe('the fair queue', () => {
  it('returns a single job immediately, and all waiting jobs together', () => {
    const { send, take } = makeQueue();
    send('a');
    expect(take()).toEqual(['a1']);
    send('a', 3);
    expect(take()).toEqual(['a2', 'a3', 'a4']);
    expect(take()).toBeUndefined();
  });

  it('serves sources in round-robin order, so a flood never delays a single job beyond the next batch', () => {
    const { send, take } = makeQueue();
    send('flood', 200);
    send('b');
    send('c', 2);
    expect(take()).toEqual(['flood1', 'b1', 'c1', 'flood2', 'c2', 'flood3', 'flood4', 'flood5']);
    send('b');
    expect(take()).toContain('b2');
  });

  it('is bounded, and limits each source to a quarter', () => {
    const { queue, send } = makeQueue({ limit: 8 });
    expect(send('a', 3)).toEqual([true, true, false]);
    for (const name of ['b', 'c', 'd']) expect(send(name, 2)).toEqual([true, true]);
    expect(queue.slots).toBe(8);
    expect(send('e')).toEqual([false]);
    queue.take();
    expect(queue.slots).toBe(0);
    expect(send('e')).toEqual([true]);
  });

  it('counts reserved slots that are not used yet', () => {
    const { queue } = makeQueue({ limit: 4 });
    expect(queue.reserve({ name: 'a' })).toBe(true);
    expect(queue.reserve({ name: 'a' })).toBe(false);
    queue.release({ name: 'a' });
    expect(queue.reserve({ name: 'a' })).toBe(true);
  });

  it('serves low priority only if nothing else is waiting', () => {
    const { send, take } = makeQueue();
    send('legacy', 2, LOW);
    send('a', 9);
    expect(take()).toHaveLength(8);
    expect(take()).toEqual(['a9']);
    expect(take()).toEqual(['legacy1', 'legacy2']);
  });

  it('takes one keyless job of low priority at a time, so that any other waits for one proof at most', () => {
    const { send, take } = makeQueue({ batchLimit: 64 });
    send('phone', 4, { keyless: true, priority: 'low' });
    expect(take()).toEqual(['phone1']);
    send('a');
    expect(take()).toEqual(['a1']);
    expect(take()).toEqual(['phone2']);
  });

  it('removes expired jobs, even of sources that are not served', () => {
    const { queue, send, take } = makeQueue();
    send('legacy', 2, LOW);
    send('a', 3);
    expect(queue.removeExpired(({ id }) => ['legacy1', 'a1', 'a2'].includes(id)).map(({ id }) => id)).toEqual(
      ['legacy1', 'a1', 'a2'],
    );
    expect(queue.slots).toBe(2);
    expect([take(), take()]).toEqual([['a3'], ['legacy2']]);
  });

  it('keeps the low priority of a source that sent an invalid proof', () => {
    const { send, settle, take } = makeQueue();
    send('legacy', 1, LOW);
    settle('legacy');
    send('legacy', 1, LOW);
    send('a');
    expect(take()).toEqual(['a1']);
    expect(take()).toEqual(['legacy2']);
  });

  it('gives a source separate batches of its fair share for a minute after an invalid proof', () => {
    const { clock, send, settle, take, addHistory } = makeQueue();
    addHistory('bad', 'good');
    send('bad', 1);
    send('good', 1);
    expect(settle('bad')).toMatchObject({ singly: false });
    send('bad', 9);
    send('good', 12);
    const sources = Array.from({ length: 5 }, () => settle('bad')).map((batch) => [
      sourcesOf(batch),
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
    addHistory('bad');
    send('good');
    send('bad');
    expect(take()).toEqual(['good14']);
    expect(take()).toEqual(['bad11']);
    clock.now = 60_000;
    send('good');
    send('bad');
    expect(take()?.sort()).toEqual(['bad12', 'good15']);
  });

  it('batches tenants with a history of valid proofs only with each other', () => {
    const { send, settle, addHistory } = makeQueue();
    addHistory('a', 'b');
    for (const name of ['a', 'new', 'b', 'newer']) send(name);
    send('phone', 1, PHONE);
    const batches = Array.from({ length: 3 }, () => settle());
    expect(batches.map(sourcesOf)).toEqual([['a', 'b'], ['new', 'newer'], ['phone']]);
  });

  it('counts sixteen valid proofs without an invalid one as a history', () => {
    const { send, settle, addHistory, clock } = makeQueue({ batchLimit: 32 });
    addHistory('a');
    const sharesWithA = () => {
      send('a');
      send('b');
      return [settle(), settle()].map(sourcesOf).some((sources) => sources.length === 2);
    };
    for (let valid = 0; valid < 16; valid++) expect(sharesWithA(), `after ${valid}`).toBe(false);
    expect(sharesWithA()).toBe(true);
    send('b');
    settle('b');
    clock.now += 60_000;
    expect(sharesWithA()).toBe(false);
  });

  it('never mixes keyless proofs with those of a tenant, however many networks they come from', () => {
    const { send, settle, addHistory } = makeQueue({ batchLimit: 32 });
    addHistory('good');
    for (let round = 0; round < 50; round++) {
      send('good', 20);
      for (let n = 0; n < 5; n++) send(`network ${round}-${n}`, 1, PHONE);
      const [tenant, keyless] = [settle(), settle(`network ${round}-0`)].sort(
        (a, b) => Number(a?.singly) - Number(b?.singly),
      );
      expect(sourcesOf(tenant)).toEqual(['good']);
      expect(tenant).toMatchObject({ singly: false, jobs: { length: 20 } });
      // Two of 32 at a time, verified separately, so an invalid proof delays no other.
      expect(keyless).toMatchObject({ singly: true, jobs: { length: 2 } });
    }
  });

  it('serves keyless networks in round-robin order and keeps no state for them', () => {
    const { queue, send, settle } = makeQueue({ batchLimit: 32 });
    send('flood', 20, PHONE);
    settle('flood');
    send('phone', 1, PHONE);
    expect(sourcesOf(settle('flood'))).toEqual(['flood', 'phone']);
    while (settle('flood') !== undefined);
    expect(queue.sources).toBe(0);
  });

  it('limits a keyless network to a sixteenth of the queue, and all of them to a quarter', () => {
    const { queue, send } = makeQueue({ limit: 64 });
    expect(send('network', 5, PHONE)).toEqual([true, true, true, true, false]);
    for (let n = 0; n < 3; n++) expect(send(`network ${n}`, 4, PHONE)).not.toContain(false);
    expect(send('one more', 1, PHONE)).toEqual([false]);
    expect(send('legacy', 1, { ...PHONE, ...LOW })).toEqual([true]);
    expect(send('tenant', 16)).not.toContain(false);
    while (queue.take() !== undefined);
    expect(send('one more', 1, PHONE)).toEqual([true]);
  });

  it('limits the number of tenants whose valid proofs are counted, and evicts the least recent', () => {
    const { send, settle, addHistory } = makeQueue({ historyLimit: 2 });
    addHistory('a', 'b', 'c');
    for (const name of ['a', 'b', 'c']) send(name);
    expect([settle(), settle()].map(sourcesOf)).toEqual([['b', 'c'], ['a']]);
  });

  it('verifies a suspect’s proofs together again after a valid batch', () => {
    const { send, settle } = makeQueue();
    send('a');
    settle('a');
    send('a', 2);
    expect(settle()).toMatchObject({ singly: true });
    send('a', 2);
    expect(settle()).toMatchObject({ singly: false });
  });

  it('returns a requeued job first, and alone', () => {
    const { queue, send } = makeQueue();
    send('a', 2);
    queue.requeueAlone({ source: { name: 'b' }, id: 'b0' });
    expect(queue.take()).toEqual({ jobs: [{ source: { name: 'b' }, id: 'b0' }], singly: true });
    expect(queue.slots).toBe(2);
    expect(queue.take()?.jobs).toHaveLength(2);
  });

  it('deletes idle sources, and suspects after a minute', () => {
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

  it('returns every job exactly once, in the order of its source, for any interleaving', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'phone', 'other phone');
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
            seen.set(source.name, (seen.get(source.name) ?? 0) + 1);
            expect(id).toBe(`${source.name}${seen.get(source.name)}`);
          }
        };
        for (const one of steps) {
          if ('send' in one) {
            const taken = send(one.send, one.count, one.send.includes('phone') ? PHONE : {}).filter(
              Boolean,
            ).length;
            sent.set(one.send, (sent.get(one.send) ?? 0) + taken);
          } else if ('settle' in one) note(settle(one.settle));
          else clock.now += one.wait;
          expect(queue.slots).toBeLessThanOrEqual(64);
        }
        for (let batch = settle(); batch !== undefined; batch = settle()) note(batch);
        expect(queue.slots).toBe(0);
        for (const [name, count] of sent) expect(seen.get(name) ?? 0).toBe(count);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
