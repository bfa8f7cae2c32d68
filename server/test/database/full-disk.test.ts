// @module-tag if-touched @core docs/operating.md: fills a disk
// @module-tag not-on-citus: have a PostgreSQL server or databases of their own
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readMigrations } from '../../src/db/migrate.js';
import { usePglite } from '../../src/db/pglite.js';
import { migrationsFolder } from '../support/database.js';
import { canMountFor, fillDisk, mountSmallTmpfs } from '../support/faults/small-disk.js';
import { createMigratedPglite } from '../support/pglite-cache.js';
import { startService } from '../support/service.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function startOnSmallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-full-'));
  cleanUp.push(() => rmSync(folder, { recursive: true }));
  cleanUp.push(mountSmallTmpfs(folder, 160));
  const migrations = await readMigrations(migrationsFolder);
  const db = usePglite(await createMigratedPglite(migrations, join(folder, 'database')));
  cleanUp.push(() => db.close());
  const service = await startService({ db });
  cleanUp.push(() => service.close());
  return { folder, service };
}

it.runIf(canMountFor('a full disk under the embedded database'))(
  'a full disk under the embedded database makes the node not ready, health names the writes, and both recover once there is space [service/health]',
  async () => {
    const { folder, service } = await startOnSmallDisk();
    const account = await service.signUp({ plan: 'enterprise' });
    const write = () => service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
    const health = () => service.call('GET', '/api/health');
    const ready = async () => (await service.call('GET', '/api/health/ready')).status;
    expect((await health()).body).toMatchObject({ status: 'ok', subsystems: { database: { writes: 'ok' } } });

    const empty = fillDisk(folder);
    let status = 201;
    // The first ones still find room in pages that the database has.
    for (let tries = 0; status === 201 && tries < 1_000; tries += 1) status = (await write()).status;
    expect(status).toBe(503);
    expect(await ready()).toBe(503);
    const { status: code, body } = await health();
    expect(code).toBe(503);
    expect(body).toMatchObject({ status: 'degraded', database: true });
    expect(body.subsystems.database).toMatchObject({ status: 'degraded', reads: 'ok', writes: 'down' });
    expect((await service.call('GET', '/v1/devices', { as: account.key })).status).toBe(200);

    empty();
    service.clock.advance(5_000);
    expect(await ready()).toBe(200);
    expect((await health()).body.subsystems.database).toMatchObject({ status: 'ok', writes: 'ok' });
    expect((await write()).status).toBe(201);
  },
);
