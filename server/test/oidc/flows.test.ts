import { generateKeyPairSync } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  approve,
  authorization,
  CALLBACK,
  createClient,
  discover,
  type OidcService,
  signIn,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';

let oidc: OidcService;
let ada: Awaited<ReturnType<OidcService['person']>>;
beforeAll(async () => {
  oidc = await startOidc();
  ada = await oidc.person();
});
afterAll(() => oidc.close());

const OFFLINE = { scope: 'openid profile email offline_access', prompt: 'consent' };

/** A sign-in with the phone, up to the tokens. */
async function tokensOf(
  config: client.Configuration,
  {
    extra = {},
    browser = oidc.browser(),
    person = ada,
    dpop,
  }: {
    extra?: Record<string, string>;
    browser?: ReturnType<OidcService['browser']>;
    person?: typeof ada;
    dpop?: client.DPoPHandle;
  } = {},
) {
  const { url, checks } = await authorization(config, extra);
  const back = await signIn(oidc, browser, url, person);
  return client.authorizationCodeGrant(config, back, checks, undefined, dpop && { DPoP: dpop });
}

/** Where an authorization request of a browser that need not show a page ends. */
async function silently(
  config: client.Configuration,
  browser: ReturnType<OidcService['browser']>,
  extra = {},
) {
  const { url, checks } = await authorization(config, extra);
  const { location, text } = await browser.open(url);
  if (location === undefined) throw new Error(`a page was shown: ${text.slice(0, 300)}`);
  return { back: new URL(location), checks };
}

const privateKey = () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { pair, jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' } };
};

describe('the authorization code flow [openid/provider]', () => {
  it('goes from the code to tokens, user info, introspection, refreshing and revocation', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const tokens = await tokensOf(config, { extra: OFFLINE });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600 });
    expect(tokens.scope?.split(' ').sort()).toEqual(['email', 'offline_access', 'openid', 'profile']);
    const user = await client.fetchUserInfo(config, tokens.access_token, ada.userId);
    expect(user).toMatchObject({ sub: ada.userId, name: 'Ada Lovelace', email_verified: false });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });

    const next = await client.refreshTokenGrant(config, tokens.refresh_token as string);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(next.claims()).toMatchObject({ sub: ada.userId, acr: 'urn:svc:zkp', amr: ['pop', 'swk'] });
    expect(next.claims()?.verification_id).toBe(tokens.claims()?.verification_id);
    expect(next.claims()?.auth_time).toBe(tokens.claims()?.auth_time);

    await client.tokenRevocation(config, next.refresh_token as string);
    for (const token of [tokens.access_token, next.access_token])
      expect(await client.tokenIntrospection(config, token)).toEqual({ active: false });
    await expect(client.refreshTokenGrant(config, next.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('gives a refresh token only for offline_access with prompt=consent', async () => {
    const config = await discover(oidc, await createClient(oidc));
    expect((await tokensOf(config)).refresh_token).toBeUndefined();
    const { refresh_token } = await tokensOf(config, { extra: { scope: OFFLINE.scope } });
    expect(refresh_token).toBeUndefined();
  });

  it('requires PKCE with S256', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const { url } = await authorization(config);
    for (const change of [
      (params: URLSearchParams) => params.delete('code_challenge'),
      (params: URLSearchParams) => params.delete('code_challenge_method'),
      (params: URLSearchParams) => params.set('code_challenge_method', 'plain'),
      (params: URLSearchParams) => {
        params.delete('code_challenge');
        params.delete('code_challenge_method');
      },
    ]) {
      const asked = new URL(url);
      change(asked.searchParams);
      const { location } = await oidc.browser().open(asked.href);
      const answer = new URL(location as string).searchParams;
      expect(answer.get('error')).toBe('invalid_request');
      expect(answer.get('iss')).toBe(oidc.issuer);
    }
    const back = await signIn(oidc, oidc.browser(), url, ada);
    const wrong = client.randomPKCECodeVerifier();
    const checks = { pkceCodeVerifier: wrong, expectedState: back.searchParams.get('state') as string };
    await expect(client.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('names the issuer in each answer (RFC 9207)', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const { url } = await authorization(config);
    const back = await signIn(oidc, oidc.browser(), url, ada);
    expect(back.searchParams.get('iss')).toBe(oidc.issuer);
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
  });

  it.each(['ES256', 'RS256'])('signs ID tokens with %s', async (idTokenAlg) => {
    const config = await discover(oidc, await createClient(oidc, { idTokenAlg }), {
      id_token_signed_response_alg: idTokenAlg,
    });
    const tokens = await tokensOf(config);
    const header = JSON.parse(
      Buffer.from((tokens.id_token as string).split('.')[0] as string, 'base64url').toString(),
    );
    expect(header.alg).toBe(idTokenAlg);
  });

  it('names the verification in the ID token', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const id = (await tokensOf(config)).claims()?.verification_id;
    const { body } = await oidc.service.call('GET', '/v1/verifications?limit=1', { as: oidc.account.key });
    expect(body.verifications[0]).toMatchObject({ id });
  });
});

describe('clients', () => {
  it('authenticate by client_secret_post', async () => {
    const made = await createClient(oidc, { tokenEndpointAuth: 'client_secret_post' });
    const config = await discover(oidc, made, {}, client.ClientSecretPost(made.clientSecret));
    expect((await tokensOf(config)).claims()?.sub).toBe(ada.userId);
  });

  it('authenticate by private_key_jwt', async () => {
    const { pair, jwk } = privateKey();
    const made = await createClient(oidc, { tokenEndpointAuth: 'private_key_jwt', jwks: { keys: [jwk] } });
    const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    const key = await crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
    ]);
    const config = await discover(oidc, made, {}, client.PrivateKeyJwt({ key, kid: 'one' }));
    expect((await tokensOf(config)).claims()?.sub).toBe(ada.userId);
  });

  it('are called from the origin of a redirect URI if they have no secret', async () => {
    const made = await createClient(oidc, { type: 'spa', tokenEndpointAuth: 'none' });
    const config = await discover(oidc, made);
    expect((await tokensOf(config)).claims()?.sub).toBe(ada.userId);
    const origin = new URL(CALLBACK).origin;
    const token = `${oidc.issuer}/token`;
    const preflight = await fetch(token, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'dpop' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('dpop');
    const ask = (from: string, clientId: string) =>
      fetch(token, {
        method: 'POST',
        headers: { origin: from },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId }),
      });
    expect((await ask(origin, made.clientId)).headers.get('access-control-allow-origin')).toBe(origin);
    for (const other of ['https://evil.example', 'null', `${origin}0`])
      expect((await ask(other, made.clientId)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('get only the claims that they are allowed', async () => {
    for (const [claims, expected] of [
      [[], ['sub', 'verification_id']],
      [['profile'], ['name', 'sub', 'verification_id']],
      [['email'], ['email', 'email_verified', 'sub', 'verification_id']],
    ] as const) {
      const config = await discover(oidc, await createClient(oidc, { claims }));
      const scope = ['openid', ...claims].join(' ');
      const tokens = await tokensOf(config, { extra: { scope } });
      const user = await client.fetchUserInfo(config, tokens.access_token, ada.userId);
      expect(
        Object.keys(user)
          .filter((name) => !['acr', 'amr', 'auth_time'].includes(name))
          .sort(),
      ).toEqual(expected);
      const { back } = await silently(config, oidc.browser(), {
        scope: 'openid profile email',
        prompt: 'none',
      });
      if (claims.length === 0) expect(back.searchParams.get('error')).toBe('invalid_scope');
    }
  });

  it('must prove their key with requireDpop', async () => {
    const config = await discover(oidc, await createClient(oidc, { requireDpop: true }));
    await expect(tokensOf(config)).rejects.toMatchObject({ error: 'invalid_grant' });
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const tokens = await tokensOf(config, { dpop });
    expect(tokens.token_type).toBe('dpop');
    const user = await client.fetchUserInfo(config, tokens.access_token, ada.userId, { DPoP: dpop });
    expect(user.sub).toBe(ada.userId);
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    for (const options of [{}, { DPoP: other }])
      await expect(
        client.fetchUserInfo(config, tokens.access_token, ada.userId, options),
      ).rejects.toMatchObject({ status: 401 });
  });
});

describe('signed in to one application', () => {
  it('needs no phone for a second one', async () => {
    const browser = oidc.browser();
    const first = await discover(oidc, await createClient(oidc));
    const second = await discover(oidc, await createClient(oidc, { name: 'Expenses' }));
    const tokens = await tokensOf(first, { browser });
    const { back, checks } = await silently(second, browser);
    const others = await client.authorizationCodeGrant(second, back, checks);
    expect(others.claims()?.verification_id).toBe(tokens.claims()?.verification_id);
    await client.tokenRevocation(second, others.access_token);
    expect(await client.tokenIntrospection(first, tokens.access_token)).toMatchObject({ active: true });
  });

  it('answers prompt=none without a page, and only then', async () => {
    const browser = oidc.browser();
    const config = await discover(oidc, await createClient(oidc));
    const unknown = await silently(config, browser, { prompt: 'none' });
    expect(unknown.back.searchParams.get('error')).toBe('login_required');
    await tokensOf(config, { browser });
    const known = await silently(config, browser, { prompt: 'none' });
    expect(known.back.searchParams.get('code')).toBeTruthy();
  });

  it('keeps a browser signed in for eight hours', async () => {
    const browser = oidc.browser();
    const config = await discover(oidc, await createClient(oidc));
    await tokensOf(config, { browser });
    const answerAfter = async (ms: number) => {
      vi.setSystemTime(Date.now() + ms);
      oidc.service.clock.advance(ms);
      return (await silently(config, browser, { prompt: 'none' })).back.searchParams;
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      expect((await answerAfter(8 * 3_600_000 - 60_000)).get('code')).toBeTruthy();
      expect((await answerAfter(61_000)).get('error')).toBe('login_required');
    } finally {
      vi.useRealTimers();
    }
  });

  it('approves again for prompt=login, a max_age that has passed, and another person by login_hint', async () => {
    const browser = oidc.browser();
    const config = await discover(oidc, await createClient(oidc));
    const other = await discover(oidc, await createClient(oidc, { name: 'Expenses' }));
    await tokensOf(config, { browser });
    for (const target of [config, other])
      for (const extra of [{ prompt: 'login' }, { max_age: '0' }, { login_hint: 'employee-of-nobody' }]) {
        const { url } = await authorization(target, extra);
        const page = await browser.open(url);
        expect(page.url).toContain('/sign-in/');
        const details = await browser.send('GET', `/sign-in/${uidOf(page)}/details`);
        expect(details.status, JSON.stringify(extra)).toBe(200);
        expect(details.text).not.toContain('employee-of-nobody');
      }
    for (const extra of [{ max_age: '600' }, { login_hint: ada.externalId }])
      expect((await silently(config, browser, extra)).back.searchParams.get('code')).toBeTruthy();
    const { back } = await silently(config, browser, { prompt: 'none', login_hint: 'employee-of-nobody' });
    expect(back.searchParams.get('error')).toBe('login_required');
    const again = await tokensOf(other, { browser, extra: { prompt: 'login' } });
    expect(again.claims()?.sub).toBe(ada.userId);
  });

  it('replaces the person when another one approves', async () => {
    const bob = await oidc.person();
    const browser = oidc.browser();
    const config = await discover(oidc, await createClient(oidc));
    const before = await tokensOf(config, { browser });
    const { url, checks } = await authorization(config, { login_hint: bob.externalId });
    const page = await browser.open(url);
    const form = await browser.open(await approve(oidc, browser, uidOf(page), bob));
    const policy = form.headers['content-security-policy'] as string;
    expect(policy).toMatch(/script-src 'self' 'sha256-/);
    expect(policy).not.toContain('form-action');
    const field = (name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(form.text)?.[1] as string;
    const action = /action="([^"]+)"/.exec(form.text)?.[1] as string;
    const left = await browser.send(
      'POST',
      action,
      new URLSearchParams({ xsrf: field('xsrf'), logout: 'yes' }),
    );
    const back = await browser.open(left.location as string);
    const after = await client.authorizationCodeGrant(config, new URL(back.location as string), checks);
    expect(after.claims()?.sub).toBe(bob.userId);
    expect(await client.tokenIntrospection(config, before.access_token)).toEqual({ active: false });
  });
});
