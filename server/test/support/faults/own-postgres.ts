import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { makePostgres } from '../../../../scripts/testing/test-databases.mjs';
import { migrate, readMigrations } from '../../../src/db/migrate.js';
import { openPostgres } from '../../../src/db/pg.js';
import { migrationsFolder } from '../database.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../service.js';
import { openPgProxy, type PgProxy } from './pg-proxy.js';

type OwnPostgres = Awaited<ReturnType<typeof makePostgres>>;

/** A service with its own PostgreSQL server, which a test can break. */
export interface ServiceOnOwnPostgres {
  readonly server: OwnPostgres;
  readonly proxy: PgProxy;
  readonly service: Service;
  readonly account: Account;
  close(): Promise<void>;
}

export async function startOnOwnPostgres(
  options: Parameters<typeof makePostgres>[0] = {},
): Promise<ServiceOnOwnPostgres> {
  const server = await makePostgres(options);
  await server.start();
  const proxy = await openPgProxy(server.url);
  const db = openPostgres({ url: proxy.url });
  await migrate(db, await readMigrations(migrationsFolder));
  const service = await startService({ db, env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  const account = await service.signUp({ plan: 'enterprise' });
  return {
    server,
    proxy,
    service,
    account,
    async close() {
      await service.close();
      await db.close();
      proxy.close();
      await server.remove();
    },
  };
}

/** Writes continuously until stopped. Every response must be 201, or 503 with Retry-After. */
export function keepWriting({ service, account }: ServiceOnOwnPostgres, workers = 8) {
  const acknowledged = new Set<string>();
  const counts = { unavailable: 0 };
  let isRunning = true;
  const write = async () => {
    while (isRunning) {
      const reply = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
      if (reply.status === 201) acknowledged.add(reply.body.device.id);
      else {
        expect([reply.status, reply.body.error]).toEqual([503, 'service_unavailable']);
        expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
        counts.unavailable += 1;
        // Wait like a client that follows Retry-After, but not for whole seconds.
        await pause(20);
      }
    }
  };
  const writers = Promise.all(Array.from({ length: workers }, write));
  writers.catch(() => {});
  return {
    acknowledged,
    counts,
    stop() {
      isRunning = false;
      return writers;
    },
  };
}

/** Expects every acknowledged device once, with exactly one audit event. */
export async function expectAllStored(
  { service, account }: ServiceOnOwnPostgres,
  acknowledged: ReadonlySet<string>,
): Promise<void> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { body } = await service.call('GET', `/v1/devices?limit=100${cursor}`, { as: account.key });
    ids.push(...body.devices.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  const stored = new Set(ids);
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  const { body } = await service.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
    headers: { 'x-api-key': ADMIN_KEY },
  });
  expect(body).toMatchObject({ status: 'pass', checked: 2 + stored.size });
}
