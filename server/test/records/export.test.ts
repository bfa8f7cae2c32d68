import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailableError } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { readAll, watchedExports } from '../support/faults/watched-export.js';
import { type Account, type Service, startService } from '../support/service.js';

/** More than a list counts, and more than one page of an export. */
const ROWS = 10_050;

describe('the export of a list [records/export]', () => {
  let service: Service;
  let account: Account;
  let watched: Awaited<ReturnType<typeof watchedExports>>;
  let state: typeof watched.state;

  beforeAll(async () => {
    watched = await watchedExports(/^select id, environment, full_name.* from tenant_users/s);
    ({ service, state } = watched);
    account = await service.signUp({ plan: 'enterprise' });
    await fill(account, ROWS);
  });
  afterAll(() => service.close());

  const fill = ({ tenantId }: Account, rows: number) =>
    service.db.query(sql`insert into tenant_users
        (tenant_id, environment, id, full_name, external_id, created_at, updated_at)
      select ${tenantId}::uuid, 'live', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Person ' || n,
        'p-' || n, now(), now() from generate_series(1, ${rows}::int) as n`);
  const call = (path: string, session = account.token) => service.call('GET', path, { session });
  const open = (as = account.token) => watched.open('/v1/users/export', as);

  it.each([
    ['newest', (n: number) => ROWS - n],
    ['oldest', (n: number) => n + 1],
  ] as const)('contains all rows over many pages, %s first', async (sort, numberOf) => {
    const { text } = await call(`/v1/users/export?format=jsonl&sort=${sort}`);
    const names = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).fullName);
    expect(names).toEqual(Array.from({ length: ROWS }, (_, n) => `Person ${numberOf(n)}`));
  });

  it('has the media type, a file name, and no copy in a cache', async () => {
    for (const [format, media] of [
      ['csv', 'text/csv; charset=utf-8'],
      ['jsonl', 'application/x-ndjson; charset=utf-8'],
    ]) {
      const { status, headers } = await call(`/v1/users/export?format=${format}&q=p-77`);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe(media);
      expect(headers['content-disposition']).toBe(`attachment; filename="users-live-2026-05-12.${format}"`);
      expect(headers['cache-control']).toBe('no-store');
    }
    const { text } = await call('/v1/users/export?q=nobody');
    expect(text).toMatch(/^\ufeffid,environment,fullName,.*,deviceName\r\n$/);
    for (const query of ['format=xlsx', 'limit=1', 'cursor=x', 'environment=both'])
      expect((await call(`/v1/users/export?${query}`)).status, query).toBe(400);
  });

  it('has metadata as JSON, and formulas as text', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    const body = { fullName: '=HYPERLINK("http://x")', phone: '+41 44', metadata: { a: '=1', b: '"' } };
    await service.call('POST', '/v1/users', { as: own.key, body });
    const { text } = await call('/v1/users/export', own.token);
    const [, row] = text.split('\r\n');
    expect(row).toContain(`,"'=HYPERLINK(""http://x"")",`);
    expect(row).toContain(`,'+41 44,`);
    expect(row).toContain(`,"{""a"":""=1"",""b"":""\\""""}",`);
  });

  it('reads no further page for a client that went away', async () => {
    const { server } = service.app.http;
    const closed = new Promise((resolve) => {
      server.once('request', (_, response) => response.once('close', resolve));
    });
    const opened = open();
    state.pages = 0;
    state.afterPage = async () => {
      if (state.pages !== 2) return;
      (await opened).destroy();
      await closed;
    };
    await closed;
    state.afterPage = async () => undefined;
    // A further page would be read before these are served.
    for (let n = 0; n < 5; n++) expect((await call('/api/console/devices')).status).toBe(200);
    expect(state.pages).toBe(2);
  });

  it('is aborted when the console token ends', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    await service.db.query(sql`insert into tenant_users (tenant_id, environment, id, full_name, created_at, updated_at)
      select ${own.tenantId}::uuid, 'live', ('10000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Person', now(),
        now() from generate_series(1, 600) as n`);
    state.afterPage = () =>
      service.db.query(sql`update tenants set token_version = token_version + 1 where id = ${own.tenantId}`);
    await expect(readAll(await open(own.token))).rejects.toThrow(/aborted/);
    state.afterPage = async () => undefined;
  });

  it('returns 503 if it fails before the first row, and is aborted if it fails later', async () => {
    state.pages = 0;
    state.failFrom = 1;
    expect((await call('/v1/users/export')).status).toBe(503);
    state.pages = 0;
    state.failFrom = 2;
    await expect(readAll(await open())).rejects.toThrow(/aborted/);
    state.failFrom = Number.POSITIVE_INFINITY;
  });

  describe('is in the audit log as tenant.exported [audit/exports-are-audited]', () => {
    const exports = async ({ key }: Account) => {
      const { body } = await service.call('GET', '/v1/audit?action=tenant.exported', { as: key });
      return body.audit.map(({ metadata }: { metadata: object }) => metadata);
    };

    it('with what was exported and how many, or that there were more than it counts', async () => {
      const own = await service.signUp({ plan: 'enterprise' });
      await service.call('POST', '/v1/users', { as: own.key, body: { fullName: 'Ada' } });
      await service.call('POST', '/v1/users', { as: own.key, body: { fullName: 'Grace' } });
      for (const path of ['users/export', 'users/export?q=ada', 'devices/export?format=jsonl'])
        expect((await service.call('GET', `/v1/${path}`, { as: own.key })).status).toBe(200);
      expect(await exports(own)).toEqual([
        { records: 'devices', count: 0, countIsExact: true },
        { records: 'users', count: 1, countIsExact: true },
        { records: 'users', count: 2, countIsExact: true },
      ]);
      await call('/v1/users/export?status=active');
      expect((await exports(account))[0]).toEqual({ records: 'users', count: 10_000, countIsExact: false });
    });

    it('names the API key or the dashboard, and never the filter', async () => {
      const own = await service.signUp({ plan: 'enterprise' });
      await call('/v1/users/export?q=lovelace', own.token);
      await service.call('GET', '/v1/users/export?q=lovelace', { as: own.key });
      const { body, text } = await service.call('GET', '/v1/audit?limit=2', { as: own.key });
      expect(body.audit.map((event: { actorType: string }) => event.actorType)).toEqual([
        'api_key',
        'member',
      ]);
      expect(text).not.toContain('lovelace');
    });

    it('before its first byte, also if the client goes away', async () => {
      const own = await service.signUp({ plan: 'enterprise' });
      state.pages = 0;
      let recorded: object[] = [];
      state.afterPage = async () => {
        recorded = await exports(own);
      };
      (await open(own.token)).destroy();
      state.afterPage = async () => undefined;
      expect(recorded).toEqual([{ records: 'users', count: 0, countIsExact: true }]);
    });

    it('or does not begin: nothing is read while the audit log can’t be written', async () => {
      const { db } = await sharedDatabase();
      const unwritable = { ...db, begin: () => Promise.reject(new DatabaseUnavailableError('read-only')) };
      const node = await startService({ db: unwritable, clock: service.clock });
      try {
        for (const path of ['/v1/users/export', '/v1/audit/export']) {
          const reply = await node.call('GET', path, { as: account.key });
          expect([reply.status, reply.body.error]).toEqual([503, 'service_unavailable']);
        }
      } finally {
        await node.close();
      }
    });
  });

  it('belongs to a list that counts no more than 10,000 matching rows [records/searching]', async () => {
    const totalOf = async (query: string) => {
      const { total, totalIsExact } = (await call(`/v1/users?limit=1&include=total${query}`)).body;
      return [total, totalIsExact];
    };
    expect(await totalOf('')).toEqual([ROWS, true]);
    expect(await totalOf('&status=active')).toEqual([10_000, false]);
    expect(await totalOf('&q=person')).toEqual([10_000, false]);
    expect(await totalOf('&q=p-100')).toEqual([62, true]);
    expect(await totalOf('&status=inactive')).toEqual([0, true]);
  });
});
