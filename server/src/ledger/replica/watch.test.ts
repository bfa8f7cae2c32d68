import { describe, expect, it, vi } from 'vitest';
import { manualClock } from '../../../test/support/service.js';
import { createLog } from '../../base/telemetry/log.js';
import type { Database } from '../../db/db.js';
import { createWatch } from './watch.js';

const SECOND = 1_000;
const SYSTEM = '7301';

/** A primary server whose log grows by a position a second, and a replica. */
function setUp() {
  const clock = manualClock();
  const origin = clock.now();
  const replica = { lagSeconds: 0, standby: true, system: SYSTEM, error: undefined as Error | undefined };
  const newest = () => (clock.now() - origin) / SECOND;
  let probes = 0;
  let held: Promise<void> | undefined;
  const primaryDb = { query: async () => [{ lsn: String(newest()), system: SYSTEM }] };
  const replicaDb = {
    query: async ({ values: [now, earlier] }: { values: string[] }) => {
      probes += 1;
      await held;
      if (replica.error) throw replica.error;
      const replayed = newest() - replica.lagSeconds;
      const { standby, system } = replica;
      return [{ standby, system, current: replayed >= Number(now), reached: replayed >= Number(earlier) }];
    },
  };
  const lines: string[] = [];
  const watch = createWatch({
    primary: primaryDb as unknown as Database,
    replica: replicaDb as unknown as Database,
    clock,
    timers: clock,
    log: createLog('trace', { write: (line) => void lines.push(line) }),
  });
  /** Advances the clock by the interval, and waits for the measurement. */
  const next = async () => {
    const before = clock.pendingTimers;
    clock.advance(2 * SECOND);
    await vi.waitFor(() => expect(clock.pendingTimers).toBe(before));
  };
  return {
    clock,
    replica,
    watch,
    lines,
    next,
    probes: () => probes,
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

describe('the watch of a replica', () => {
  it('uses it from the first measurement, and measures every two seconds', async () => {
    const { watch, probes, next } = setUp();
    expect(watch.status).toBe('down');
    await watch.start();
    expect(watch.status).toBe('ok');
    await next();
    expect([watch.status, watch.lagMs, probes()]).toEqual(['ok', 0, 2]);
  });

  it('uses a replica that is always a little behind', async () => {
    const { watch, replica, next } = setUp();
    replica.lagSeconds = 0.5;
    await watch.start();
    expect(watch.status).toBe('degraded');
    for (let times = 0; times < 5; times++) {
      await next();
      expect([watch.status, watch.lagMs]).toEqual(['ok', 2 * SECOND]);
    }
  });

  it('does not use one that is an hour behind, until it has caught up', async () => {
    const { watch, replica, next } = setUp();
    replica.lagSeconds = 3_600;
    await watch.start();
    for (let times = 0; times < 5; times++) {
      expect(watch.status).toBe('degraded');
      await next();
    }
    expect(watch.lagMs).toBe(10 * SECOND);
    replica.lagSeconds = 0;
    await next();
    expect([watch.status, watch.lagMs]).toEqual(['ok', 0]);
  });

  it('stops using one that falls more than five seconds behind', async () => {
    const { watch, replica, next, lines } = setUp();
    await watch.start();
    const seen: unknown[] = [];
    for (let times = 1; times <= 5; times++) {
      replica.lagSeconds = 2 * times + 1;
      await next();
      seen.push([watch.status, watch.lagMs]);
    }
    expect(seen).toEqual([
      ['ok', 0],
      ['ok', 2_000],
      ['ok', 4_000],
      ['degraded', 6_000],
      ['degraded', 8_000],
    ]);
    expect(lines.filter((line) => line.includes('is not used'))).toHaveLength(1);
  });

  it.each([
    ['a primary server', { standby: false }, 'is not a standby server'],
    ['a standby of another database', { system: '7302' }, 'is another database'],
    ['away', { error: new Error('connect ECONNREFUSED') }, 'ECONNREFUSED'],
  ])('does not use a server that is %s, logs it once, and measures on', async (_, fault, reason) => {
    const { watch, replica, next, lines } = setUp();
    Object.assign(replica, fault);
    await watch.start();
    await next();
    expect(watch.status).toBe('down');
    expect(lines.filter((line) => line.includes(reason))).toHaveLength(1);
    Object.assign(replica, { standby: true, system: SYSTEM, error: undefined });
    await next();
    expect(watch.status).toBe('ok');
  });

  it('does not use it for two seconds after a failed read', async () => {
    const { watch, clock, next } = setUp();
    await watch.start();
    clock.advance(1.5 * SECOND);
    watch.fail(new Error('timeout'));
    watch.fail(new Error('timeout'));
    clock.advance(1.5 * SECOND);
    expect(watch.status).toBe('down');
    await next();
    expect(watch.status).toBe('ok');
  });

  it('measures once at a time, and a read that fails during it counts', async () => {
    const { watch, clock, probes, hold } = setUp();
    await watch.start();
    const release = hold();
    clock.advance(2 * SECOND);
    await vi.waitFor(() => expect(probes()).toBe(2));
    watch.fail(new Error('timeout'));
    clock.advance(10 * SECOND);
    expect(probes()).toBe(2);
    release();
    await vi.waitFor(() => expect(clock.pendingTimers).toBe(1));
    expect(watch.status).toBe('down');
  });

  it('ends with its service', async () => {
    const { watch, clock } = setUp();
    await watch.start();
    watch.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
