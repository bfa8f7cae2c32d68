import { describe, expect, it } from 'vitest';
import type { Timers } from '../base/clock.js';
import { createLog } from '../base/log.js';
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
    /** A second passes. */
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
  it('tells the subscribers of that record, after the publisher is done, and nobody else', async () => {
    const { bus } = fixture();
    const heard: string[] = [];
    bus.subscribe('session', 'a', () => heard.push('first'));
    bus.subscribe('session', 'a', () => heard.push('second'));
    bus.subscribe('session', 'b', () => heard.push('another record'));
    bus.subscribe('key', 'a', () => heard.push('another topic'));
    bus.publish('session', 'a');
    bus.publish('session', 'nobody');
    expect(heard).toEqual([]);
    await turn();
    expect(heard).toEqual(['first', 'second']);
  });

  it('tells nobody who has left, not even of what was published before', async () => {
    const { bus } = fixture();
    let heard = 0;
    const leave = bus.subscribe('session', 'a', () => {
      heard += 1;
    });
    expect(bus.size).toBe(1);
    bus.publish('session', 'a');
    leave();
    leave();
    await turn();
    expect([heard, bus.size]).toEqual([0, 0]);
  });

  it('asks for states while somebody waits, tells at first sight and of each change, and then rests', async () => {
    let state = '1';
    const asked: string[][] = [];
    const { bus, tick, waiting } = fixture({
      session: async (ids) => {
        asked.push(ids);
        return new Map([['a', state]]);
      },
    });
    expect(waiting.size).toBe(0);
    let heard = 0;
    const leave = bus.subscribe('session', 'a', () => {
      heard += 1;
    });
    const counts: number[] = [];
    for (const next of ['1', '1', '2', '2']) {
      state = next;
      await tick();
      counts.push(heard);
    }
    expect(counts).toEqual([1, 1, 2, 2]);
    expect(asked).toEqual(Array(4).fill(['a']));
    leave();
    expect(waiting.size).toBe(0);
  });

  it('tells of a record that is gone, and of nothing twice when somebody comes during a look', async () => {
    const found = new Map([['a', 'x']]);
    const { bus, tick, waiting } = fixture({ session: async () => found });
    let heard = 0;
    const leave = bus.subscribe('session', 'a', () => {
      heard += 1;
    });
    await tick();
    found.clear();
    await tick();
    expect(heard).toBe(2);
    for (const run of [...waiting]) run();
    leave();
    const again = bus.subscribe('session', 'b', () => {});
    await turn();
    expect(waiting.size).toBeLessThanOrEqual(2);
    again();
    await turn();
  });

  it('looks again after a look that failed', async () => {
    let broken = true;
    const { bus, tick, lines } = fixture({
      session: async () => {
        if (broken) throw new Error('no database');
        return new Map([['a', '1']]);
      },
    });
    let heard = 0;
    bus.subscribe('session', 'a', () => {
      heard += 1;
    });
    await tick();
    expect([heard, lines.length]).toEqual([0, 1]);
    broken = false;
    await tick();
    expect(heard).toBe(1);
  });
});
