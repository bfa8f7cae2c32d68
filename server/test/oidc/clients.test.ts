import { createHash, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { PLAN_LIMITS, PLANS } from '../../src/model/plans.js';
import { CLIENTS, createClient, WEB } from '../support/oidc-clients.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
});

const call = (method: string, path: string, body?: object, as = account.token) =>
  service.call(method, `${CLIENTS}${path}`, { as, ...(body && { body }) });
const create = (body: object = {}, query = '') => createClient(service, account, body, query);
const lastEvent = async () =>
  (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0];
const issuerRows = () =>
  service.db.query<{ n: number }>(sql`select
    (select count(*) from oidc_issuers where tenant_id = ${account.tenantId}) as issuers,
    (select count(*) from oidc_keys where tenant_id = ${account.tenantId}) as keys,
    (select count(*) from oidc_clients where tenant_id = ${account.tenantId}) as clients`);
/** In tables, because their values are in the names of the tests. */
const ED25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const publicKey = (type: 'ec' | 'rsa' | 'ed25519', options: object = {}): JsonWebKey =>
  generateKeyPairSync(type as 'ec', options as { namedCurve: string }).publicKey.export({ format: 'jwk' });

describe('creating a client [POST /api/console/oidc/clients] [oidc_client.created] [openid/clients]', () => {
  it('shows its secret once and its record without it', async () => {
    const { client, secret } = await create();
    expect(client).toEqual({
      clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Portal',
      type: 'web',
      redirectUris: ['https://app.example.com/callback'],
      postLogoutRedirectUris: [],
      backchannelLogoutUri: null,
      tokenEndpointAuth: 'client_secret_basic',
      jwks: null,
      subjectType: 'pairwise',
      requireDpop: false,
      requirePkce: true,
      claims: [],
      claimsInIdToken: true,
      idTokenAlg: 'RS256',
      issuer: `${service.app.deps.config.baseUrl}/oidc/${account.tenantId}/live`,
      previousSecretUntil: null,
      createdAt: new Date(service.clock.now()).toISOString(),
    });
    expect(Buffer.from(secret!, 'base64url')).toHaveLength(32);
    expect((await call('GET', `/${client.clientId}`)).body).toEqual({ client });
    expect(await lastEvent()).toMatchObject({
      action: 'oidc_client.created',
      entityType: 'oidc_client',
      entityId: client.clientId,
    });
  });

  it('stores a hash of the secret, and the secret neither in the database nor in the log', async () => {
    const { client, secret } = await create();
    const later = (await call('POST', `/${client.clientId}/rotate-secret`, {})).body.clientSecret;
    const [row] = await service.db.query<{ secret_hash: string; previous_secret_hash: string }>(
      sql`select secret_hash, previous_secret_hash from oidc_clients where id = ${client.clientId}`,
    );
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(row).toEqual({ secret_hash: hashOf(later), previous_secret_hash: hashOf(secret!) });
    const tables = await service.db.query<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const text = `select count(*) as n from ${name} t where to_jsonb(t)::text like any ($1::text[])`;
      const values = [[secret, later].map((value) => `%${value}%`)];
      expect(await service.db.query({ text, values }), name).toEqual([{ n: 0 }]);
    }
    for (const value of [secret!, later]) expect(service.logged.join('')).not.toContain(value);
  });

  it('accepts every optional field', async () => {
    const fields = {
      postLogoutRedirectUris: ['https://app.example.com', 'http://localhost:3000/bye'],
      backchannelLogoutUri: 'https://app.example.com/logout',
      requireDpop: true,
      claims: ['email', 'profile'],
      idTokenAlg: 'ES256',
      subjectType: 'public',
      tokenEndpointAuth: 'client_secret_post',
    };
    expect((await create(fields)).client).toMatchObject(fields);
  });

  it.each([
    ['web', 'none'],
    ['spa', 'none'],
    ['native', 'none'],
    ['device', 'none'],
    ['device', 'client_secret_basic'],
  ])('gives a %s client with %s a secret only if it can keep one', async (type, tokenEndpointAuth) => {
    const redirectUris = type === 'device' ? [] : WEB.redirectUris;
    const { client, secret } = await create({ type, tokenEndpointAuth, redirectUris });
    expect(client).toMatchObject({ type, tokenEndpointAuth, redirectUris });
    expect(secret !== undefined).toBe(tokenEndpointAuth !== 'none');
  });

  it.each([
    ['body.tokenEndpointAuth', { type: 'spa' }],
    ['body.tokenEndpointAuth', { type: 'spa', tokenEndpointAuth: 'private_key_jwt' }],
    ['body.tokenEndpointAuth', { type: 'native' }],
    ['body.tokenEndpointAuth', { type: 'native', tokenEndpointAuth: 'client_secret_post' }],
    ['body.redirectUris', { redirectUris: [] }],
    ['body.redirectUris', { type: 'device' }],
    ['body.redirectUris[1]', { redirectUris: ['https://a.example/', 'https://b.example/'] }],
    ['body.redirectUris[1]', { redirectUris: ['https://a.example/', 'https://a.example:8443/'] }],
    [
      'body.postLogoutRedirectUris[1]',
      { postLogoutRedirectUris: ['https://a.example', 'https://a.example/'] },
    ],
    ['body.postLogoutRedirectUris[0]', { postLogoutRedirectUris: ['com.example.app:/bye'] }],
    ['body.backchannelLogoutUri', { backchannelLogoutUri: 'http://app.example.com/logout' }],
    ['body.backchannelLogoutUri', { backchannelLogoutUri: 'https://10.0.0.1/logout' }],
    ['body.jwks', { tokenEndpointAuth: 'private_key_jwt' }],
    ['body.jwks', { tokenEndpointAuth: 'private_key_jwt', jwks: null }],
    ['body.jwks', { jwks: { keys: [ED25519] } }],
    ['body.name', { name: 'Portal\u202e' }],
    ['body.name', { name: ' Portal' }],
    ['body.name', { name: 'a'.repeat(101) }],
    ['body.claims.0', { claims: ['phone'] }],
    ['body.idTokenAlg', { idTokenAlg: 'HS256' }],
    ['body.redirectUris', { redirectUris: Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`) }],
    ['body.redirectUris.0', { redirectUris: [`https://a.example/${'a'.repeat(2_048)}`] }],
    ['body.subjectType', { subjectType: 'private' }],
    ['body.clientSecret', { clientSecret: 'mine' }],
  ])('names %s in the error for %j', async (path, body) => {
    const reply = await call('POST', '', { ...WEB, ...body });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    expect(reply.body.details[0].path).toBe(path);
  });

  it('allows a public client redirect URIs of several hosts', async () => {
    const redirectUris = ['https://a.example/', 'https://b.example/'];
    expect((await create({ redirectUris, subjectType: 'public' })).client).toMatchObject({ redirectUris });
  });

  it('allows as many as the plan says, in each environment, also at the same time [oidc_client_limit_reached]', async () => {
    await service.setPlan(account, 'free');
    const replies = await Promise.all(Array.from({ length: 6 }, () => call('POST', '', WEB)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.error).toBe('oidc_client_limit_reached');
    expect((await create({}, '?environment=test')).client.issuer).toMatch(/\/test$/);
    expect(PLANS.map((plan) => PLAN_LIMITS[plan].oidcClients)).toEqual([3, 10, 50, 200]);
  });

  it('creates one issuer for 20 first clients at the same time', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(new Set(created.map(({ client }) => client.clientId)).size).toBe(20);
    expect(new Set(created.map(({ client }) => client.issuer)).size).toBe(1);
    expect(await issuerRows()).toEqual([{ issuers: 1, keys: 2, clients: 20 }]);
  });

  it('creates nothing if it is rejected', async () => {
    await call('POST', '', { ...WEB, redirectUris: ['https://a.example/#'] });
    expect(await issuerRows()).toEqual([{ issuers: 0, keys: 0, clients: 0 }]);
  });
});

describe('the keys of a client with private_key_jwt', () => {
  const withKeys = (...keys: object[]) =>
    call('POST', '', { ...WEB, tokenEndpointAuth: 'private_key_jwt', jwks: { keys } });
  const secretKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const P256 = publicKey('ec', { namedCurve: 'P-256' });

  it.each([
    ['P-256', P256],
    ['P-384', publicKey('ec', { namedCurve: 'P-384' })],
    ['P-521', publicKey('ec', { namedCurve: 'P-521' })],
    ['RSA', publicKey('rsa', { modulusLength: 2_048 })],
    ['Ed25519', publicKey('ed25519')],
  ])('may be %s, and are returned without unknown members', async (_, jwk) => {
    const labels = { kid: 'main', use: 'sig' };
    const reply = await withKeys({ ...jwk, ...labels, ext: true, key_ops: ['verify'] });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.client.jwks).toEqual({ keys: [{ ...jwk, ...labels }] });
    expect(reply.body).not.toHaveProperty('clientSecret');
  });

  it.each([
    ['a private key', '[0]', [secretKey]],
    ['a private parameter', '[1]', [P256, { ...P256, d: 'AAAA' }]],
    ['a secret', '[0]', [{ kty: 'oct', k: 'AAAA' }]],
    ['a secret without its value', '[0]', [{ kty: 'oct' }]],
    ['an RSA key of 1,024 bits', '[0]', [publicKey('rsa', { modulusLength: 1_024 })]],
    ['another curve', '[0]', [publicKey('ec', { namedCurve: 'secp256k1' })]],
    ['the wrong curve', '[0]', [{ ...P256, crv: 'P-384' }]],
    ['a point that is not on the curve', '[0]', [{ ...P256, y: P256.x }]],
    ['no coordinates', '[0]', [{ kty: 'EC', crv: 'P-256' }]],
    ['no kind', '[0]', [{}]],
    ['an id that is not text', '[0].kid', [{ ...P256, kid: 7 }]],
    [
      'an id of two keys',
      '[1].kid',
      [
        { ...P256, kid: 'a' },
        { ...ED25519, kid: 'a' },
      ],
    ],
  ])('are rejected with %s, at keys%s', async (_, at, keys) => {
    const reply = await withKeys(...keys);
    expect([reply.status, reply.body.details?.[0]?.path]).toEqual([400, `body.jwks.keys${at}`]);
  });

  it('are one to ten', async () => {
    expect((await withKeys()).status).toBe(400);
    expect((await withKeys(...Array.from({ length: 11 }, () => P256))).status).toBe(400);
    expect((await withKeys(...Array.from({ length: 10 }, () => P256))).status).toBe(201);
  });

  it('say that a private key must not be sent', async () => {
    const { message } = (await withKeys(secretKey)).body;
    expect(message).toContain('contains a private key');
    expect(message).not.toContain(secretKey.d);
  });
});

describe('reading clients [GET /api/console/oidc/clients] [GET /api/console/oidc/clients/:clientId]', () => {
  it('lists those of one environment, newest first, in pages', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) {
      service.clock.advance(1);
      ids.unshift((await create({ name })).client.clientId);
    }
    await create({}, '?environment=test');
    const first = (await call('GET', '?limit=2')).body;
    const second = (await call('GET', `?limit=2&cursor=${first.nextCursor}`)).body;
    const listed = [...first.clients, ...second.clients];
    expect(listed.map(({ clientId }: { clientId: string }) => clientId)).toEqual(ids);
    expect([first.environment, second.nextCursor]).toEqual(['live', null]);
    expect((await call('GET', '?environment=test')).body.clients).toHaveLength(1);
  });

  it('finds no client of another account or environment [oidc_client_not_found]', async () => {
    const { clientId } = (await create()).client;
    const other = (await service.signUp()).token;
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/rotate-secret', {}],
    ] as const)
      for (const [query, as] of [
        ['', other],
        ['?environment=test', account.token],
      ] as const) {
        const reply = await call(method, `/${clientId}${path}${query}`, body, as);
        expect([reply.status, reply.body.error], method).toEqual([404, 'oidc_client_not_found']);
      }
    expect((await call('GET', `/${clientId}`)).body.client.name).toBe('Portal');
  });
});

describe('changing a client [PATCH /api/console/oidc/clients/:clientId] [oidc_client.updated]', () => {
  it('changes the fields that are sent, and names them in the audit event', async () => {
    const { client } = await create({ claims: ['email'], backchannelLogoutUri: 'https://a.example/logout' });
    const fields = { name: 'Shop', claims: [], requireDpop: true, idTokenAlg: 'ES256' };
    const reply = await call('PATCH', `/${client.clientId}`, { ...fields, backchannelLogoutUri: null });
    expect(reply.body.client).toEqual({ ...client, ...fields, backchannelLogoutUri: null });
    expect(await lastEvent()).toMatchObject({
      action: 'oidc_client.updated',
      metadata: { fields: 'backchannelLogoutUri claims idTokenAlg name requireDpop' },
    });
    const redirectUris = ['https://app.example.com/a', 'https://app.example.com/b'];
    const moved = await call('PATCH', `/${client.clientId}`, { redirectUris });
    expect(moved.body.client).toEqual({ ...reply.body.client, redirectUris });
  });

  it.each([
    {},
    { type: 'spa' },
    { tokenEndpointAuth: 'none' },
    { subjectType: 'public' },
    { name: null },
    { redirectUris: [] },
    { redirectUris: ['https://other.example/callback'] },
    { redirectUris: ['https://app.example.com/*'] },
    { postLogoutRedirectUris: ['http://app.example.com/'] },
    { backchannelLogoutUri: 'ftp://app.example.com/' },
    { jwks: { keys: [ED25519] } },
  ])('rejects %j', async (body) => {
    const { client } = await create();
    const reply = await call('PATCH', `/${client.clientId}`, body);
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    expect((await call('GET', `/${client.clientId}`)).body.client).toEqual(client);
  });

  it('replaces the keys of a client with private_key_jwt, but never removes them', async () => {
    const [first, second] = [publicKey('ed25519'), publicKey('ed25519')];
    const auth = { tokenEndpointAuth: 'private_key_jwt', jwks: { keys: [first] } };
    const { client } = await create(auth);
    const changed = await call('PATCH', `/${client.clientId}`, { jwks: { keys: [first, second] } });
    expect(changed.body.client.jwks).toEqual({ keys: [first, second] });
    expect((await call('PATCH', `/${client.clientId}`, { jwks: null })).body.details[0].path).toBe(
      'body.jwks',
    );
  });
});

describe('replacing the secret [POST /api/console/oidc/clients/:clientId/rotate-secret] [oidc_client.secret_rotated]', () => {
  const secretsOf = async (clientId: string) => {
    const [row] = await service.db.query<Record<string, string | null>>(
      sql`select secret_hash, previous_secret_hash from oidc_clients where id = ${clientId}`,
    );
    return row!;
  };

  it('keeps the previous secret for the grace, by default a day', async () => {
    const { client } = await create();
    const { secret_hash: first } = await secretsOf(client.clientId);
    const reply = await call('POST', `/${client.clientId}/rotate-secret`, {});
    expect(Object.keys(reply.body)).toEqual(['clientSecret']);
    expect((await secretsOf(client.clientId)).previous_secret_hash).toBe(first);
    const until = new Date(service.clock.now() + 86_400_000).toISOString();
    expect((await call('GET', `/${client.clientId}`)).body.client.previousSecretUntil).toBe(until);
    expect(await lastEvent()).toMatchObject({
      action: 'oidc_client.secret_rotated',
      metadata: { graceSeconds: 86_400 },
    });
  });

  it('ends the previous secret immediately with a grace of 0', async () => {
    const { client } = await create();
    await call('POST', `/${client.clientId}/rotate-secret`, {});
    await call('POST', `/${client.clientId}/rotate-secret`, { graceSeconds: 0 });
    expect((await secretsOf(client.clientId)).previous_secret_hash).toBeNull();
    expect((await call('GET', `/${client.clientId}`)).body.client.previousSecretUntil).toBeNull();
  });

  it('is rejected for a client without a secret, and for a grace over a week', async () => {
    const { client } = await create({ tokenEndpointAuth: 'none' });
    const none = await call('POST', `/${client.clientId}/rotate-secret`, {});
    expect([none.status, none.body.error]).toEqual([400, 'invalid_request']);
    expect(none.body.details).toEqual([{ path: 'params.clientId', message: 'is a client without a secret' }]);
    const web = (await create()).client.clientId;
    for (const graceSeconds of [-1, 604_801, 1.5])
      expect((await call('POST', `/${web}/rotate-secret`, { graceSeconds })).status).toBe(400);
  });
});

describe('deleting a client [DELETE /api/console/oidc/clients/:clientId] [oidc_client.deleted]', () => {
  /** A grant with a token. Returns its id. */
  async function grant(clientId: string, endedAt: Date | null = null): Promise<string> {
    const { tenantId } = account;
    const [id, other, now] = [crypto.randomUUID(), crypto.randomUUID(), new Date(service.clock.now())];
    await service.db.query(sql`insert into oidc_grants (tenant_id, environment, id, client_id, user_id, identity_id,
        verification_id, scope, created_at, expires_at, ended_at)
      values (${tenantId}, 'live', ${id}, ${clientId}, ${other}, ${other}, ${other}, 'openid', ${now}, ${now}, ${endedAt})`);
    await service.db.query(sql`insert into oidc_state (tenant_id, environment, id, kind, payload, grant_id, expires_at)
      values (${tenantId}, 'live', ${`AccessToken:${id}`}, 'AccessToken', '', ${id}, ${now})`);
    return id;
  }

  it('ends its sign-ins and deletes their tokens, and leaves those of other clients', async () => {
    const [client, other] = [(await create()).client, (await create()).client];
    const earlier = new Date(service.clock.now() - 1_000);
    const [open, ended, kept] = [
      await grant(client.clientId),
      await grant(client.clientId, earlier),
      await grant(other.clientId),
    ];
    expect((await call('DELETE', `/${client.clientId}`)).body).toEqual({ deleted: true });
    expect((await call('GET', `/${client.clientId}`)).status).toBe(404);
    expect((await call('DELETE', `/${client.clientId}`)).status).toBe(404);
    const grants = await service.db.query<{ id: string; ended_at: Date | null }>(
      sql`select id, ended_at from oidc_grants where tenant_id = ${account.tenantId}`,
    );
    expect(new Map(grants.map(({ id, ended_at }) => [id, ended_at]))).toEqual(
      new Map([
        [open, new Date(service.clock.now())],
        [ended, earlier],
        [kept, null],
      ]),
    );
    const states = await service.db.query(
      sql`select grant_id from oidc_state where tenant_id = ${account.tenantId}`,
    );
    expect(states).toEqual([{ grant_id: kept }]);
    expect(await lastEvent()).toMatchObject({ action: 'oidc_client.deleted', entityId: client.clientId });
    // The privacy check of other tests would find a payload that is not sealed.
    await service.db.query(sql`delete from oidc_state where tenant_id = ${account.tenantId}`);
  });

  it('keeps the issuer and its keys for the next client', async () => {
    const { client } = await create();
    await call('DELETE', `/${client.clientId}`);
    await create();
    expect(await issuerRows()).toEqual([{ issuers: 1, keys: 2, clients: 1 }]);
  });
});
