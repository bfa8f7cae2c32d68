import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import * as exampleFixtures from '../../src/model/example-fixtures.js';
import { exampleOf, nameOf, type Stage, send } from '../support/contract/examples.js';
import { ADMIN_KEY, type Reply, type Service, startService } from '../support/service.js';

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

/** The examples in the documents contain these. They are not real secrets. */
const invented = new Set<string>([
  ...Object.values(exampleFixtures.secrets),
  exampleFixtures.code,
  exampleFixtures.challengeNonce,
]);

/** The secrets in a response: raw keys, tokens, one-time codes, an identity's secrets. */
const issuedSecrets = (text: string): string[] => secretsIn(text).filter((secret) => !invented.has(secret));
const secretsIn = (text: string): string[] => [
  ...(text.match(/svc_(live|test)_[0-9a-f]{48}/g) ?? []),
  ...(text.match(/whsec_[\w+/]{43}=/g) ?? []),
  ...(text.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? []),
  ...(text.match(/SV-[0-9A-Z]{4}-[0-9A-Z]{4}/g) ?? []),
  ...[...text.matchAll(/"challenge_nonce":"([^"]+)"/g)].map(([, nonce]) => nonce as string),
  ...[...text.matchAll(/"(?:biometricSecret|salt)":"([^"]+)"/g)].map(([, value]) => value as string),
  ...[...text.matchAll(/"clientSecret":"([^"]+)"/g)].map(([, secret]) => secret as string),
  ...[...text.matchAll(/"refreshToken":"([^"]+)"/g)].map(([, token]) => token as string),
];

async function hashes(tenantId: string): Promise<string[]> {
  const rows = await service.db.query<{ value: string }>(sql`
    select password_hash as value from tenants where id = ${tenantId}
    union all select key_hash from api_keys where tenant_id = ${tenantId}
    union all select token_hash from refresh_tokens where tenant_id = ${tenantId}`);
  return rows.map(({ value }) => value);
}

describe('a secret', () => {
  it('is returned only in the response that issues it, and never logged [D1.11]', async () => {
    const known = new Set<string>([SECRET, ADMIN_KEY]);
    const stages: Stage[] = [];
    const check = (reply: Reply, name: string) => {
      const returned = [...known].filter((secret) => reply.text.includes(secret));
      expect(returned, `${name} returns secrets again`).toEqual([]);
    };
    for (const route of routes) {
      const account = await service.signUp({ plan: 'enterprise' });
      // Console tokens issued in the same second are equal.
      service.clock.advance(1_000);
      const stage = { service, account };
      stages.push(stage);
      for (const secret of [account.password, account.key, account.token]) known.add(secret);
      const prepared = await exampleOf(route)(stage);
      for (const secret of issuedSecrets(JSON.stringify(prepared))) known.add(secret);
      const reply = await send(route, stage, { prepared });
      for (const hash of await hashes(account.tenantId)) known.add(hash);
      check(reply, nameOf(route));
      const fresh = issuedSecrets(reply.text);
      expect(fresh.length > 0, `${nameOf(route)} must be declared secret`).toBe(route.secret === true);
      for (const secret of fresh) known.add(secret);
    }
    // Call every list again, now that it has rows, and provoke an error of each route.
    for (const stage of stages.slice(-4)) {
      for (const route of routes) {
        if (!route.path.includes(':') && route.method === 'GET')
          check(await send(route, stage), nameOf(route));
        check(await send(route, stage, { body: { password: [], key: 1 } }), nameOf(route));
      }
    }
    const log = service.logged.join('\n');
    expect(
      [...known].filter((secret) => log.includes(secret)),
      'the log contains secrets',
    ).toEqual([]);
  });

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
