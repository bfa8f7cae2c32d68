import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/oidc/browser.js';
import {
  authorization,
  createClient,
  discover,
  type OidcService,
  signIn,
  startOidc,
} from '../support/oidc/oidc.js';
import { dataOf } from '../support/oidc/page-data.js';

let oidc: OidcService;
let ada: Awaited<ReturnType<OidcService['person']>>;
beforeAll(async () => {
  oidc = await startOidc();
  ada = await oidc.person();
});
afterAll(() => oidc.close());

const GOODBYE = 'https://app.example.com/goodbye';

async function tokensOf(config: client.Configuration, browser: Browser, extra = {}) {
  const { url, checks } = await authorization(config, extra);
  return client.authorizationCodeGrant(config, await signIn(oidc, browser, url, ada), checks);
}

async function confirm(browser: Browser, url: string, fields: Record<string, string> = { logout: 'yes' }) {
  const page = await browser.open(url);
  const { action, xsrf } = dataOf(page);
  return browser.send('POST', action, new URLSearchParams({ xsrf, ...fields }));
}

describe('signing out [GET /oidc/:tenantId/:environment/session/end] [POST /oidc/:tenantId/:environment/session/end/confirm]', () => {
  it('ends the session and its tokens after the person confirmed, and returns to a registered URI', async () => {
    const made = await createClient(oidc, { postLogoutRedirectUris: [GOODBYE] });
    const config = await discover(oidc, made);
    const browser = oidc.browser();
    const tokens = await tokensOf(config, browser);
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token as string,
      post_logout_redirect_uri: GOODBYE,
      state: 'a state',
    });
    const page = dataOf(await browser.open(url.href));
    expect(page).toMatchObject({ view: 'sign_out', client: { name: 'Time tracking' } });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
    const left = await confirm(browser, url.href);
    expect(left).toMatchObject({ status: 303, location: `${GOODBYE}?state=a+state` });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    const { location } = await browser.open((await authorization(config, { prompt: 'none' })).url);
    expect(location).toContain('error=login_required');
  });

  it('keeps what was granted for offline access', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const browser = oidc.browser();
    const tokens = await tokensOf(config, browser, { scope: 'openid offline_access', prompt: 'consent' });
    const url = client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token as string });
    await confirm(browser, url.href);
    const next = await client.refreshTokenGrant(config, tokens.refresh_token as string);
    expect(next.claims()?.sub).toBe(ada.userId);
  });

  it('redirects nowhere else [GET /oidc/:tenantId/:environment/session/end/success]', async () => {
    const made = await createClient(oidc, { postLogoutRedirectUris: [GOODBYE] });
    const config = await discover(oidc, made);
    const browser = oidc.browser();
    const tokens = await tokensOf(config, browser);
    const end = `${oidc.issuer}/session/end`;
    const hint = `id_token_hint=${tokens.id_token}`;
    const others = [
      'https://evil.example',
      `${GOODBYE}/`,
      `${GOODBYE}?x`,
      '//evil.example',
      'javascript:alert(1)',
      `${GOODBYE}\\@evil`,
    ];
    for (const uri of others)
      for (const who of [hint, `client_id=${made.clientId}`]) {
        const page = await browser.open(`${end}?${who}&post_logout_redirect_uri=${encodeURIComponent(uri)}`);
        expect(page).toMatchObject({ status: 400, location: undefined });
      }
    // Without a client, the URI is ignored.
    const left = await confirm(browser, `${end}?post_logout_redirect_uri=${encodeURIComponent(GOODBYE)}`);
    expect(left.location).toBe(`${end}/success`);
    expect(dataOf(await browser.open(left.location as string))).toMatchObject({ view: 'signed_out' });
  });

  it('accepts no hint that this issuer did not sign, and no request without the page’s secret', async () => {
    const made = await createClient(oidc, { postLogoutRedirectUris: [GOODBYE] });
    const config = await discover(oidc, made);
    const browser = oidc.browser();
    const tokens = await tokensOf(config, browser);
    const [, payload] = (tokens.id_token as string).split('.') as [string, string];
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const hint of [none, `${tokens.id_token}x`, 'x', 'a.b.c']) {
      const page = await browser.open(
        `${oidc.issuer}/session/end?id_token_hint=${hint}&post_logout_redirect_uri=${GOODBYE}`,
      );
      expect(page.status, hint).toBe(400);
    }
    await browser.open(`${oidc.issuer}/session/end`);
    for (const xsrf of ['', 'x', 'x'.repeat(10_000)]) {
      const body = new URLSearchParams({ xsrf, logout: 'yes' });
      expect((await browser.send('POST', `${oidc.issuer}/session/end/confirm`, body)).status).toBe(400);
    }
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
  });

  it('works in a browser that is not signed in', async () => {
    const page = await oidc.browser().open(`${oidc.issuer}/session/end`);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-/);
  });
});

describe('pairwise subjects', () => {
  const subjectFor = async (redirect: string, of = oidc, person = ada) => {
    const made = await createClient(of, { subjectType: 'pairwise', redirectUris: [redirect] });
    const config = await discover(of, made);
    const { url, checks } = await authorization(config, { redirect_uri: redirect });
    const tokens = await client.authorizationCodeGrant(
      config,
      await signIn(of, of.browser(), url, person),
      checks,
    );
    const { sub } = tokens.claims() as { sub: string };
    expect((await client.fetchUserInfo(config, tokens.access_token, sub)).sub).toBe(sub);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, sub });
    const all = JSON.stringify(tokens) + JSON.stringify(tokens.claims());
    expect(all).not.toContain(person.userId);
    return sub;
  };

  it('are the same for all clients of a host, and others for another host', async () => {
    const sub = await subjectFor('http://127.0.0.1:9/callback');
    expect(sub).toMatch(/^[\w-]{43}$/);
    expect(await subjectFor('http://127.0.0.1:9/other')).toBe(sub);
    expect(await subjectFor('http://localhost:9/callback')).not.toBe(sub);
  });

  it('are different for native applications with their own schemes', async () => {
    const subjectOfApp = async (redirect: string) => {
      const made = await createClient(oidc, {
        type: 'native',
        tokenEndpointAuth: 'none',
        subjectType: 'pairwise',
        redirectUris: [redirect],
      });
      const config = await discover(oidc, made);
      const { url, checks } = await authorization(config, { redirect_uri: redirect });
      const tokens = await client.authorizationCodeGrant(
        config,
        await signIn(oidc, oidc.browser(), url, ada),
        checks,
      );
      return tokens.claims()?.sub;
    };
    expect(await subjectOfApp('com.example.one:/cb')).not.toBe(await subjectOfApp('com.example.two:/cb'));
  });

  it('are different in another account', async () => {
    const other = await startOidc();
    const sub = await subjectFor('http://127.0.0.1:9/callback', other, await other.person());
    expect(sub).not.toBe(await subjectFor('http://127.0.0.1:9/callback'));
    await other.close();
  });
});
