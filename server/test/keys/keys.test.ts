import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/crypto/keyring.js';
import { sql } from '../../src/db/sql.js';
import { DEFAULT_SCOPES, SCOPES } from '../../src/model/scopes.js';
import { type Account, ADMIN_KEY, freshAddress, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(16 * 60_000);
  account = await service.signUp({ plan: 'enterprise' });
});

const create = (body: object, as = account.token) =>
  service.call('POST', '/api/console/keys', { as, body: { name: 'Key', environment: 'live', ...body } });
const list = async (as = account.token) => (await service.call('GET', '/api/console/keys', { as })).body.keys;
const use = (as: string) => service.call('GET', '/v1/audit?limit=1', { as });

describe('an API key', () => {
  it('has 192 random bits in the documented format, and is unique', async () => {
    const keys: string[] = [];
    for (let owner = 0; owner < 6; owner += 1) {
      const { token, key } = await service.signUp();
      keys.push(key);
      for (let made = 0; made < 9; made += 1) {
        const environment = made % 2 === 0 ? 'live' : 'test';
        const { apiKey } = (await create({ environment }, token)).body;
        expect(apiKey.key).toMatch(new RegExp(`^svc_${environment}_[0-9a-f]{48}$`));
        expect(apiKey.prefix).toBe(apiKey.key.slice(0, 16));
        keys.push(apiKey.key);
      }
    }
    expect(new Set(keys).size).toBe(keys.length);
    const digits = keys.map((key) => key.slice(9)).join('');
    const counts = [...'0123456789abcdef'].map((digit) => digits.split(digit).length - 1);
    const expected = digits.length / 16;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // A uniform source exceeds this in one run of ten million (15 degrees of freedom).
    expect(chiSquare).toBeLessThan(62);
  });

  it('matches the pattern and the gitleaks rule that the guide publishes', async () => {
    const guide = readFileSync(new URL('../../../docs/keys.md', import.meta.url), 'utf8');
    const patterns = [/^svc_\(.*$/m, /(?<=^regex = ''').*(?='''$)/m].map(
      (line) => line.exec(guide)?.[0] as string,
    );
    expect(patterns).toHaveLength(2);
    const { apiKey } = (await create({ environment: 'test' })).body;
    for (const pattern of patterns)
      for (const key of [account.key, apiKey.key])
        expect(new RegExp(pattern, 'g').exec(`KEY="${key}"\n`)?.[0]).toBe(key);
  });

  it('is stored only as its SHA-256, and returned once [API key: (none) → active] [keys/fields-of-a-key] [GET /api/console/keys] [POST /api/console/keys]', async () => {
    const { apiKey } = (await create({ environment: 'test' })).body;
    const [row] = await service.db.query<{ key_hash: string; all: string }>(
      sql`select key_hash, to_jsonb(k)::text as all from api_keys k where id = ${apiKey.id}`,
    );
    expect(row!.key_hash).toBe(sha256(apiKey.key));
    expect(row!.all).not.toContain(apiKey.key.slice(17));
    const { key: _, warning, ...shown } = apiKey;
    expect(warning).toContain('once');
    expect(await list()).toContainEqual(shown);
  });

  it.each([
    ['another prefix', (key: string) => key.replace('svc_', 'sk_')],
    ['another environment', (key: string) => key.replace('_live_', '_test_')],
    ['an unknown environment', (key: string) => key.replace('_live_', '_prod_')],
    ['47 digits', (key: string) => key.slice(0, -1)],
    ['49 digits', (key: string) => `${key}0`],
    ['upper case', (key: string) => key.toUpperCase()],
    ['upper-case digits', (key: string) => `svc_live_${key.slice(9).toUpperCase()}`],
    ['an inner space', (key: string) => `${key.slice(0, 20)} ${key.slice(20)}`],
    ['a character that is not hexadecimal', (key: string) => `${key.slice(0, -1)}g`],
    ['a quote', (key: string) => `${key}'`],
    ['a wildcard', () => `svc_live_${'%'.repeat(48)}`],
    ['its hash', (key: string) => sha256(key)],
    ['an empty value', () => ''],
  ])('with %s returns 401 invalid_api_key', async (_, change) => {
    const form = change(`svc_live_${'ab'.repeat(24)}`) === '' ? '' : change(account.key);
    if (form !== '' && !/^svc_live_[0-9a-f]{48}$/.test(form)) {
      const bearer = await use(form);
      expect(`${bearer.status} ${bearer.body.error}`).toBe('401 invalid_api_key');
    }
    const header = await service.call('GET', '/v1/audit', { headers: { 'x-api-key': form } });
    expect(`${header.status} ${header.body.error}`).toBe('401 invalid_api_key');
  });

  it('in the wrong format gets a message that names the mistake', async () => {
    const messageOf = async (headers: Record<string, string | string[]>) => {
      const { status, body } = await service.call('GET', '/v1/audit', { headers });
      expect(`${status} ${body.error}`).toBe('401 invalid_api_key');
      expect(body.message).not.toContain(account.key);
      return body.message;
    };
    const { key, token } = account;
    expect(await messageOf({ authorization: key })).toContain('must be `Bearer svc_…`');
    expect(await messageOf({ authorization: `Basic ${key}` })).toContain('must be `Bearer svc_…`');
    expect(await messageOf({ authorization: `Bearer ${key.slice(0, -1)}` })).toContain(
      '48 lower-case hex digits',
    );
    expect(await messageOf({ 'x-api-key': 'sk_live_1' })).toContain('48 lower-case hex digits');
    expect(await messageOf({ authorization: `Bearer ${token}` })).toContain(
      'This is a token, not an API key',
    );
    expect(await messageOf({ authorization: `Bearer ${key}`, 'x-api-key': token })).toContain(
      'different keys',
    );
    expect(await messageOf({ 'x-api-key': [key, key] })).toContain('Send the API key once');
  });

  it('in the right format gets the same message whether it is unknown, revoked or expired', async () => {
    const { apiKey } = (await create({})).body;
    await service.call('DELETE', `/api/console/keys/${apiKey.id}`, { as: account.token });
    const expiresAt = new Date(service.clock.now() + 1000).toISOString();
    const expired = (await create({ expiresAt })).body.apiKey.key;
    service.clock.advance(2000);
    const messages = [`svc_live_${'0'.repeat(48)}`, apiKey.key, expired].map(
      async (key) => (await use(key)).body.message,
    );
    expect(new Set(await Promise.all(messages))).toEqual(
      new Set(['The API key is invalid, expired or revoked.']),
    );
  });

  it('sent to the console gets a message that asks for a token', async () => {
    const messageOf = async (headers: Record<string, string>) => {
      const { status, body } = await service.call('GET', '/api/console/keys', { headers });
      expect(`${status} ${body.error}`).toBe('401 invalid_console_token');
      return body.message;
    };
    expect(await messageOf({ authorization: `Bearer ${account.key}` })).toContain('not an API key');
    expect(await messageOf({ 'x-api-key': account.key })).toContain('not an API key');
    expect(await messageOf({ authorization: account.token })).toContain('must be `Bearer <token>`');
    expect(await messageOf({})).toContain('Log in');
  });

  it('in the query string is ignored', async () => {
    for (const query of [
      `api_key=${account.key}`,
      `key=${account.key}`,
      `x-api-key=${account.key}`,
      `access_token=${account.key}`,
    ])
      expect((await service.call('GET', `/v1/audit?${query}`)).body.error).toBe('missing_api_key');
  });

  it('is rejected as soon as it is revoked, and a second revocation changes nothing [DELETE /api/console/keys/:keyId]', async () => {
    const { apiKey } = (await create({})).body;
    expect((await use(apiKey.key)).status).toBe(200);
    const revoke = () => service.call('DELETE', `/api/console/keys/${apiKey.id}`, { as: account.token });
    const [first] = await Promise.all([revoke(), revoke(), revoke()]);
    expect(first.body.apiKey).toMatchObject({
      id: apiKey.id,
      status: 'revoked',
      revokedAt: new Date(service.clock.now()).toISOString(),
    });
    expect((await use(apiKey.key)).body.error).toBe('invalid_api_key');
    service.clock.advance(60_000);
    const second = await revoke();
    expect(second.status).toBe(200);
    expect(second.body.apiKey.revokedAt).toBe(first.body.apiKey.revokedAt);
    expect(second.body).not.toHaveProperty('apiKey.key');
    const audit = await service.call('GET', '/v1/audit?action=api_key.revoked', { as: account.key });
    expect(audit.body.audit).toHaveLength(1);
    expect((await list()).find((key: { id: string }) => key.id === apiKey.id).status).toBe('revoked');
  });

  it('can only be revoked by its own account: others get 404 api_key_not_found', async () => {
    const stranger = await service.signUp();
    for (const id of [stranger.keyId, crypto.randomUUID(), 'x']) {
      const reply = await service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
      expect([reply.status, reply.body.error]).toEqual([404, 'api_key_not_found']);
    }
    expect((await use(stranger.key)).status).toBe(200);
  });

  it('of the test environment is recorded in the test environment’s audit chain [console/console-endpoints]', async () => {
    const { apiKey } = (await create({ environment: 'test' })).body;
    const live = await service.call('GET', '/v1/audit', { as: account.key });
    const test = await service.call('GET', '/v1/audit', { as: apiKey.key });
    const entities = (reply: typeof live) =>
      reply.body.audit.map((event: { entityId: string }) => event.entityId);
    expect(entities(test)).toEqual([apiKey.id]);
    expect(entities(live)).not.toContain(apiKey.id);
  });

  it('is valid until expiresAt, and then no longer counts toward the limit of ten [console/console-endpoints]', async () => {
    const now = service.clock.now();
    const expiresAt = new Date(now + 1_000).toISOString();
    const { apiKey } = (await create({ expiresAt })).body;
    expect(apiKey.expiresAt).toBe(expiresAt);
    for (let made = 0; made < 8; made += 1) expect((await create({})).status).toBe(201);
    expect((await create({})).body.error).toBe('api_key_limit_reached');
    service.clock.advance(999);
    expect((await use(apiKey.key)).status).toBe(200);
    service.clock.advance(1);
    expect((await use(apiKey.key)).body.error).toBe('invalid_api_key');
    expect((await list()).find((key: { id: string }) => key.id === apiKey.id).status).toBe('expired');
    expect((await create({})).status).toBe(201);
    for (const past of [new Date(service.clock.now()).toISOString(), '2020-01-01T00:00:00Z'])
      expect((await create({ expiresAt: past })).body.details[0].path).toBe('body.expiresAt');
  });

  it('gets the default scopes or exactly those requested, without duplicates; unknown scopes return 400 [keys/default-scopes]', async () => {
    expect((await create({})).body.apiKey.scopes).toEqual(DEFAULT_SCOPES);
    expect(DEFAULT_SCOPES).toHaveLength(15);
    expect((await create({ scopes: ['audit:read', 'saml:login', 'audit:read'] })).body.apiKey.scopes).toEqual(
      ['audit:read', 'saml:login'],
    );
    expect((await create({ scopes: [...SCOPES] })).body.apiKey.scopes).toEqual(SCOPES);
    for (const scopes of [
      [],
      ['*'],
      ['admin'],
      ['devices:*'],
      ['Devices:read'],
      ['devices:read '],
      'devices:read',
      null,
      [null],
      Array(SCOPES.length + 1).fill('audit:read'),
    ])
      expect((await create({ scopes })).body.error).toBe('invalid_request');
    for (const environment of ['LIVE', 'prod', '', null])
      expect((await create({ environment })).status).toBe(400);
  });
});

describe('the limit of ten active keys', () => {
  const active = async (tenantId: string) =>
    (
      await service.db.query<{ n: number }>(
        sql`select count(*) as n from api_keys where tenant_id = ${tenantId} and revoked_at is null`,
      )
    )[0]!.n;

  it('holds when keys are created concurrently [limit: Active API keys per tenant]', async () => {
    for (let made = 0; made < 7; made += 1) await create({});
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => create({ environment: at % 2 ? 'live' : 'test' })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
    const rejected = replies.filter(({ status }) => status !== 201);
    for (const reply of rejected)
      expect(`${reply.status} ${reply.body.error}`).toBe('409 api_key_limit_reached');
    expect(await active(account.tenantId)).toBe(10);
    const keys = await list();
    await service.call('DELETE', `/api/console/keys/${keys[0].id}`, { as: account.token });
    expect((await create({})).status).toBe(201);
  });

  it('is enforced without deadlocks while the account’s devices change', async () => {
    const device = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Gate' } });
    const path = `/v1/devices/${device.body.device.id}`;
    const calls = Array.from({ length: 60 }, (_, at) =>
      at % 4 === 0
        ? create({ name: `Key ${at}` })
        : service.call('PATCH', path, { as: account.key, body: { batteryLevel: at } }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(45);
    expect(await active(account.tenantId)).toBe(10);
  });
});

describe('the list of keys', () => {
  type Listed = { id: string; status: string };
  const pageOf = async (query: string) =>
    (await service.call('GET', `/api/console/keys?${query}`, { as: account.token })).body as {
      keys: Listed[];
      nextCursor: string | null;
    };
  const pagesOf = async (limit: number, between = async () => {}) => {
    const keys: Listed[] = [];
    let cursor = '';
    do {
      const body = await pageOf(`limit=${limit}${cursor}`);
      keys.push(...body.keys);
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : '';
      await between();
    } while (cursor !== '');
    return keys;
  };
  const revoke = (id: string) => service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
  const createNext = async (body: object = {}) => {
    service.clock.advance(1_000);
    return (await create(body)).body.apiKey.id as string;
  };

  it('starts with active keys, then newest first, in pages of 50 by default', async () => {
    const ended: string[] = [];
    for (let made = 0; made < 60; made += 1) {
      const id = await createNext();
      await revoke(id);
      ended.unshift(id);
    }
    const expiring = await createNext({ expiresAt: new Date(service.clock.now() + 2_000).toISOString() });
    const newest = await createNext({ environment: 'test' });
    service.clock.advance(1_000);
    const whole = [newest, account.keyId, expiring, ...ended];
    for (const limit of [1, 7, 100]) expect((await pagesOf(limit)).map(({ id }) => id)).toEqual(whole);
    const first = await pageOf('');
    expect(first.keys.map(({ id }) => id)).toEqual(whole.slice(0, 50));
    expect(first.keys.slice(0, 3).map(({ status }) => status)).toEqual(['active', 'active', 'expired']);
  });

  it('returns each key once even if keys are created or revoked between pages', async () => {
    const made = [await createNext(), await createNext(), await createNext()];
    const expiring = await createNext({ expiresAt: new Date(service.clock.now() + 2_500).toISOString() });
    const listed = await pagesOf(1, async () => {
      const next = made.shift();
      if (next !== undefined) await revoke(next);
      await createNext();
    });
    const ids = listed.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(5);
    expect(ids).toContain(expiring);
  });
});

describe('a key’s last use', () => {
  const lastUsed = async () =>
    (await list()).find((key: { id: string }) => key.id === account.keyId).lastUsedAt;

  it('is stored at most once a minute', async () => {
    const { meter } = service.app.deps;
    expect(await lastUsed()).toBeNull();
    const first = service.clock.now();
    await use(account.key);
    await meter.flush();
    expect(await lastUsed()).toBe(new Date(first).toISOString());
    service.clock.advance(59_999);
    await use(account.key);
    await meter.flush();
    expect(await lastUsed()).toBe(new Date(first).toISOString());
    service.clock.advance(1);
    await use(account.key);
    await meter.flush();
    expect(await lastUsed()).toBe(new Date(first + 60_000).toISOString());
  });
});

describe('the admin key', () => {
  const admin = (key: string | string[] | undefined, address = freshAddress(), of = service) =>
    of.call('GET', '/api/admin/audit-integrity?limit=1', {
      address,
      ...(key !== undefined && { headers: { 'x-api-key': key } }),
    });

  it('is the only credential that admin endpoints accept, and is accepted nowhere else', async () => {
    expect((await admin(ADMIN_KEY)).status).toBe(200);
    expect((await admin(undefined)).body.error).toBe('missing_api_key');
    for (const key of [
      '',
      'x',
      ADMIN_KEY.slice(0, 31),
      ADMIN_KEY.slice(0, -1),
      `${ADMIN_KEY}0`,
      ADMIN_KEY.toUpperCase(),
      ` ${ADMIN_KEY}`,
      account.key,
      account.token,
    ])
      expect((await admin(key)).body.error).toBe('invalid_api_key');
    expect((await admin([ADMIN_KEY, ADMIN_KEY])).body.error).toBe('invalid_api_key');
    const bearer = await service.call('GET', '/api/admin/audit-integrity', {
      as: ADMIN_KEY,
      address: freshAddress(),
    });
    expect(bearer.body.error).toBe('missing_api_key');
    for (const path of ['/v1/audit', '/v1/devices']) {
      expect((await service.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } })).body.error).toBe(
        'invalid_api_key',
      );
    }
  });

  it.each([undefined, ''])('when not configured (%j) makes admin endpoints return 404', async (value) => {
    const env = { ADMIN_API_KEY: value ?? '' };
    const closed = await startService({ env });
    for (const key of [undefined, '', 'undefined', ADMIN_KEY]) {
      const reply = await admin(key, freshAddress(), closed);
      expect(`${reply.status} ${reply.body.error}`).toBe('404 not_found');
    }
    await closed.close();
  });

  it('allows ten failed attempts a minute from one address [service/operator-endpoints]', async () => {
    const address = freshAddress();
    for (let guess = 0; guess < 10; guess += 1)
      expect((await admin(`guess ${guess}`, address)).status).toBe(401);
    const stopped = await admin(ADMIN_KEY, address);
    expect(`${stopped.status} ${stopped.headers['retry-after']}`).toBe('429 60');
    expect((await admin(ADMIN_KEY)).status, 'from another address').toBe(200);
    service.clock.advance(60_000);
    expect((await admin(ADMIN_KEY, address)).status).toBe(200);
  });
});
