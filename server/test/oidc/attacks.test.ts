import fc from 'fast-check';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  approve,
  approveOnPhone,
  authorization,
  CALLBACK,
  createClient,
  discover,
  type OidcService,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { phone } from '../support/pairing.js';
import { freshAddress } from '../support/service.js';

let oidc: OidcService;
let ada: Awaited<ReturnType<OidcService['person']>>;
let config: client.Configuration;
beforeAll(async () => {
  oidc = await startOidc();
  ada = await oidc.person();
  config = await discover(oidc, await createClient(oidc));
});
afterAll(() => oidc.close());

type Browser = ReturnType<OidcService['browser']>;

/** A sign-in page in a new browser, with a code for the phone. */
async function openPage(browser = oidc.browser(), extra = {}) {
  const { url, checks } = await authorization(config, extra);
  const uid = uidOf(await browser.open(url));
  const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
  return { browser, uid, session, checks };
}

/** Each action of the page: the status and code of what the browser gets. */
async function tryAll(browser: Browser, uid: string, sessionId: string): Promise<string[]> {
  const replies = [
    await browser.send('GET', `/sign-in/${uid}/details`),
    await browser.send('GET', `/sign-in/${uid}/stream?session=${sessionId}`),
    await browser.send('POST', `/sign-in/${uid}/session`, {}),
    await browser.send('POST', `/sign-in/${uid}/complete`, { sessionId }),
    await browser.send('POST', `/sign-in/${uid}/cancel`, {}),
  ];
  return [...new Set(replies.map(({ status, text }) => `${status} ${JSON.parse(text).error}`))];
}

const CLOSED = ['404 sign_in_not_found'];
const complete = async (browser: Browser, uid: string, sessionId: string) => {
  const { status, text } = await browser.send('POST', `/sign-in/${uid}/complete`, { sessionId });
  return `${status} ${JSON.parse(text).error}`;
};
const NOT_APPROVED = '409 sign_in_not_approved';

describe('the sign-in page [GET /sign-in/:uid/details] [GET /sign-in/:uid/stream] [POST /sign-in/:uid/session] [POST /sign-in/:uid/complete] [POST /sign-in/:uid/cancel]', () => {
  it('is closed to every other browser [openid/sign-in-page]', async () => {
    const { browser, uid, session } = await openPage();
    await approveOnPhone(oidc, ada, session);
    const other = await openPage();
    expect(await tryAll(oidc.browser(), uid, session.id)).toEqual(CLOSED);
    expect(await tryAll(other.browser, uid, session.id)).toEqual(CLOSED);
    // The cookies of the other browser's own sign-in, sent to this one's path.
    const swapped = oidc.browser();
    for (const [key, { value }] of other.browser.cookies)
      swapped.cookies.set(`${key.split('|')[0]}|/sign-in/${uid}`, { value, path: `/sign-in/${uid}` });
    expect(await tryAll(swapped, uid, session.id)).toEqual(CLOSED);
    // The right identifier without the server's signature, and with that of another one.
    const forged = oidc.browser();
    const at = { path: `/sign-in/${uid}` };
    forged.cookies.set('svc_sign_in|a', { value: uid.split('.')[0] as string, ...at });
    expect(await tryAll(forged, uid, session.id)).toEqual(CLOSED);
    const [, signature] = [...other.browser.cookies].find(([key]) => key.startsWith('svc_sign_in.sig')) as [
      string,
      { value: string },
    ];
    forged.cookies.set('svc_sign_in.sig|a', { value: signature.value, ...at });
    expect(await tryAll(forged, uid, session.id)).toEqual(CLOSED);
    expect(await tryAll(browser, 'x'.repeat(21), session.id)).toEqual(CLOSED);
    expect(await complete(browser, uid, session.id)).toMatch(/^200/);
  });

  it('is not completed by a code of another page, even in one browser', async () => {
    const one = await openPage();
    const two = await openPage(one.browser);
    await approveOnPhone(oidc, ada, two.session);
    expect(await complete(one.browser, one.uid, two.session.id)).toBe('404 pairing_session_not_found');
    const other = await openPage();
    await approveOnPhone(oidc, ada, other.session);
    expect(await complete(one.browser, one.uid, other.session.id)).toBe('404 pairing_session_not_found');
    expect(await complete(one.browser, two.uid, two.session.id)).toMatch(/^200/);
  });

  it('is not completed before the approval, after it was declined, or twice', async () => {
    const { browser, uid, session } = await openPage();
    expect(await complete(browser, uid, session.id)).toBe(NOT_APPROVED);
    const { session: declined } = await browser.json('POST', `/sign-in/${uid}/session`);
    await phone(oidc.service, declined.id, 'decline', {});
    expect(await complete(browser, uid, declined.id)).toBe(NOT_APPROVED);
    const { session: third } = await browser.json('POST', `/sign-in/${uid}/session`);
    await approveOnPhone(oidc, ada, third);
    expect(await complete(browser, uid, third.id)).toMatch(/^200/);
    expect(await tryAll(browser, uid, third.id)).toEqual(CLOSED);
  });

  it('is closed after it was cancelled, and the application gets access_denied', async () => {
    const { browser, uid, session, checks } = await openPage();
    await approveOnPhone(oidc, ada, session);
    const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/cancel`);
    expect(await tryAll(browser, uid, session.id)).toEqual(CLOSED);
    const back = new URL((await browser.open(redirectTo)).location as string).searchParams;
    expect(back.get('error')).toBe('access_denied');
    expect(back.get('state')).toBe(checks.expectedState);
    expect(back.get('iss')).toBe(oidc.issuer);
  });

  it('rejects a wrong number, and a code is not accepted after 5 minutes', async () => {
    const { browser, uid, session } = await openPage();
    const wrong = session.matchCode === '42' ? '43' : '42';
    expect((await approveOnPhone(oidc, ada, { ...session, matchCode: wrong })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(await complete(browser, uid, session.id)).toBe(NOT_APPROVED);
    const late = await openPage();
    await approveOnPhone(oidc, ada, late.session);
    oidc.service.clock.advance(300_000);
    expect(await complete(late.browser, late.uid, late.session.id)).toBe(NOT_APPROVED);
  });

  it('gives no code if the client is deleted after the approval', async () => {
    const made = await createClient(oidc);
    const browser = oidc.browser();
    const uid = uidOf(await browser.open((await authorization(await discover(oidc, made))).url));
    const redirectTo = await approve(oidc, browser, uid, ada);
    const path = `/api/console/oidc/clients/${made.clientId}`;
    await oidc.service.call('DELETE', path, { as: oidc.account.token });
    const page = await browser.open(redirectTo);
    expect([page.status, page.location]).toEqual([400, undefined]);
  });

  it('cannot be resumed by another browser, or twice', async () => {
    const { browser, uid, session } = await openPage();
    await approveOnPhone(oidc, ada, session);
    const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/complete`, { sessionId: session.id });
    expect((await oidc.browser().open(redirectTo)).status).toBe(400);
    const cookies = [...browser.cookies];
    expect((await browser.open(redirectTo)).location).toContain('code=');
    for (const [key, cookie] of cookies) browser.cookies.set(key, cookie);
    expect((await browser.open(redirectTo)).status).toBe(400);
  });

  it('gives no tokens of /v1, and /v1/proof-pairing does not know its codes', async () => {
    const { browser, uid, session } = await openPage();
    const reply = await approveOnPhone(oidc, ada, session);
    expect(reply.body.tokens ?? null).toBeNull();
    const cookie = [...browser.cookies].map(([key, { value }]) => `${key.split('|')[0]}=${value}`).join('; ');
    const base = `/v1/proof-pairing/sessions/${session.id}`;
    for (const [method, path, body] of [
      ['GET', base, undefined],
      ['POST', `${base}/redeem`, { returnCode: 'A'.repeat(43) }],
      ['GET', `${base}/stream`, undefined],
    ] as const) {
      const asked = await oidc.service.call(method, path, {
        as: oidc.account.key,
        headers: { cookie },
        ...(body && { body }),
      });
      expect(asked.status, `${method} ${path} ${asked.text}`).toBeGreaterThanOrEqual(400);
      expect(asked.text).not.toContain('accessToken');
    }
    expect(await complete(browser, uid, session.id)).toMatch(/^200/);
  });

  it('lets two tabs sign in, each to its own request', async () => {
    const browser = oidc.browser();
    const [one, two] = [await openPage(browser), await openPage(browser)];
    for (const tab of [two, one]) {
      const back = await browser.open(await approve(oidc, browser, tab.uid, ada));
      const tokens = await client.authorizationCodeGrant(
        config,
        new URL(back.location as string),
        tab.checks,
      );
      expect(tokens.claims()?.sub).toBe(ada.userId);
    }
  });

  it('ends with its client and its account', async () => {
    const { clientId, clientSecret } = await createClient(oidc);
    const other = await discover(oidc, { clientId, ...(clientSecret && { clientSecret }) });
    const browser = oidc.browser();
    const uid = uidOf(await browser.open((await authorization(other)).url));
    const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
    await approveOnPhone(oidc, ada, session);
    await oidc.service.setStatus(oidc.account, 'suspended');
    expect(await tryAll(browser, uid, session.id)).toEqual(CLOSED);
    await oidc.service.setStatus(oidc.account, 'active');
    const path = `/api/console/oidc/clients/${clientId}`;
    await oidc.service.call('DELETE', path, { as: oidc.account.token });
    expect(await tryAll(browser, uid, session.id)).toEqual(CLOSED);
  });
});

describe('an authorization request', () => {
  const ask = async (change: (params: URLSearchParams) => void) => {
    const url = new URL((await authorization(config)).url);
    change(url.searchParams);
    return oidc.service.call('GET', `${url.pathname}${url.search}`, { address: freshAddress() });
  };

  it('never redirects to a URI that is not registered', async () => {
    const mutations = fc.oneof(
      fc
        .tuple(fc.nat(CALLBACK.length), fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme' }))
        .map(([at, text]) => CALLBACK.slice(0, at) + text + CALLBACK.slice(at)),
      fc.nat(CALLBACK.length - 1).map((at) => CALLBACK.slice(0, at) + CALLBACK.slice(at + 1)),
      fc.nat(CALLBACK.length - 1).map((at) => CALLBACK.slice(0, at) + CALLBACK.slice(at).toUpperCase()),
      fc.constantFrom(
        '',
        '//evil.example',
        `${CALLBACK}\0`,
        `${CALLBACK}\r\nx: y`,
        ` ${CALLBACK}`,
        'javascript:alert(1)',
        CALLBACK.replace(':9', ':10'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        mutations.filter((uri) => uri !== CALLBACK),
        async (uri) => {
          const reply = await ask((params) => params.set('redirect_uri', uri));
          expect(reply.status).toBe(400);
          expect(reply.headers.location).toBeUndefined();
        },
      ),
      { numRuns: 120 },
    );
    const twice = await ask((params) => params.append('redirect_uri', 'https://evil.example'));
    expect([twice.status, twice.headers.location]).toEqual([400, undefined]);
  });

  it.each([
    ['response_type', 'token', 'unsupported_response_type'],
    ['response_type', 'code id_token', 'unsupported_response_type'],
    ['response_mode', 'web_message', 'unsupported_response_mode'],
    ['response_mode', 'jwt', 'unsupported_response_mode'],
    ['request', 'e30.e30.', 'request_not_supported'],
    ['request_uri', 'https://evil.example/request', 'request_uri_not_supported'],
    ['registration', '{}', 'registration_not_supported'],
    ['scope', 'openid admin', undefined],
    ['scope', 'profile', undefined],
    ['prompt', 'none login', 'invalid_request'],
    ['max_age', '-1', 'invalid_request'],
  ])('with %s=%s returns %s', async (name, value, error) => {
    const { headers, text } = await ask((params) => params.set(name, value));
    const answer = new URLSearchParams(String(headers.location ?? '').split(/[?#]/)[1]);
    expect(answer.get('code')).toBeNull();
    if (error !== undefined) expect(answer.get('error') ?? text).toContain(error);
  });
});
