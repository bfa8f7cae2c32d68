import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/support/service.js';
import { createLog } from '../../base/telemetry/log.js';
import type { Database } from '../../db/db.js';
import { createDatabaseProbe } from './database-probe.js';

const RESPONDS = async () => [{ read_only: 'off' }];
const READ_ONLY = async () => [{ read_only: 'on' }];
const FAILS = async () => Promise.reject(new Error('could not write to file: No space left on device'));

/** A probe of a database whose reads and writes behave as set, and which counts them. */
function start() {
  const clock = manualClock();
  const logged: string[] = [];
  const behaves: Record<'read' | 'write', () => Promise<object[]>> = { read: RESPONDS, write: RESPONDS };
  const asked = { read: 0, write: 0 };
  const query = ({ text }: { text: string }) => {
    const kind = text === 'select 1' ? 'read' : 'write';
    asked[kind] += 1;
    return behaves[kind]();
  };
  const probe = createDatabaseProbe({
    db: { query } as unknown as Database,
    clock,
    timers: clock,
    log: createLog('warn', { write: (line) => void logged.push(line) }),
  });
  return { clock, logged, behaves, asked, probe };
}

const WORKS = { reads: true, writes: true };
const ONLY_READS = { reads: true, writes: false };
const DOWN = { reads: false, writes: false };

describe('the probe of the database', () => {
  it('tests writing once in five seconds, however often it is asked', async () => {
    const { probe, asked, clock } = start();
    for (let at = 0; at < 100; at += 1) expect(await probe.check()).toEqual(WORKS);
    expect(asked.write).toBe(1);
    clock.advance(4_999);
    await probe.check();
    expect(asked.write).toBe(1);
    clock.advance(1);
    await probe.check();
    expect(asked.write).toBe(2);
  });

  it('sends one statement of each kind for all concurrent callers', async () => {
    const { probe, asked } = start();
    const replies = await Promise.all(Array.from({ length: 1_000 }, () => probe.check()));
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toEqual(new Set([JSON.stringify(WORKS)]));
    expect(asked).toEqual({ read: 1, write: 1 });
  });

  it.each([
    ['a read-only transaction', READ_ONLY, 'Transactions are read-only'],
    ['a full disk', FAILS, 'No space left on device'],
  ])('finds that %s accepts no writes, and logs why', async (_what, write, because) => {
    const { probe, behaves, logged } = start();
    behaves.write = write;
    expect(await probe.check()).toEqual(ONLY_READS);
    expect(logged.join('')).toContain(because);
  });

  it('tests writing again at the next check after a write failed', async () => {
    const { probe, behaves } = start();
    expect(await probe.check()).toEqual(WORKS);
    behaves.write = FAILS;
    expect(await probe.check()).toEqual(WORKS);
    probe.writeFailed();
    expect(await probe.check()).toEqual(ONLY_READS);
  });

  it('keeps a failed test for five seconds, so failing writes cause no more tests', async () => {
    const { probe, behaves, asked, clock } = start();
    behaves.write = FAILS;
    for (let at = 0; at < 100; at += 1) {
      expect(await probe.check()).toEqual(ONLY_READS);
      probe.writeFailed();
    }
    expect(asked.write).toBe(1);
    behaves.write = RESPONDS;
    clock.advance(5_000);
    expect(await probe.check()).toEqual(WORKS);
  });

  it('does not test writing while the database does not respond, and tests it as soon as it does', async () => {
    const { probe, behaves, asked } = start();
    await probe.check();
    behaves.read = FAILS;
    expect(await probe.check()).toEqual(DOWN);
    expect(asked.write).toBe(1);
    behaves.read = RESPONDS;
    expect(await probe.check()).toEqual(WORKS);
    expect(asked.write).toBe(2);
  });

  it('gives up after two seconds, and sends no second statement while the first one hangs', async () => {
    const { probe, behaves, asked, clock } = start();
    let end = (_rows: object[]) => {};
    behaves.write = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    const hang = async () => {
      const checking = probe.check();
      // Until the read has succeeded and the caller waits for the test of writing.
      await new Promise(setImmediate);
      clock.advance(2_000);
      return checking;
    };
    expect(await hang()).toEqual(ONLY_READS);
    clock.advance(5_000);
    expect(await hang()).toEqual(ONLY_READS);
    expect(asked.write).toBe(1);
    end([{ read_only: 'off' }]);
    clock.advance(5_000);
    behaves.write = RESPONDS;
    expect(await probe.check()).toEqual(WORKS);
    expect(clock.pendingTimers).toBe(0);
  });

  it('tests writing again if the clock was set back', async () => {
    const { probe, asked, clock } = start();
    await probe.check();
    clock.advance(-1);
    await probe.check();
    expect(asked.write).toBe(2);
  });
});
