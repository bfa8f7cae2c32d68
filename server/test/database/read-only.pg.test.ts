// @module-tag if-touched @core docs/operating.md: starts a PostgreSQL server
// @module-tag not-on-citus: have a PostgreSQL server or databases of their own
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { freshDatabase } from '../support/database.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let outside: pg.Client;
let name: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshDatabase();
  await fresh.db.close();
  const url = fresh.url as string;
  name = new URL(url).pathname.slice(1);
  outside = new pg.Client(url);
  await outside.connect();
  const db = openPostgres({ url });
  service = await startService({ db });
  account = await service.signUp({ plan: 'enterprise' });
  close = async () => {
    await service.close();
    await db.close();
    await outside.end();
  };
});
afterAll(() => close());

const health = () => service.call('GET', '/api/health');
const ready = () => service.call('GET', '/api/health/ready');
const write = () => service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
const read = () => service.call('GET', '/v1/devices', { as: account.key });

/** Applies to new connections, so it ends those of the service. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await outside.query(
    `alter database ${name} ${isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`,
  );
  await outside.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'svc'`,
    [name],
  );
  await vi.waitFor(async () => expect((await read()).status).toBe(200));
}

it('a read-only PostgreSQL makes the node not ready, health names the writes, and both recover without a restart [service/health] [GET /api/health] [GET /api/health/ready]', async () => {
  expect((await health()).body.subsystems.database).toMatchObject({
    status: 'ok',
    reads: 'ok',
    writes: 'ok',
  });
  await setReadOnly(true);
  // The last answer counts until a write fails or five seconds have passed.
  expect((await ready()).status).toBe(200);
  expect((await write()).status).toBe(503);
  const reply = await ready();
  expect([reply.status, reply.body]).toEqual([503, { status: 'not_ready' }]);
  expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
  const { status, body } = await health();
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: 'degraded', database: true });
  expect(body.subsystems.database).toMatchObject({ status: 'degraded', reads: 'ok', writes: 'down' });
  expect((await read()).status).toBe(200);
  expect((await service.call('GET', '/api/health/live')).status).toBe(200);

  await setReadOnly(false);
  service.clock.advance(5_000);
  expect((await ready()).status).toBe(200);
  expect((await health()).body).toMatchObject({
    status: 'ok',
    subsystems: { database: { status: 'ok', writes: 'ok' } },
  });
  expect((await write()).status).toBe(201);
});

it('a PostgreSQL that became read-only is noticed within five seconds, also if nobody writes', async () => {
  await setReadOnly(true);
  service.clock.advance(5_000);
  expect((await ready()).status).toBe(503);
  await setReadOnly(false);
  service.clock.advance(5_000);
  expect((await ready()).status).toBe(200);
});

it('asking for health leaves no row and no audit event behind', async () => {
  const rows = async () =>
    (
      await outside.query<{ table: string; rows: string }>(
        `select c.relname as table, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', c.relname), false, true, '')))[1]::text as rows
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
      )
    ).rows;
  // Calls that are not yet counted would add rows.
  await service.app.deps.meter.flush();
  const before = await rows();
  service.clock.advance(5_000);
  expect((await ready()).status).toBe(200);
  expect((await health()).status).toBe(200);
  expect(await rows()).toEqual(before);
});
