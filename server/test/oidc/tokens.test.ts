// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { rotateKeys } from '../../src/features/openid-provider/keys/rotation.js';
import type { Browser } from '../support/oidc/browser.js';
import {
  approveOnPhone,
  authorization,
  CALLBACK,
  createClient,
  discover,
  type NewClient,
  type OidcService,
  signIn,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { registerPerson } from '../support/phone.js';

let oidc: OidcService;
let ada: Awaited<ReturnType<OidcService['person']>>;
beforeAll(async () => {
  oidc = await startOidc();
  ada = await oidc.person();
});
afterAll(() => oidc.close());

const OFFLINE = { scope: 'openid offline_access', prompt: 'consent' };
const basic = ({ clientId, clientSecret }: NewClient) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
});

const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  oidc.service.call('POST', path, {
    raw: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const live = (path: string) => `/oidc/${oidc.account.tenantId}/live${path}`;

async function codeOf(made: NewClient, browser = oidc.browser(), extra = {}, person = ada) {
  const { url, checks } = await authorization(await discover(oidc, made), extra);
  const back = await signIn(oidc, browser, url, person);
  const code = back.searchParams.get('code') as string;
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: checks.pkceCodeVerifier,
  };
}

/** A signed-in browser, and the tokens of a client. */
async function signedIn(person = ada) {
  const made = await createClient(oidc);
  const browser = oidc.browser();
  const { body, status, text } = await send(
    live('/token'),
    await codeOf(made, browser, OFFLINE, person),
    basic(made),
  );
  expect(status, text).toBe(200);
  return {
    made,
    browser,
    access: body.access_token as string,
    refresh: body.refresh_token as string,
    id: body.id_token as string,
  };
}

/** What still works: nothing may after a sign-in has ended. */
async function state({ made, browser, access, refresh }: Awaited<ReturnType<typeof signedIn>>) {
  const user = await oidc.service.call('GET', live('/userinfo'), {
    headers: { authorization: `Bearer ${access}` },
  });
  const known = await send(live('/introspect'), { token: access }, basic(made));
  const config = await discover(oidc, made).catch(() => undefined);
  const page = config && (await browser.open((await authorization(config, { prompt: 'none' })).url));
  const next = await send(
    live('/token'),
    { grant_type: 'refresh_token', refresh_token: refresh },
    basic(made),
  );
  return {
    userinfo: user.status,
    active: known.body?.active ?? known.status,
    session: page?.location ? (/error=(\w+)/.exec(page.location)?.[1] ?? 'signed in') : 'none',
    refresh: next.status,
  };
}

const ENDED = { userinfo: 401, active: false, session: 'login_required', refresh: 400 };

describe('a sign-in ends immediately', () => {
  it('works until then', async () => {
    expect(await state(await signedIn())).toEqual({
      userinfo: 200,
      active: true,
      session: 'signed in',
      refresh: 200,
    });
  });

  it('when the identity is revoked, and open sign-ins of the person with it', async () => {
    const bob = await oidc.person();
    const session = await signedIn(bob);
    const open = oidc.browser();
    const uid = uidOf(await open.open((await authorization(await discover(oidc, session.made))).url));
    const { session: code } = await open.json('POST', `/sign-in/${uid}/session`);
    await approveOnPhone(oidc, bob, code);
    await oidc.service.call('POST', '/v1/identity/revoke', { as: oidc.account.key, body: { did: bob.did } });
    expect(await state(session)).toEqual(ENDED);
    await expectNoTokens(open, uid, code.id, session.made);
  });

  it('when the user becomes inactive, also if they are active again later', async () => {
    const bob = await oidc.person();
    const session = await signedIn(bob);
    const set = (status: string) =>
      oidc.service.call('PATCH', `/v1/users/${bob.userId}`, { as: oidc.account.key, body: { status } });
    expect((await set('inactive')).status).toBe(200);
    expect(await state(session)).toEqual(ENDED);
    expect((await set('active')).status).toBe(200);
    expect(await state(session)).toEqual(ENDED);
  });

  it('when the device is revoked that the identity was created on', async () => {
    const as = oidc.account.key;
    const { body } = await oidc.service.call('POST', '/v1/devices', { as, body: { name: 'Phone' } });
    const bob = await registerPerson(oidc.service, as);
    await oidc.service.db.query(
      sql`update identities set device_id = ${body.device.id} where did = ${bob.did}`,
    );
    const session = await signedIn({ ...bob, externalId: '' });
    const path = `/api/console/devices/${body.device.id}`;
    expect((await oidc.service.call('DELETE', path, { as: oidc.account.token })).status).toBe(200);
    expect(await state(session)).toEqual(ENDED);
  });

  it('when the client is deleted', async () => {
    const session = await signedIn();
    const path = `/api/console/oidc/clients/${session.made.clientId}`;
    await oidc.service.call('DELETE', path, { as: oidc.account.token });
    const { userinfo, active, refresh } = await state(session);
    expect({ userinfo, active, refresh }).toEqual({ userinfo: 401, active: 401, refresh: 401 });
  });

  it('while the account is suspended', async () => {
    const session = await signedIn();
    await oidc.service.setStatus(oidc.account, 'suspended');
    expect(await state(session)).toEqual({ userinfo: 404, active: 404, session: 'none', refresh: 404 });
    const statusOf = async (path: string) => (await oidc.service.call('GET', live(path))).status;
    for (const path of ['/auth', '/device', '/session/end']) expect(await statusOf(path), path).toBe(404);
    // What is published comes from memory, and leaves it within a minute.
    oidc.service.clock.advance(60_000);
    for (const path of ['/.well-known/openid-configuration', '/jwks'])
      expect(await statusOf(path), path).toBe(404);
    await oidc.service.setStatus(oidc.account, 'active');
    expect(await state(session)).toMatchObject({ userinfo: 200 });
  });
});

/** Completing may work or not, but no token comes of it. */
async function expectNoTokens(browser: Browser, uid: string, sessionId: string, made: NewClient) {
  const reply = await browser.send('POST', `/sign-in/${uid}/complete`, { sessionId });
  if (reply.status !== 200) return;
  const { location } = await browser.open(JSON.parse(reply.text).redirectTo);
  const code = location === undefined ? null : new URL(location).searchParams.get('code');
  if (code === null) return;
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: 'x'.repeat(43),
  };
  expect((await send(live('/token'), form, basic(made))).body.error).toBe('invalid_grant');
}

describe('codes and tokens', () => {
  it('are worth nothing to another client, redirect URI or verifier', async () => {
    const [made, other] = [await createClient(oidc), await createClient(oidc)];
    const form = await codeOf(made, oidc.browser(), OFFLINE);
    for (const [who, change] of [
      [other, {}],
      [made, { redirect_uri: `${CALLBACK}/` }],
      [made, { redirect_uri: '' }],
      [made, { code_verifier: 'x'.repeat(43) }],
      [made, { code: form.code.slice(0, -1) }],
      [made, { code: `${form.code}\0` }],
    ] as const) {
      const reply = await send(live('/token'), { ...form, ...change }, basic(who));
      expect([reply.status, reply.body.error]).toEqual([
        400,
        expect.stringMatching(/^invalid_(grant|request)$/),
      ]);
    }
    const { body } = await send(live('/token'), form, basic(made));
    for (const token of [body.access_token, body.refresh_token])
      expect((await send(live('/introspect'), { token }, basic(other))).body).toEqual({ active: false });
    await send(live('/revoke'), { token: body.access_token }, basic(other));
    const stolen = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    expect((await send(live('/token'), stolen, basic(other))).body.error).toBe('invalid_grant');
    expect((await send(live('/introspect'), { token: body.access_token }, basic(made))).body.active).toBe(
      true,
    );
  });

  it('are worth nothing at another issuer', async () => {
    const session = await signedIn();
    await createClient(oidc);
    const stranger = await oidc.service.signUp({ plan: 'enterprise' });
    const theirs = await createClient({ service: oidc.service, account: stranger });
    const test = await oidc.service.call('POST', '/api/console/oidc/clients?environment=test', {
      as: oidc.account.token,
      body: {
        name: 'Test',
        type: 'web',
        redirectUris: [CALLBACK],
        tokenEndpointAuth: 'client_secret_basic',
        subjectType: 'public',
      },
    });
    expect(test.status, test.text).toBe(201);
    const inTest = { clientId: test.body.client.clientId, clientSecret: test.body.clientSecret };
    for (const [issuer, own] of [
      [`/oidc/${stranger.tenantId}/live`, theirs],
      [`/oidc/${oidc.account.tenantId}/test`, inTest],
    ] as const) {
      const bearer = { authorization: `Bearer ${session.access}` };
      expect((await oidc.service.call('GET', `${issuer}/userinfo`, { headers: bearer })).status).toBe(401);
      expect((await send(`${issuer}/introspect`, { token: session.access }, basic(own))).body).toEqual({
        active: false,
      });
      expect(
        (await send(`${issuer}/introspect`, { token: session.access }, basic(session.made))).status,
      ).toBe(401);
      const refresh = { grant_type: 'refresh_token', refresh_token: session.refresh };
      expect((await send(`${issuer}/token`, refresh, basic(own))).body.error).toBe('invalid_grant');
      const hint = `id_token_hint=${session.id}`;
      expect((await oidc.service.call('GET', `${issuer}/session/end?${hint}`)).status).toBe(400);
      const cookie = [...session.browser.cookies]
        .map(([name, { value }]) => `${name.split('|')[0]}=${value}`)
        .join('; ');
      const query = `client_id=${own.clientId}&redirect_uri=${encodeURIComponent(CALLBACK)}&response_type=code&scope=openid&prompt=none&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`;
      const { headers } = await oidc.service.call('GET', `${issuer}/auth?${query}`, { headers: { cookie } });
      expect(headers.location).toContain('error=login_required');
    }
    expect(await state(session)).toMatchObject({ userinfo: 200 });
  });
});

describe('client authentication', () => {
  it('accepts the secret only, and the one before it until its grace ends', async () => {
    const made = await createClient(oidc);
    const ask = (clientSecret: string) =>
      send(live('/introspect'), { token: 'x' }, basic({ ...made, clientSecret }));
    const secret = made.clientSecret as string;
    for (const wrong of ['', 'x', 'stored as a hash', `${secret}x`, secret.slice(1), secret.toUpperCase()])
      expect((await ask(wrong)).status, wrong).toBeGreaterThanOrEqual(400);
    const path = `/api/console/oidc/clients/${made.clientId}/rotate-secret`;
    const { body } = await oidc.service.call('POST', path, {
      as: oidc.account.token,
      body: { graceSeconds: 60 },
    });
    for (const text of [secret, body.clientSecret]) expect((await ask(text)).status).toBe(200);
    oidc.service.clock.advance(60_000);
    expect((await ask(secret)).status).toBe(401);
    expect((await ask(body.clientSecret)).status).toBe(200);
  });

  it('accepts no assertion with another algorithm, key, audience or client', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = await exportJWK(publicKey);
    const made = await createClient(oidc, {
      tokenEndpointAuth: 'private_key_jwt',
      jwks: { keys: [{ ...jwk, alg: 'ES256' }] },
    });
    const secret = await createClient(oidc);
    const claims = {
      iss: made.clientId,
      sub: made.clientId,
      aud: oidc.issuer,
      jti: randomUUID(),
      exp: Date.now() / 1000 + 60,
    };
    const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
    const sign = (change: object, key: Parameters<SignJWT['sign']>[0] = privateKey, alg = 'ES256') =>
      new SignJWT({ ...claims, jti: randomUUID(), ...change }).setProtectedHeader({ alg }).sign(key);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    const ask = (client_assertion: string) =>
      send(live('/introspect'), {
        token: 'x',
        client_assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
    expect((await ask(await sign({}))).status).toBe(200);
    for (const assertion of [
      none,
      await sign({}, pem, 'HS256'),
      await sign({}, Buffer.from(JSON.stringify(jwk)), 'HS256'),
      await sign({}, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      await sign({ aud: 'https://evil.example' }),
      await sign({ iss: secret.clientId }),
      await sign({ exp: 1 }),
      await sign({ jti: undefined }),
      await new SignJWT({ ...claims, iss: secret.clientId, sub: secret.clientId, jti: randomUUID() })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from('stored as a hash')),
    ])
      expect((await ask(assertion)).status).toBe(401);
  });
});

it('a signing key that is replaced keeps its ID tokens valid, and changes the ETag of the keys', async () => {
  const session = await signedIn();
  const keys = (etag?: string) =>
    oidc.service.call('GET', live('/jwks'), { headers: etag === undefined ? {} : { 'if-none-match': etag } });
  const before = await keys();
  expect((await keys(before.headers.etag as string)).status).toBe(304);
  const now = oidc.service.clock.now() + 100 * 24 * 60 * 60_000;
  await rotateKeys(oidc.service.app.deps, new Date(now));
  await rotateKeys(oidc.service.app.deps, new Date(now + 25 * 60 * 60_000));
  oidc.service.clock.advance(60_000);
  const after = await keys(before.headers.etag as string);
  expect(after.status).toBe(200);
  const kids = (reply: typeof after) => JSON.parse(reply.text).keys.map(({ kid }: { kid: string }) => kid);
  expect(kids(after)).toEqual(expect.arrayContaining(kids(before)));
  expect(after.text).not.toMatch(/"(d|p|q|dp|dq|qi)":/);
  const hint = await oidc.service.call('GET', live(`/session/end?id_token_hint=${session.id}`));
  expect(hint.status, hint.text).toBe(200);
  const next = await signedIn();
  const kidOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid;
  expect(kids(before)).not.toContain(kidOf(next.id));
});
