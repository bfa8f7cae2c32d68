import { createHmac } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import type { CustomFetch } from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/crypto/keyring.js';
import { sql } from '../../src/db/sql.js';
import type { OpenIdProvider } from '../../src/features/sso/demo/demo-idp.js';
import { openIdProvider } from '../../src/features/sso/demo/load.js';
import { type Expected, redeem } from '../../src/features/sso/oidc/relying-party.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';
import {
  fieldsOf,
  oidcCallback,
  oidcResponse,
  providerKey,
  samlResponse,
  ssoKey,
  visit,
} from '../support/sso.js';

const ISSUER = 'http://localhost:3000/demo/idp';
const REDIRECT_URI = 'http://localhost:3000/v1/auth/oidc/callback';
let service: Service;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  key = await ssoKey(service, account);
});
afterAll(() => service.close());

const sessions = async () =>
  (
    await service.db.query<{ n: number }>(
      sql`select count(*) as n from sessions where tenant_id = ${account.tenantId}`,
    )
  )[0]!.n;

function expectRejected(reply: Reply) {
  expect(reply.status, reply.text).toBe(401);
  expect({ ...reply.body, requestId: '' }).toEqual({
    error: 'sso_failed',
    message: 'The sign-on failed. Start again.',
    docs: '/docs/errors#sso_failed',
    requestId: '',
  });
}

const begin = async () => (await service.call('GET', '/v1/auth/oidc/authorize', { as: key })).body;

describe('an OIDC round trip', () => {
  it('with PKCE, state, nonce and a verified ID token opens a session marked as simulated [oidc.started] [oidc.verify] [GET /v1/auth/oidc/authorize] [POST /v1/auth/oidc/callback] [GET /demo/idp/oidc/authorize]', async () => {
    const begun = await service.call('GET', '/v1/auth/oidc/authorize', { as: key });
    expect(begun.status).toBe(200);
    expect(begun.headers['cache-control']).toBe('no-store');
    expect(Object.keys(begun.body)).toEqual(['authorizationUrl', 'state']);
    const url = new URL(begun.body.authorizationUrl);
    expect(url.origin + url.pathname).toBe(`${ISSUER}/oidc/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'svc',
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      state: begun.body.state,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });

    const choose = await visit(service, url.href);
    expect(choose.status).toBe(200);
    expect(fieldsOf(choose.text)).toEqual(Object.fromEntries(url.searchParams));
    const back = await visit(service, url.href, 'carol');
    expect(back.status).toBe(302);
    const target = new URL(String(back.headers.location));
    expect(target.origin + target.pathname).toBe(REDIRECT_URI);
    expect(target.searchParams.get('state')).toBe(begun.body.state);

    const { code, state } = Object.fromEntries(target.searchParams);
    const reply = await oidcCallback(service, key, { code, state });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      sessionId: expect.any(String),
      did: null,
      simulated: true,
    });
    const claims = decodeJwt(reply.body.accessToken);
    expect(claims).toMatchObject({ simulated: true, sid: reply.body.sessionId });
    const { body: events } = await service.call('GET', '/v1/verifications?method=oidc&limit=1', { as: key });
    expect(events.verifications[0]).toMatchObject({ method: 'oidc', result: 'pass', userId: claims.sub });
    const { body: list } = await service.call('GET', '/v1/audit?limit=3', { as: key });
    expect(list.audit).toMatchObject([
      { action: 'user.created', entityId: claims.sub },
      { action: 'oidc.verify', status: 'success', metadata: { method: 'oidc', simulated: true } },
      { action: 'oidc.started', status: 'success' },
    ]);
    expect(JSON.stringify(list.audit)).not.toContain('carol');
    const headers = { 'x-session-token': reply.body.accessToken };
    const me = await service.call('GET', '/v1/identity/me', { as: key, headers });
    expect(me.body).toMatchObject({ user: { externalId: 'carol' }, did: null, simulated: true });
  });
});

describe('a callback is rejected and ends its login:', () => {
  const wrong = (name: string, value: string) => (parameters: URLSearchParams) => parameters.set(name, value);
  const causes: Record<string, () => Promise<{ code: string; state: string }>> = {
    'a made-up code': async () => ({ code: 'made-up', state: (await begin()).state }),
    'a code that is too long': async () => ({ code: 'c'.repeat(512), state: (await begin()).state }),
    'a code of another login': async () => ({
      code: (await oidcResponse(service, key)).code,
      state: (await begin()).state,
    }),
    'a redeemed code': async () => {
      const response = await oidcResponse(service, key);
      expect((await oidcCallback(service, key, response)).status).toBe(200);
      return { code: response.code, state: (await begin()).state };
    },
    'an expired code': async () => {
      const response = await oidcResponse(service, key);
      service.clock.advance(300_000);
      return response;
    },
    'another PKCE challenge': () =>
      oidcResponse(service, key, 'mallory', wrong('code_challenge', 'A'.repeat(43))),
    'another nonce': () => oidcResponse(service, key, 'mallory', wrong('nonce', 'another')),
    'a subject of 201 characters, although the form does not allow it': async () => {
      const response = await oidcResponse(service, key, 'long');
      const [row] = await service.db.query<{ code_hash: string; granted: string }>(
        sql`select code_hash, granted from demo_idp_codes where code_hash = ${sha256(response.code)}`,
      );
      const { keyring, random } = service.app.deps;
      const granted = { ...JSON.parse(keyring.decrypt(row!.granted) as string), subject: 'a'.repeat(201) };
      await service.db.query(sql`update demo_idp_codes set granted = ${keyring.encrypt(JSON.stringify(granted), random)}
        where granted = ${row!.granted}`);
      return response;
    },
  };

  it.each(Object.keys(causes))('%s', async (cause) => {
    const body = await (causes[cause] as (typeof causes)[string])();
    const before = await sessions();
    expectRejected(await oidcCallback(service, key, body));
    expect(await sessions()).toBe(before);
    const { body: list } = await service.call('GET', '/v1/audit?limit=1', { as: key });
    expect(list.audit[0]).toMatchObject({
      action: 'oidc.verify',
      status: 'failure',
      metadata: { method: 'oidc', result: 'fail', simulated: true },
    });
    expectRejected(await oidcCallback(service, key, body));
    const lines = service.logged.slice(-8).join('\n');
    for (const secret of [body.code, body.state, 'mallory']) expect(lines).not.toContain(secret);
  });
});

describe('a state', () => {
  it('is accepted once, in sequence and simultaneously', async () => {
    const response = await oidcResponse(service, key);
    const replies = await Promise.all(Array.from({ length: 8 }, () => oidcCallback(service, key, response)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRejected(reply);
    expectRejected(await oidcCallback(service, key, response));
  });

  it('expires after ten minutes', async () => {
    const [one, two] = [await begin(), await begin()];
    const finish = async ({ authorizationUrl }: { authorizationUrl: string }) => {
      const { headers } = await visit(service, authorizationUrl, 'late');
      return oidcCallback(service, key, Object.fromEntries(new URL(String(headers.location)).searchParams));
    };
    service.clock.advance(599_999);
    expect((await finish(one)).status).toBe(200);
    service.clock.advance(1);
    expectRejected(await finish(two));
  });

  it('is rejected with another login’s code, or for another tenant, environment or protocol', async () => {
    const [one, two] = [await oidcResponse(service, key, 'one'), await oidcResponse(service, key, 'two')];
    expectRejected(await oidcCallback(service, key, { code: one.code, state: two.state }));
    expectRejected(await oidcCallback(service, key, two));

    const response = await oidcResponse(service, key);
    const stranger = await ssoKey(service, await service.signUp());
    const test = await ssoKey(service, account, 'test');
    expectRejected(await oidcCallback(service, stranger, response));
    expectRejected(await oidcCallback(service, test, response));
    const { RelayState } = await samlResponse(service, key);
    expectRejected(await oidcCallback(service, key, { code: response.code, state: RelayState }));
    expect((await oidcCallback(service, key, response)).status, 'the login is still open').toBe(200);
  });

  it('is stored as a hash; nonce, verifier and code are never stored in plain text', async () => {
    const { authorizationUrl, state } = await begin();
    const { headers } = await visit(service, authorizationUrl, 'at rest');
    const code = new URL(String(headers.location)).searchParams.get('code') as string;
    const nonce = new URL(authorizationUrl).searchParams.get('nonce') as string;
    const rows = JSON.stringify([
      await service.db.query(sql`select * from sso_requests`),
      await service.db.query(sql`select * from demo_idp_codes`),
    ]);
    for (const secret of [state, nonce, code, 'at rest']) expect(rows).not.toContain(secret);
  });
});

describe('the simulated provider', () => {
  it.each([
    ['redirect_uri', 'https://evil.example/'],
    ['redirect_uri', `${REDIRECT_URI}/`],
    ['redirect_uri', `${REDIRECT_URI}?next=https://evil.example`],
    ['redirect_uri', REDIRECT_URI.toUpperCase()],
    ['redirect_uri', 'http://localhost:3000@evil.example/v1/auth/oidc/callback'],
    ['redirect_uri', 'javascript:alert(1)'],
    ['client_id', 'other'],
    ['response_type', 'token'],
    ['scope', 'openid profile'],
    ['code_challenge_method', 'plain'],
    ['code_challenge', ''],
  ])('rejects an authorization request with %s %s and never redirects', async (name, value) => {
    const url = new URL((await begin()).authorizationUrl);
    url.searchParams.set(name, value);
    for (const subject of [undefined, 'alice']) {
      const reply = await visit(service, url.href, subject);
      expect(reply.status).toBe(400);
      expect(reply.headers).not.toHaveProperty('location');
      expect(reply.text).not.toContain('evil.example');
    }
  });

  it('has its own issuer, discovery document and keys [GET /demo/idp/.well-known/openid-configuration] [GET /demo/idp/oidc/jwks]', async () => {
    const discovery = await service.call('GET', '/demo/idp/.well-known/openid-configuration');
    expect(discovery.body).toMatchObject({ issuer: ISSUER, jwks_uri: `${ISSUER}/oidc/jwks` });
    await oidcCallback(service, key, await oidcResponse(service, key));
    const { body } = await service.call('GET', '/demo/idp/oidc/jwks');
    expect(body.keys).toEqual([
      {
        kty: 'RSA',
        n: expect.any(String),
        e: 'AQAB',
        kid: service.app.deps.keyring.current.kid,
        use: 'sig',
        alg: 'RS256',
      },
    ]);
  });

  it('keeps the previous secret’s key as long as that secret is configured [sso/the-simulated-provider]', async () => {
    const [former, next] = ['a former secret of 32 bytes and more', 'a later secret of 32 bytes and more.'];
    const before = await startService({ secret: former, clock: service.clock });
    const response = await samlResponse(before, key, 'rotated');
    const env = { SVC_SECRET_PREVIOUS: former };
    const after = await startService({ secret: next, env, clock: service.clock });
    const callback = (at: Service) =>
      at.call('POST', '/v1/auth/saml/callback', { as: key, body: response, address: freshAddress() });
    const rows = await after.db.query<{ n: number }>(sql`select count(*) as n from demo_idp_keys`);
    expect(Number(rows[0]!.n)).toBeGreaterThan(1);
    expect((await callback(after)).status).toBe(200);
    await before.close();
    await after.close();
  });
});

describe('the relying party', () => {
  /** Uses everything real except the response of the provider's token endpoint. */
  async function exchange(idToken: (claims: JWTPayload, expected: Expected) => Promise<string>) {
    const own = await openIdProvider(service.app.deps);
    const expected = { nonce: 'the nonce', codeVerifier: 'v'.repeat(43) };
    const now = Math.floor(service.clock.now() / 1000);
    const claims = { iss: ISSUER, sub: 'alice', aud: 'svc', iat: now, exp: now + 300, nonce: expected.nonce };
    const fetch: CustomFetch = async (url, options) => {
      if (!url.endsWith('/token')) return own.fetch(url, options);
      const token = await idToken(claims, expected);
      return Response.json({ access_token: 'a', token_type: 'Bearer', expires_in: 1, id_token: token });
    };
    const provider: OpenIdProvider = { ...own, fetch };
    return redeem(provider, service.clock, REDIRECT_URI, { code: 'c', state: 's' }, expected);
  }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sign = async (claims: JWTPayload, alg = 'RS256') => {
    const { privateKey, keyId } = await providerKey(service, 'oidc');
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid: keyId })
      .sign(await importPKCS8(privateKey, alg));
  };

  it('accepts a valid ID token', async () => {
    expect(await exchange((claims) => sign(claims))).toBe('alice');
  });

  const rejections: Record<string, (claims: JWTPayload) => Promise<string>> = {
    'alg none': async (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'alg none with the key’s id': async (claims) => {
      const { keyId } = await providerKey(service, 'oidc');
      return `${encode({ alg: 'none', kid: keyId })}.${encode(claims)}.`;
    },
    'HS256 with the public key': async (claims) => {
      const { publicKey, keyId } = await providerKey(service, 'oidc');
      const text = `${encode({ alg: 'HS256', kid: keyId })}.${encode(claims)}`;
      return `${text}.${createHmac('sha256', publicKey).update(text).digest('base64url')}`;
    },
    'HS256 with the client’s secret': async (claims) => {
      const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
      const { clientSecret } = await openIdProvider(service.app.deps);
      return `${text}.${createHmac('sha256', clientSecret).update(text).digest('base64url')}`;
    },
    'another key with the key’s id': async (claims) => {
      const { keyId } = await providerKey(service, 'oidc');
      const { privateKey } = await generateKeyPair('RS256');
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keyId }).sign(privateKey);
    },
    'a key embedded in the token': async (claims) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256');
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
        .sign(privateKey);
    },
    'changed after signing': async (claims) => {
      const [header, , signature] = (await sign(claims)).split('.');
      return `${header}.${encode({ ...claims, sub: 'admin' })}.${signature}`;
    },
    unsigned: async (claims) => (await sign(claims)).replace(/[^.]+$/, ''),
    'another algorithm of the same key': (claims) => sign(claims, 'RS512'),
    'another nonce': (claims) => sign({ ...claims, nonce: 'another' }),
    'no nonce': ({ nonce: _, ...claims }) => sign(claims),
    'another audience': (claims) => sign({ ...claims, aud: 'other' }),
    'another issuer': (claims) => sign({ ...claims, iss: 'https://other.example' }),
    expired: (claims) => sign({ ...claims, exp: (claims.iat as number) - 10 }),
    'no expiry': ({ exp: _, ...claims }) => sign(claims),
    'not yet valid': (claims) => sign({ ...claims, nbf: (claims.iat as number) + 60 }),
    'no subject': ({ sub: _, ...claims }) => sign(claims),
    'a string that is not a token': async () => 'nothing',
  };
  it.each(Object.keys(rejections))('rejects an ID token: %s', async (name) => {
    await expect(exchange(rejections[name] as (typeof rejections)[string])).rejects.toThrow();
  });

  it('requests nothing but the provider, and nothing over the network', async () => {
    const { fetch } = await openIdProvider(service.app.deps);
    const headers = {};
    const signal = AbortSignal.timeout(1_000);
    for (const url of [
      'http://169.254.169.254/latest/meta-data',
      'http://localhost:3000/v1/devices',
      `${ISSUER}/oidc/jwks?x`,
      `${ISSUER}/../idp/oidc/jwks`,
      `${ISSUER}.evil.example/oidc/jwks`,
    ]) {
      const options = {
        method: 'GET' as const,
        headers,
        body: undefined,
        redirect: 'manual' as const,
        signal,
      };
      await expect(fetch(url, options)).rejects.toThrow('does not belong to the identity provider');
    }
  });
});
