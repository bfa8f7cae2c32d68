import { describe, expect, it } from 'vitest';
import type { Timers } from '../base/clock.js';
import { createLog } from '../base/telemetry/log.js';
import { createBus, type States } from './bus.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function fixture(states?: Record<string, States>) {
  const waiting = new Set<() => void>();
  const timers: Timers = {
    after(_ms, run) {
      waiting.add(run);
      return () => void waiting.delete(run);
    },
  };
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  return {
    bus: createBus({ timers, log, ...(states && { states }) }),
    lines,
    waiting,
    /** Advances the clock by a second. */
    async tick() {
      for (const run of [...waiting]) {
        waiting.delete(run);
        run();
      }
      await turn();
    },
  };
}

describe('the bus', () => {
  it('notifies only the subscribers of that record, after `publish` has returned', async () => {
    const { bus } = fixture();
    const notified: string[] = [];
    bus.subscribe('session', 'a', () => notified.push('first'));
    bus.subscribe('session', 'a', () => notified.push('second'));
    bus.subscribe('session', 'b', () => notified.push('another record'));
    bus.subscribe('key', 'a', () => notified.push('another topic'));
    bus.publish('session', 'a');
    bus.publish('session', 'nobody');
    expect(notified).toEqual([]);
    await turn();
    expect(notified).toEqual(['first', 'second']);
  });

  it('never notifies a former subscriber, not even of earlier messages', async () => {
    const { bus } = fixture();
    let notified = 0;
    const unsubscribe = bus.subscribe('session', 'a', () => {
      notified += 1;
    });
    expect(bus.size).toBe(1);
    bus.publish('session', 'a');
    unsubscribe();
    unsubscribe();
    await turn();
    expect([notified, bus.size]).toEqual([0, 0]);
  });

  it('polls states while there are subscribers, notifies of the first state and of each change, and then stops', async () => {
    let state = '1';
    const requested: string[][] = [];
    const { bus, tick, waiting } = fixture({
      session: async (ids) => {
        requested.push(ids);
        return new Map([['a', state]]);
      },
    });
    expect(waiting.size).toBe(0);
    let notified = 0;
    const unsubscribe = bus.subscribe('session', 'a', () => {
      notified += 1;
    });
    const counts: number[] = [];
    for (const next of ['1', '1', '2', '2']) {
      state = next;
      await tick();
      counts.push(notified);
    }
    expect(counts).toEqual([1, 1, 2, 2]);
    expect(requested).toEqual(Array(4).fill(['a']));
    unsubscribe();
    expect(waiting.size).toBe(0);
  });

  it('notifies of a deleted record, and only once when a subscriber arrives during a poll', async () => {
    const found = new Map([['a', 'x']]);
    const { bus, tick, waiting } = fixture({ session: async () => found });
    let notified = 0;
    const unsubscribe = bus.subscribe('session', 'a', () => {
      notified += 1;
    });
    await tick();
    found.clear();
    await tick();
    expect(notified).toBe(2);
    for (const run of [...waiting]) run();
    unsubscribe();
    const again = bus.subscribe('session', 'b', () => {});
    await turn();
    expect(waiting.size).toBeLessThanOrEqual(2);
    again();
    await turn();
  });

  it('polls again after a failed poll', async () => {
    let broken = true;
    const { bus, tick, lines } = fixture({
      session: async () => {
        if (broken) throw new Error('no database');
        return new Map([['a', '1']]);
      },
    });
    let notified = 0;
    bus.subscribe('session', 'a', () => {
      notified += 1;
    });
    await tick();
    expect([notified, lines.length]).toEqual([0, 1]);
    broken = false;
    await tick();
    expect(notified).toBe(1);
  });
});
