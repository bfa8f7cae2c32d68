// @module-tag if-touched @core docs/operating.md: restarts a PostgreSQL server
// @module-tag not-on-citus: have a PostgreSQL server or databases of their own
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  expectAllStored,
  keepWriting,
  type ServiceOnOwnPostgres,
  startOnOwnPostgres,
} from '../support/faults/own-postgres.js';

let at: ServiceOnOwnPostgres;
beforeAll(async () => {
  at = await startOnOwnPostgres();
});
afterAll(() => at?.close());

it('an immediate shutdown of PostgreSQL under load causes 503 until it restarts, and loses no acknowledged write', async () => {
  const health = () => at.service.call('GET', '/api/health');
  const load = keepWriting(at);
  for (let round = 1; round <= 2; round += 1) {
    await vi.waitFor(() => expect(load.acknowledged.size).toBeGreaterThan(20 * round));
    // Like `pg_ctl stop -m immediate`: no clean shutdown, and recovery from the WAL at the next start.
    await at.server.stop('SIGQUIT');
    expect((await health()).body).toMatchObject({ status: 'degraded', database: false });
    expect((await health()).status).toBe(503);
    const { unavailable } = load.counts;
    await vi.waitFor(() => expect(load.counts.unavailable).toBeGreaterThan(unavailable));
    await at.server.start();
    await vi.waitFor(async () => expect((await health()).status).toBe(200));
  }
  const { size } = load.acknowledged;
  await vi.waitFor(() => expect(load.acknowledged.size).toBeGreaterThan(size));
  await load.stop();
  await expectAllStored(at, load.acknowledged);
});
