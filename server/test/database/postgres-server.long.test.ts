import { afterEach, expect, it, vi } from 'vitest';
import {
  expectAllStored,
  keepWriting,
  type ServiceOnOwnPostgres,
  startOnOwnPostgres,
} from '../support/faults/own-postgres.js';
import { canMountFor, fillDisk, mountSmallTmpfs } from '../support/faults/small-disk.js';

const SECOND = 1_000;
let at: ServiceOnOwnPostgres | undefined;
afterEach(async () => {
  await at?.close();
  at = undefined;
});

const statusOf = async (of: ServiceOnOwnPostgres) => (await of.service.call('GET', '/api/health')).status;

it('a frozen PostgreSQL under load causes 503 in bounded time, and the service recovers when it resumes', async () => {
  at = await startOnOwnPostgres();
  const { server, service } = at;
  const load = keepWriting(at);
  await vi.waitFor(() => expect(load.acknowledged.size).toBeGreaterThan(50), 30 * SECOND);
  server.signalAll('SIGSTOP');
  try {
    const { pendingTimers } = service.clock;
    const checking = statusOf(at);
    await vi.waitFor(() => expect(service.clock.pendingTimers).toBeGreaterThan(pendingTimers));
    service.clock.advance(2 * SECOND);
    expect(await checking).toBe(503);
    await vi.waitFor(() => expect(load.counts.unavailable).toBeGreaterThan(8), 40 * SECOND);
  } finally {
    server.signalAll('SIGCONT');
  }
  const { size } = load.acknowledged;
  await vi.waitFor(() => expect(load.acknowledged.size).toBeGreaterThan(size + 20), 30 * SECOND);
  expect(await statusOf(at)).toBe(200);
  await load.stop();
  await expectAllStored(at, load.acknowledged);
});

it('a PostgreSQL that responds 5 seconds late causes 503 or a durable write, and the service recovers', async () => {
  at = await startOnOwnPostgres();
  const load = keepWriting(at);
  await vi.waitFor(() => expect(load.acknowledged.size).toBeGreaterThan(50), 30 * SECOND);
  at.proxy.delay(5 * SECOND);
  const { acknowledged, counts } = load;
  const [size, unavailable] = [acknowledged.size, counts.unavailable];
  await vi.waitFor(
    () => expect(acknowledged.size - size + counts.unavailable - unavailable).toBeGreaterThan(16),
    120 * SECOND,
  );
  at.proxy.delay(0);
  const late = acknowledged.size;
  await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(late + 20), 60 * SECOND);
  expect(await statusOf(at)).toBe(200);
  await load.stop();
  await expectAllStored(at, acknowledged);
});

it.runIf(canMountFor('a full disk of PostgreSQL'))(
  'a full disk of PostgreSQL causes 503 for writes, and the service recovers once there is space',
  async () => {
    let folder = '';
    at = await startOnOwnPostgres({
      settings: { max_wal_size: '32MB', min_wal_size: '32MB' },
      prepare(home) {
        folder = home;
        return mountSmallTmpfs(home, 160);
      },
    });
    const load = keepWriting(at);
    await vi.waitFor(() => expect(load.acknowledged.size).toBeGreaterThan(50), 30 * SECOND);
    const empty = fillDisk(folder);
    const { unavailable } = load.counts;
    await vi.waitFor(() => expect(load.counts.unavailable).toBeGreaterThan(unavailable + 20), 120 * SECOND);
    expect(await statusOf(at)).toBe(503);
    empty();
    // If PostgreSQL could not finish its recovery, it has exited. Its operator restarts it, never the service.
    await at.server.start();
    const { size } = load.acknowledged;
    await vi.waitFor(() => expect(load.acknowledged.size).toBeGreaterThan(size + 20), 60 * SECOND);
    at.service.clock.advance(5 * SECOND);
    expect(await statusOf(at)).toBe(200);
    await load.stop();
    await expectAllStored(at, load.acknowledged);
  },
);
