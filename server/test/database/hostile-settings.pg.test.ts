// @module-tag not-on-citus: has a database of its own
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { freshDatabase } from '../support/database.js';
import { type Account, type Service, startService } from '../support/service.js';

const HOSTILE = {
  datestyle: 'SQL, DMY',
  timezone: 'Asia/Kathmandu',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  standard_conforming_strings: 'off',
  client_encoding: 'LATIN1',
  statement_timeout: '1h',
  lock_timeout: '1h',
  idle_in_transaction_session_timeout: '1h',
};

let service: Service;
let url: string;
let account: Account;
let close: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshDatabase();
  await fresh.db.close();
  url = fresh.url as string;
  const outside = new pg.Client(url);
  await outside.connect();
  for (const [name, value] of Object.entries(HOSTILE))
    await outside.query(`alter database ${new URL(url).pathname.slice(1)} set ${name} = '${value}'`);
  await outside.end();
  const db = openPostgres({ url, connections: 3 });
  service = await startService({ db });
  account = await service.signUp({ plan: 'enterprise' });
  close = async () => {
    await service.close();
    await db.close();
  };
});
afterAll(() => close());

describe('a database with other settings than usual [service/database-settings]', () => {
  it('reads and writes times, numbers and text as every other', async () => {
    const now = new Date(service.clock.now()).toISOString();
    const metadata = { text: 'Zoë \\ \u2713 𝄞', third: 1 / 3 };
    const body = { name: 'Tür \\', batteryLevel: 33.333333333333336, metadata };
    const created = await service.call('POST', '/v1/devices', { as: account.key, body });
    expect(created.status, created.text).toBe(201);
    const { id } = created.body.device;
    const { device } = (await service.call('GET', `/v1/devices/${id}`, { as: account.key })).body;
    expect(device).toMatchObject({ ...body, createdAt: now });
    const list = await service.call('GET', `/v1/devices?from=${now}`, { as: account.key });
    expect(list.body.devices).toMatchObject([{ id, createdAt: now }]);
    const audit = await service.call('GET', '/v1/audit?action=device.created', { as: account.key });
    expect(audit.body.audit).toMatchObject([{ entityId: id, createdAt: now }]);
    expect((await service.call('GET', '/v1/audit/verify', { as: account.key })).status).not.toBe(500);
  });

  it('has ours in each connection before its first statement', async () => {
    const { db } = service;
    const names = Object.keys(HOSTILE);
    const rows = await Promise.all(
      Array.from({ length: 9 }, () =>
        db.query<{ name: string; setting: string }>(
          sql.query`select name, setting from pg_settings where lower(name) = any(${names}::text[])`,
        ),
      ),
    );
    for (const each of rows)
      expect(Object.fromEntries(each.map(({ name, setting }) => [name.toLowerCase(), setting]))).toEqual({
        datestyle: 'ISO, MDY',
        timezone: 'UTC',
        intervalstyle: 'postgres',
        bytea_output: 'hex',
        extra_float_digits: '1',
        standard_conforming_strings: 'on',
        client_encoding: 'UTF8',
        statement_timeout: '5000',
        lock_timeout: '10000',
        idle_in_transaction_session_timeout: '15000',
      });
  });

  it('uses no connection whose settings it refuses, and says why', async () => {
    // Three times as much is more than PostgreSQL takes for a timeout.
    const db = openPostgres({ url, connections: 2, timeoutMs: 800_000_000 });
    const statement = sql.query`select 1 as one`;
    const works = [
      () => db.query(statement),
      () => db.read('latest', [statement]),
      async () => (await db.begin()).rollback(),
    ];
    for (const work of works)
      await expect(work()).rejects.toMatchObject({
        name: 'DatabaseUnavailableError',
        message: 'The database refuses the settings of a connection',
        cause: { code: '22023', message: expect.stringContaining('idle_in_transaction_session_timeout') },
      });
    expect(db.pool?.()).toMatchObject({ total: 0 });
    await db.close();
  });
});
