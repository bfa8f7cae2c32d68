import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { ADMIN_KEY, type Service, startService } from '../support/service.js';

const SECRET = 'a secret of this suite alone, 32 bytes and more';
const routes = routesOf('0.0.0-test');
let service: Service;

beforeAll(async () => {
  service = await startService({ secret: SECRET });
  await removeSealed();
});
afterAll(async () => {
  await removeSealed();
  await service.close();
});

/** The tests share a database, and services with another secret can't decrypt these. */
async function removeSealed(): Promise<void> {
  await service.db.query(sql.mutation`delete from webhooks`);
  for (const table of ['oidc_clients', 'oidc_keys', 'oidc_issuers'])
    await service.db.script(`delete from ${table}`);
  await service.db.query(sql.mutation`delete from sealing_keys`);
}

describe('a secret', () => {
  it('is never stored in plain text', async () => {
    const account = await service.signUp({ companyName: 'At rest' });
    const raw = [account.key, account.password, account.token, SECRET, ADMIN_KEY];
    const tables = await service.db.query<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const text = `select count(*) as n from ${name} t where to_jsonb(t)::text like any ($1::text[])`;
      const [row] = await service.db.query<{ n: number }>({
        text,
        values: [raw.map((value) => `%${value}%`)],
      });
      expect(row!.n, name).toBe(0);
    }
  });
});

describe('the log', () => {
  it('never contains a request’s address, headers, body or personal data', async () => {
    const account = await service.signUp({ companyName: 'Muster AG' });
    const from = service.logged.length;
    const marks = [
      'needle-in-query',
      'needle-in-body',
      'needle-in-path',
      'needle-in-header',
      'needle-in-agent',
    ];
    const headers = { 'x-custom': 'needle-in-header', 'user-agent': 'needle-in-agent' };
    for (const route of routes) {
      const path = `${route.path.replaceAll(/:\w+/g, 'needle-in-path')}?q=needle-in-query`;
      const as = route.auth.kind === 'console' ? account.token : account.key;
      await service.call(route.method, path, { as, body: { mark: 'needle-in-body' }, headers });
    }
    await service.call('GET', '/needle-in-path?q=needle-in-query', { headers });
    await service.call('GET', '/%zz/needle-in-path', { headers });
    const body = { email: account.email, password: 'wrong needle-in-body 1' };
    await service.call('POST', '/api/console/login', { body });
    await service.call('POST', '/api/console/signup', { body: { ...body, companyName: 'Muster AG' } });
    const lines = service.logged.slice(from).join('\n');
    for (const mark of [...marks, account.email, 'Muster', account.key]) expect(lines).not.toContain(mark);
    for (const line of service.logged.slice(from)) expect(JSON.parse(line)).toHaveProperty('requestId');
  });

  it('contains the code of a database error, never the statement’s values or the row', async () => {
    const account = await service.signUp();
    const from = service.logged.length;
    await service.db.script(
      `alter table devices add constraint no_needle check (name <> 'needle-of-a-name')`,
    );
    try {
      const reply = await service.call('POST', '/v1/devices', {
        as: account.key,
        body: { name: 'needle-of-a-name', externalId: 'needle-of-an-id' },
      });
      expect(reply.status).toBe(500);
      expect(reply.body).toEqual({
        error: 'internal_error',
        message: expect.any(String),
        docs: '/docs/errors#internal_error',
        requestId: expect.any(String),
      });
    } finally {
      await service.db.script('alter table devices drop constraint no_needle');
    }
    const lines = service.logged.slice(from).join('\n');
    expect(lines).toContain('no_needle');
    expect(lines).toContain('23514');
    expect(lines).not.toContain('needle-of');
  });
});
