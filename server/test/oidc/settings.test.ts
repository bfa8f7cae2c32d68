// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import type { Browser } from '../support/oidc/browser.js';
import {
  approve,
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

/** Signs a person in, with PKCE unless it is left out. */
async function tokensOf(
  config: client.Configuration,
  {
    extra = {},
    browser = oidc.browser(),
    person = ada as typeof ada | Awaited<ReturnType<typeof registerPerson>>,
  } = {},
) {
  const { url, checks } = await authorization(config, extra);
  const back = await signIn(oidc, browser, url, person);
  return client.authorizationCodeGrant(config, back, checks);
}

/** The answer to a request that shows no page, or ends without an approval. */
async function answer(browser: Browser, url: string): Promise<URLSearchParams> {
  const { location } = await browser.open(url);
  return new URL(location as string).searchParams;
}

const withoutPkce = (text: string) => {
  const url = new URL(text);
  url.searchParams.delete('code_challenge');
  url.searchParams.delete('code_challenge_method');
  return url.href;
};

describe('PKCE [POST /api/console/oidc/clients] [openid/settings-of-a-client]', () => {
  it('is not required of a client with a secret that says so', async () => {
    const config = await discover(oidc, await createClient(oidc, { requirePkce: false }));
    const { url, checks } = await authorization(config);
    const back = await signIn(oidc, oidc.browser(), withoutPkce(url), ada);
    const { pkceCodeVerifier: _, ...others } = checks;
    const tokens = await client.authorizationCodeGrant(config, back, others);
    expect(tokens.claims()?.sub).toBe(ada.userId);
  });

  it('still binds the code of such a client that uses it', async () => {
    const config = await discover(oidc, await createClient(oidc, { requirePkce: false }));
    const { url, checks } = await authorization(config);
    const { pkceCodeVerifier: _, ...others } = checks;
    const back = await signIn(oidc, oidc.browser(), url, ada);
    await expect(client.authorizationCodeGrant(config, back, others)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const unbound = await signIn(oidc, oidc.browser(), withoutPkce(url), ada);
    await expect(client.authorizationCodeGrant(config, unbound, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it.each(['spa', 'native', 'web'])('is required of a %s client without a secret', async (type) => {
    const body = {
      name: 'App',
      type,
      redirectUris: [CALLBACK],
      tokenEndpointAuth: 'none',
      subjectType: 'public',
    };
    const reply = await oidc.service.call('POST', '/api/console/oidc/clients', {
      as: oidc.account.token,
      body: { ...body, requirePkce: false },
    });
    expect([reply.status, reply.body.details[0].path]).toEqual([400, 'body.requirePkce']);
    const { clientId } = await createClient(oidc, body);
    const changed = await oidc.service.call('PATCH', `/api/console/oidc/clients/${clientId}`, {
      as: oidc.account.token,
      body: { requirePkce: false },
    });
    expect([changed.status, changed.body.details[0].path]).toEqual([400, 'body.requirePkce']);
  });
});

describe('claims [openid/settings-of-a-client]', () => {
  /** A person whose user has metadata. */
  async function personWith(metadata: object) {
    const externalId = randomUUID();
    const body = { fullName: 'Grace Hopper', email: 'grace@example.com', externalId, metadata };
    await oidc.service.call('POST', '/v1/users', { as: oidc.account.key, body });
    return registerPerson(oidc.service, oidc.account.key, { externalId });
  }

  it.each([
    [true, { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: false }],
    [false, {}],
  ])(
    'are in the ID token with claimsInIdToken: %j, and always at userinfo',
    async (claimsInIdToken, expected) => {
      const config = await discover(oidc, await createClient(oidc, { claimsInIdToken }));
      const tokens = await tokensOf(config);
      const { name, email, email_verified } = tokens.claims() as Record<string, unknown>;
      expect({ name, email, email_verified }).toEqual({
        name: undefined,
        email: undefined,
        email_verified: undefined,
        ...expected,
      });
      const user = await client.fetchUserInfo(config, tokens.access_token, ada.userId);
      expect(user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com', email_verified: false });
    },
  );

  it('stay out of the ID token of a client from before', async () => {
    const made = await createClient(oidc);
    // As a node of the version before inserts it.
    await oidc.service.db.query(
      sql`update oidc_clients set id_token_claims = default where id = ${made.clientId}`,
    );
    const tokens = await tokensOf(await discover(oidc, made));
    expect(tokens.claims()).not.toHaveProperty('name');
  });

  it('of an application’s own come from metadata, at userinfo and in the ID token', async () => {
    const claims = {
      profile: true,
      groups: 'metadata.groups',
      'https://example.com/site': 'metadata.work.site',
      none: 'metadata.work',
      long: 'metadata.long',
      missing: 'metadata.toString',
      mixed: 'metadata.mixed',
    };
    const metadata = {
      groups: ['staff', 'admins'],
      work: { site: 'Hamburg' },
      long: 'a'.repeat(1_100),
      mixed: ['a', 1],
    };
    const made = await createClient(oidc, { claims });
    const config = await discover(oidc, made);
    const person = await personWith(metadata);
    const own = { groups: ['staff', 'admins'], 'https://example.com/site': 'Hamburg' };
    const tokens = await tokensOf(config, { extra: { scope: 'openid profile groups' }, person });
    const user = await client.fetchUserInfo(config, tokens.access_token, person.userId);
    for (const found of [tokens.claims(), user]) {
      expect(found).toMatchObject({ ...own, name: 'Grace Hopper' });
      for (const name of ['none', 'long', 'missing', 'mixed', 'email'])
        expect(found).not.toHaveProperty(name);
    }
    const without = await tokensOf(config, { extra: { scope: 'openid profile' }, person });
    expect(without.claims()).not.toHaveProperty('groups');
    expect(without.claims()).toHaveProperty(['https://example.com/site'], 'Hamburg');
    const shown = await oidc.service.call('GET', `/api/console/oidc/clients/${made.clientId}`, {
      as: oidc.account.token,
    });
    expect(shown.body.client.claims).toEqual(claims);
  });

  it('named groups are not an error for a client that has none', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const tokens = await tokensOf(config, { extra: { scope: 'openid groups' } });
    expect(tokens.claims()).not.toHaveProperty('groups');
  });

  it.each([
    { sub: 'metadata.id' },
    { email: 'metadata.email' },
    { email_verified: 'metadata.yes' },
    { profile: false },
    { groups: 'fullName' },
    { groups: 'metadata' },
    { groups: 'metadata.a.b.c.d' },
    { groups: 'metadata.a b' },
    { groups: ['metadata.a'] },
    Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`claim${at}`, 'metadata.a'])),
    'profile',
  ])('return 400 for %j', async (claims) => {
    const body = {
      name: 'App',
      type: 'web',
      redirectUris: [CALLBACK],
      tokenEndpointAuth: 'client_secret_basic',
    };
    const reply = await oidc.service.call('POST', '/api/console/oidc/clients', {
      as: oidc.account.token,
      body: { ...body, subjectType: 'public', claims },
    });
    expect([reply.status, reply.body.details?.[0].path]).toEqual([400, 'body.claims']);
  });
});

it('pairwise clients of one host or of two can’t join their sign-ins by verification_id [openid/settings-of-a-client] [openid/pairwise-verification-id]', async () => {
  const pairwise = (host: string) =>
    createClient(oidc, { subjectType: 'pairwise', redirectUris: [`http://${host}/callback`] });
  const browser = oidc.browser();
  const idAt = async (made: NewClient, redirect_uri: string) => {
    const config = await discover(oidc, made);
    const { url, checks } = await authorization(config, { redirect_uri });
    const page = await browser.open(url);
    const location = page.url.includes('/sign-in/')
      ? (await browser.open(await approve(oidc, browser, uidOf(page), ada))).location
      : page.location;
    const tokens = await client.authorizationCodeGrant(config, new URL(location as string), checks);
    const user = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
    const id = tokens.claims()?.verification_id;
    expect(user.verification_id).toBe(id);
    return id;
  };
  const [portal, shop, beside] = (await Promise.all(
    ['127.0.0.1:9', '127.0.0.1:10', '127.0.0.1:9'].map(pairwise),
  )) as [NewClient, NewClient, NewClient];
  const own = await createClient(oidc);
  const id = await idAt(own, CALLBACK);
  const atPortal = await idAt(portal, 'http://127.0.0.1:9/callback');
  const atShop = await idAt(shop, 'http://127.0.0.1:10/callback');
  const atBeside = await idAt(beside, 'http://127.0.0.1:9/callback');
  expect(new Set([id, atPortal, atShop, atBeside]).size).toBe(4);
  expect(atPortal).toMatch(/^[\w-]{43}$/);
  expect(await idAt(portal, 'http://127.0.0.1:9/callback')).toBe(atPortal);
  const { body } = await oidc.service.call('GET', '/v1/audit?action=oidc.authorized&limit=5', {
    as: oidc.account.key,
  });
  expect(body.audit.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
    [portal, beside, shop, portal, own].map(({ clientId }) => ({ clientId, verificationId: id })),
  );
});

describe('response modes [GET /oidc/:tenantId/:environment/auth] [openid/requests]', () => {
  const request = async (body: object, extra: Record<string, string>) =>
    (await authorization(await discover(oidc, await createClient(oidc, body)), extra)).url;
  const SPA = { type: 'spa', tokenEndpointAuth: 'none' };

  it('of a web client may be a form', async () => {
    const browser = oidc.browser();
    const url = await request({}, { response_mode: 'form_post' });
    const uid = uidOf(await browser.open(url));
    const page = await browser.open(await approve(oidc, browser, uid, ada));
    expect(page.text).toContain(`action="${CALLBACK}"`);
    expect(page.text).toMatch(/name="code" value="[\w-]{43}"/);
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['a web client', 'fragment', {}],
    ['a web client', 'jwt', {}],
    ['a client in a browser', 'fragment', SPA],
    ['a client in a browser', 'form_post', SPA],
  ])('of %s is never %s, and the error is in the query', async (_, response_mode, body) => {
    const { location } = await oidc.browser().open(await request(body, { response_mode }));
    const { searchParams, hash } = new URL(location as string);
    expect(hash).toBe('');
    expect(['invalid_request', 'unsupported_response_mode']).toContain(searchParams.get('error'));
  });

  it('are listed by discovery, whose preflight has no body', async () => {
    await createClient(oidc);
    const url = `${oidc.issuer}/.well-known/openid-configuration`;
    expect(await (await fetch(url)).json()).toMatchObject({
      response_modes_supported: ['query', 'form_post'],
    });
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'GET' };
    expect((await fetch(url, { method: 'OPTIONS', headers })).status).toBe(204);
    expect((await fetch(url, { method: 'HEAD' })).status).toBeLessThan(500);
  });

  it.each(['request', 'registration'])('are the query for an error about %s too', async (name) => {
    const url = await request({}, { response_mode: 'fragment', [name]: 'x' });
    const { location } = await oidc.browser().open(url);
    expect(new URL(location as string).hash).toBe('');
  });
});

describe('a hint [openid/requests]', () => {
  it('of another person than the one who approves ends with login_required', async () => {
    const bob = await oidc.person();
    const config = await discover(oidc, await createClient(oidc, { subjectType: 'pairwise' }));
    const { id_token } = await tokensOf(config, { person: bob });
    for (const extra of [
      { login_hint: bob.externalId },
      { login_hint: 'employee-of-nobody' },
      { id_token_hint: id_token as string },
    ]) {
      const { url } = await authorization(config, extra);
      const back = await signIn(oidc, oidc.browser(), url, ada);
      expect(back.searchParams.get('error')).toBe('login_required');
      expect(back.searchParams.has('code')).toBe(false);
    }
  });

  it('of the person who approves changes nothing', async () => {
    const config = await discover(oidc, await createClient(oidc, { subjectType: 'pairwise' }));
    const { id_token } = await tokensOf(config);
    for (const extra of [{ login_hint: ada.externalId }, { id_token_hint: id_token as string }])
      expect((await tokensOf(config, { extra })).id_token).toBeTruthy();
  });
});

describe('prompt=consent [POST /sign-in/:uid/consent] [openid/requests]', () => {
  const OFFLINE = { scope: 'openid profile email offline_access', prompt: 'consent' };

  it('shows a page in a browser that is signed in, and needs no phone', async () => {
    const browser = oidc.browser();
    const config = await discover(oidc, await createClient(oidc));
    await tokensOf(config, { browser });
    const { url, checks } = await authorization(config, OFFLINE);
    const cancelled = uidOf(await browser.open(url));
    await browser.open((await browser.json('POST', `/sign-in/${cancelled}/cancel`)).redirectTo);
    const uid = uidOf(await browser.open(url));
    const { signIn: details } = await browser.json('GET', `/sign-in/${uid}/details`);
    expect(details.consent).toEqual({ claims: ['name', 'email'], staysSignedIn: true });
    const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/consent`);
    const { location } = await browser.open(redirectTo);
    const tokens = await client.authorizationCodeGrant(config, new URL(location as string), checks);
    expect(tokens.refresh_token).toBeTruthy();
    expect((await browser.send('POST', `/sign-in/${uid}/consent`, {})).status).toBe(404);
    const { url: silent } = await authorization(config, { prompt: 'none' });
    expect((await answer(browser, silent)).get('code')).toBeTruthy();
  });

  it('is not given by a browser that is not signed in, and does not replace an approval', async () => {
    const browser = oidc.browser();
    const config = await discover(oidc, await createClient(oidc));
    const { url } = await authorization(config, OFFLINE);
    const uid = uidOf(await browser.open(url));
    expect((await browser.json('GET', `/sign-in/${uid}/details`)).signIn.consent).toBeNull();
    const refused = await browser.send('POST', `/sign-in/${uid}/consent`, {});
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([409, 'sign_in_not_approved']);
    const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/cancel`);
    expect((await answer(browser, redirectTo)).get('error')).toBe('access_denied');
  });

  it('is not enough for a native client, which needs an approval each time', async () => {
    const browser = oidc.browser();
    const native = { type: 'native', tokenEndpointAuth: 'none' };
    const config = await discover(oidc, await createClient(oidc, native));
    await tokensOf(config, { browser });
    const { url } = await authorization(config, OFFLINE);
    const uid = uidOf(await browser.open(url));
    expect((await browser.json('GET', `/sign-in/${uid}/details`)).signIn.consent).toBeNull();
    expect((await browser.send('POST', `/sign-in/${uid}/consent`, {})).status).toBe(409);
  });
});

describe('lengths and numbers [openid/requests]', () => {
  it.each(['state', 'nonce', 'login_hint'])('%s has at most 512 characters', async (name) => {
    const config = await discover(oidc, await createClient(oidc));
    const { url } = await authorization(config, { [name]: 'x'.repeat(513) });
    expect((await answer(oidc.browser(), url)).get('error')).toBe('invalid_request');
    const { url: longest } = await authorization(config, { [name]: 'x'.repeat(512) });
    expect((await oidc.browser().open(longest)).url).toContain('/sign-in/');
  });

  it('rejects a client assertion that expires more than ten minutes ahead, never with a 500', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = await exportJWK(publicKey);
    const { clientId } = await createClient(oidc, {
      tokenEndpointAuth: 'private_key_jwt',
      jwks: { keys: [jwk] },
    });
    const now = Math.floor(Date.now() / 1000);
    const ask = async (times: object) => {
      const claims = { iss: clientId, sub: clientId, aud: oidc.issuer, jti: randomUUID(), ...times };
      const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
      const reply = await fetch(`${oidc.issuer}/introspect`, {
        method: 'POST',
        body: new URLSearchParams({
          token: 'x',
          client_assertion: assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }),
      });
      return reply.status;
    };
    expect(await ask({ exp: now + 590 })).toBe(200);
    expect(await ask({ exp: now + 590.5 })).toBe(200);
    for (const exp of [now + 620, 1e300, Number.MAX_SAFE_INTEGER, -1e300, 8.64e12])
      expect(await ask({ exp }), String(exp)).toBe(401);
    for (const times of [{ iat: 1e300 }, { nbf: 1e300 }, { iat: -1e300 }])
      expect(await ask({ exp: now + 60, ...times })).toBeLessThan(500);
  });

  it.each(['1e300', '9007199254740993', '-1', '1e-300', 'NaN'])(
    'max_age=%s is no error of the server',
    async (max_age) => {
      const config = await discover(oidc, await createClient(oidc));
      const page = await oidc.browser().open((await authorization(config, { max_age })).url);
      expect(page.status).toBeLessThan(500);
    },
  );
});

it.each(['', '?user_code=WDJB-MJHT'])(
  'the device page%s is not kept by a cache [GET /oidc/:tenantId/:environment/device]',
  async (query) => {
    await createClient(oidc);
    const { headers, status } = await oidc.browser().send('GET', `${oidc.issuer}/device${query}`);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  },
);
