import type { Source } from '@svc/zk/verifier/pool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { LEGACY_ACCOUNT } from '../../src/model/legacy-account.js';
import { nameOf, succeed } from '../support/contract/examples.js';
import { freshDatabase } from '../support/database.js';
import { openSession, proveAnonymously } from '../support/phone.js';
import {
  type Account,
  ADMIN_KEY,
  freshAddress,
  type Service,
  sharedVerifier,
  startService,
} from '../support/service.js';
import { oidcCallback, oidcResponse, samlResponse, ssoKey } from '../support/sso.js';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const call = (method: string, path: string, options: object = {}) =>
  service.call(method, path, { address: freshAddress(), ...options });
const open = async () =>
  (await call('POST', '/api/auth/zkp/verify', { body: await proveAnonymously(service) })).body;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());

describe('a legacy session', () => {
  it('has no user and no tenant, and is accepted in either header', async () => {
    const { accessToken, sessionId } = await open();
    const claims = claimsOf(accessToken);
    expect(claims).toMatchObject({ aud: 'legacy', sid: sessionId, assurance: 'unbound' });
    expect(claims.exp - claims.iat).toBe(3600);
    for (const name of ['tenant', 'environment', 'did']) expect(claims).not.toHaveProperty(name);
    for (const headers of [{ 'x-session-token': accessToken }, { authorization: `Bearer ${accessToken}` }]) {
      const me = await call('GET', '/api/auth/me', { headers });
      expect(me.status, me.text).toBe(200);
      expect(me.body).toEqual({ user: null, did: null, sessionId, assurance: 'unbound' });
    }
  });

  it('works only on the legacy surface, where a tenant’s session is rejected', async () => {
    const { accessToken, refreshToken } = await open();
    const headers = { 'x-session-token': accessToken };
    const me = await service.call('GET', '/v1/identity/me', { as: account.key, headers });
    expect([me.status, me.body.error]).toEqual([401, 'invalid_session_token']);
    const elsewhere = await service.call('POST', '/v1/identity/refresh', {
      as: account.key,
      body: { refreshToken },
    });
    expect(elsewhere.body.error).toBe('invalid_refresh_token');

    const { reply } = await openSession(service, account);
    const theirs = await call('GET', '/api/auth/me', {
      headers: { 'x-session-token': reply.body.accessToken },
    });
    expect([theirs.status, theirs.body.error]).toEqual([401, 'invalid_session_token']);
    const refreshed = await call('POST', '/api/auth/refresh', {
      body: { refreshToken: reply.body.refreshToken },
    });
    expect(refreshed.body.error).toBe('invalid_refresh_token');
  });

  it('can be refreshed once per token, and ends immediately on logout', async () => {
    const { refreshToken, sessionId } = await open();
    const refreshed = await call('POST', '/api/auth/refresh', { body: { refreshToken } });
    expect(refreshed.status, refreshed.text).toBe(200);
    expect(refreshed.body).toMatchObject({ sessionId, did: null, assurance: 'unbound', expiresIn: 3600 });
    expect(claimsOf(refreshed.body.accessToken).aud).toBe('legacy');
    const headers = { authorization: `Bearer ${refreshed.body.accessToken}` };
    const ended = await call('POST', '/api/auth/logout', { headers });
    expect([ended.status, ended.body]).toEqual([200, { loggedOut: true }]);
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/logout'],
    ] as const) {
      expect((await call(method, path, { headers })).body.error).toBe('invalid_session_token');
    }
    const spent = await call('POST', '/api/auth/refresh', {
      body: { refreshToken: refreshed.body.refreshToken },
    });
    expect(spent.body.error).toBe('invalid_refresh_token');
  });

  it('returns 401 without a token or with an invalid one', async () => {
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/logout'],
    ] as const) {
      expect((await call(method, path)).body.error).toBe('missing_session_token');
      for (const token of ['', 'x', 'a.b.c', account.key, account.token]) {
        const reply = await call(method, path, { headers: { authorization: `Bearer ${token}` } });
        expect([reply.status, reply.body.error], token).toEqual([401, 'invalid_session_token']);
      }
    }
  });
});

describe('the legacy surface', () => {
  const legacy = routesOf('0.0.0-test').filter(({ auth }) => auth.kind === 'legacy');

  it('allows ten requests a minute per address over all its endpoints [sessions/legacy-tokens] [sessions/legacy-account]', async () => {
    const address = freshAddress();
    const get = (path: string) => service.call('GET', path, { address });
    for (let n = 0; n < 5; n++) {
      expect((await get('/api/auth/zkp/nonce')).status).toBe(200);
      expect((await get('/api/auth/me')).status).toBe(401);
    }
    for (const route of legacy) {
      const reply = await service.call(route.method, route.path, { address, body: {} });
      expect([reply.status, reply.body.error], nameOf(route)).toEqual([429, 'rate_limit_exceeded']);
      expect(Number(reply.headers['retry-after'])).toBe(60);
    }
    expect((await call('GET', '/api/auth/zkp/nonce')).status).toBe(200);
    service.clock.advance(60_000);
    expect((await get('/api/auth/zkp/nonce')).status).toBe(200);
  });

  it('never names a tenant in the nonce, the circuit or a header', async () => {
    const nonce = await call('GET', '/api/auth/zkp/nonce');
    expect(nonce.body).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: service.clock.now(),
      expiresIn: 300,
    });
    const info = await call('GET', '/api/auth/zkp/circuit-info');
    const {
      tenantId: _,
      environment: __,
      ...v1
    } = (await service.call('GET', '/v1/auth/zkp/circuit-info', { as: account.key })).body;
    expect(info.body).toEqual(v1);
    for (const name of ['x-svc-tenant', 'x-svc-plan', 'x-ratelimit-limit'])
      expect(info.headers).not.toHaveProperty(name);
  });

  it('uses the verifier at low priority, one source per address [sessions/legacy-account]', async () => {
    const reserved: (Source | undefined)[] = [];
    const pool = await sharedVerifier();
    const verifier = {
      ...pool,
      stats: () => pool.stats(),
      close: () => pool.close(),
      reserve(source: Source) {
        reserved.push(source);
        return pool.reserve(source);
      },
    };
    const own = await startService({ verifier });
    try {
      const body = await proveAnonymously(own);
      await own.call('POST', '/api/auth/zkp/verify', { body, address: '2001:db8:7:8::9' });
      const { key, tenantId } = await own.signUp();
      await own.call('POST', '/v1/auth/zkp/verify', { as: key, body });
      expect(reserved).toEqual([
        { name: 'legacy 2001:db8:7::/48', keyless: true, priority: 'low' },
        { name: tenantId },
      ]);
    } finally {
      await own.close();
    }
  });

  it('publishes a discovery document without keys, and metadata as XML', async () => {
    const { body } = await call('GET', '/api/auth/oidc/.well-known/openid-configuration');
    expect(body).toMatchObject({
      issuer: 'http://localhost:3000/api/auth/oidc',
      id_token_signing_alg_values_supported: ['HS256'],
    });
    expect(body).not.toHaveProperty('jwks_uri');
    const metadata = await call('GET', '/api/auth/saml/metadata');
    expect(metadata.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(metadata.text).toContain('<EntityDescriptor');
  });

  it('logs in by SAML and OIDC with its own client, and rejects a tenant’s login', async () => {
    const saml = await call('POST', '/api/auth/saml/callback', {
      body: await samlResponse(service, null, 'zoe'),
    });
    const oidc = await call('POST', '/api/auth/oidc/callback', {
      body: await oidcResponse(service, null, 'zoe'),
    });
    for (const reply of [saml, oidc]) {
      expect(reply.status, reply.text).toBe(200);
      expect(claimsOf(reply.body.accessToken)).toMatchObject({ aud: 'legacy', simulated: true });
      const me = await call('GET', '/api/auth/me', {
        headers: { 'x-session-token': reply.body.accessToken },
      });
      expect(me.body).toMatchObject({ user: { externalId: 'zoe' }, did: null, simulated: true });
    }
    const key = await ssoKey(service, account);
    const stolen = await call('POST', '/api/auth/oidc/callback', { body: await oidcResponse(service, key) });
    expect([stolen.status, stolen.body.error]).toEqual([401, 'sso_failed']);
    const taken = await oidcCallback(service, key, await oidcResponse(service, null));
    expect([taken.status, taken.body.error]).toEqual([401, 'sso_failed']);
  });

  it('has a valid audit chain of its own, in an account without a login [sessions/legacy-account]', async () => {
    await open();
    const integrity = await service.call(
      'GET',
      `/api/admin/audit-integrity?tenantId=${LEGACY_ACCOUNT.id}&environment=live`,
      { headers: { 'x-api-key': ADMIN_KEY } },
    );
    expect(integrity.body, integrity.text).toMatchObject({ status: 'pass', chains: [{ status: 'pass' }] });
    expect(integrity.body.checked).toBeGreaterThan(1);
    const login = await service.call('POST', '/api/console/login', {
      body: { email: LEGACY_ACCOUNT.email, password: 'a quite unusual sentence 42' },
    });
    expect(login.status).toBe(401);
  });

  it('creates its account once for concurrent first requests', async () => {
    const { db } = await freshDatabase();
    const own = await startService({ db });
    try {
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => own.call('GET', '/api/auth/zkp/nonce', { address: freshAddress() })),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const rows = await own.db.query({ text: 'select id from tenants', values: [] });
      expect(rows).toEqual([{ id: LEGACY_ACCOUNT.id }]);
    } finally {
      await own.close();
      await db.close();
    }
  });

  it('returns 403 tenant_inactive on every endpoint when the operator suspends its account', async () => {
    const setStatus = (status: string) =>
      service.db.script(`update tenants set status = '${status}' where id = '${LEGACY_ACCOUNT.id}'`);
    const { accessToken } = await open();
    await setStatus('suspended');
    try {
      for (const route of legacy) {
        const headers = { 'x-session-token': accessToken };
        const reply = await call(route.method, route.path, { body: {}, headers });
        expect([reply.status, reply.body.error], nameOf(route)).toEqual([403, 'tenant_inactive']);
      }
    } finally {
      await setStatus('active');
    }
    for (const route of legacy) {
      const reply = await succeed(route, { service, account });
      expect(reply.status, `${nameOf(route)} ${reply.text}`).toBeLessThan(300);
    }
  });
});
