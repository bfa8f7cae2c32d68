import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../support/oidc/browser.js';
import { createKey, pageWithKey, type TestKey } from '../support/oidc/browser-key.js';
import { beginSignIn } from '../support/oidc/new-browser.js';
import { approveOnPhone, createClient, discover, type OidcService, startOidc } from '../support/oidc/oidc.js';

let oidc: OidcService;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  oidc = await startOidc();
  config = await discover(oidc, await createClient(oidc));
});
afterAll(() => oidc.close());
// So that no test uses up what an address may do in a minute.
beforeEach(() => oidc.service.clock.advance(61_000));

const begin = (key?: TestKey, browser?: Browser) => beginSignIn(oidc, config, key, browser);

const errorOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).error];
const INVALID = [401, 'browser_signature_invalid'];

/** The order of P-256 and a point that is not on it. */
const OFF_CURVE = {
  x: Buffer.alloc(32, 1).toString('base64url'),
  y: Buffer.alloc(32, 2).toString('base64url'),
};

describe('opening a session with the key of a browser', () => {
  it('accepts the key once for each challenge, in each of several tabs [GET /sign-in/:uid/details] [POST /sign-in/:uid/session] [browsers/signatures]', async () => {
    const { page } = await begin();
    const [first, second] = [await page.challenge(), await page.challenge()];
    expect(first).not.toBe(second);
    // The older tab is still served.
    expect((await page.post('session', page.opening(first))).status).toBe(201);
    expect((await page.post('session', page.opening(second))).status).toBe(201);
    expect(errorOf(await page.post('session', page.opening(first)))).toEqual(INVALID);
    const third = await page.challenge();
    const replies = await Promise.all([1, 2, 3].map(() => page.post('session', page.opening(third))));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  });

  it('refuses a challenge after five minutes, of another browser, sign-in or account, and one that was made up [browsers/signatures]', async () => {
    const { page, uid, key, browser } = await begin();
    const old = await page.challenge();
    oidc.service.clock.advance(301_000);
    expect(errorOf(await page.post('session', page.opening(old)))).toEqual(INVALID);
    const challenge = await page.challenge();
    const other = await begin(key, createBrowser(oidc.baseUrl));
    expect(errorOf(await other.page.post('session', other.page.opening(challenge)))).toEqual(INVALID);
    const sameBrowser = await begin(key, browser);
    await sameBrowser.page.challenge();
    expect(errorOf(await sameBrowser.page.post('session', sameBrowser.page.opening(challenge)))).toEqual(
      INVALID,
    );
    const texts = [
      page.textOf('complete', uid, challenge),
      page.textOf('open', other.uid, challenge),
      page.textOf('open', uid, challenge).replace('|live|', '|test|'),
      page.textOf('open', uid, challenge).replace(oidc.account.tenantId, crypto.randomUUID()),
      page.textOf('open', uid, 'made-up'),
      `${page.textOf('open', uid, challenge)}|`,
    ];
    for (const text of texts) {
      const body = { browser: { jwk: key.jwk, signature: key.sign(text) } };
      expect(errorOf(await page.post('session', body)), text).toEqual(INVALID);
    }
    const stranger = { jwk: createKey().jwk, signature: page.opening(challenge).browser.signature };
    expect(errorOf(await page.post('session', { browser: stranger }))).toEqual(INVALID);
    // None of them has spent it.
    expect((await page.post('session', page.opening(challenge))).status).toBe(201);
  });

  it('answers a key or signature that is none with a 400 [browsers/signatures]', async () => {
    const { page, key } = await begin();
    const { browser } = page.opening(await page.challenge());
    const { x, y } = key.jwk;
    const wrong: object[] = [
      ...[null, [], 'key', 1].map((jwk) => ({ ...browser, jwk })),
      ...[
        { kty: 'RSA', n: x, e: 'AQAB' },
        { ...key.jwk, crv: 'P-384' },
        { ...key.jwk, crv: 'secp256k1' },
        { ...key.jwk, ...OFF_CURVE },
        { ...key.jwk, d: x },
        { ...key.jwk, kid: 'mine' },
        { ...key.jwk, x: `${x}=` },
        { ...key.jwk, x: x.slice(1) },
        { ...key.jwk, x: `${x.slice(0, 42)}B` },
        { ...key.jwk, y: '' },
        { kty: 'EC', crv: 'P-256', y },
      ].map((jwk) => ({ ...browser, jwk })),
      ...[undefined, '', 'A'.repeat(85), 'A'.repeat(87), `${'A'.repeat(85)}B`, `${'A'.repeat(84)}==`, 7].map(
        (signature) => ({ ...browser, signature }),
      ),
      { ...browser, more: true },
    ];
    for (const body of wrong)
      expect(errorOf(await page.post('session', { browser: body })), JSON.stringify(body)).toEqual([
        400,
        'invalid_request',
      ]);
    const zeros = { ...browser, signature: 'A'.repeat(86) };
    expect(errorOf(await page.post('session', { browser: zeros }))).toEqual(INVALID);
  });
});

describe('a session that was opened with a key', () => {
  it('is completed by nobody who has only copied the cookies [POST /sign-in/:uid/complete] [browsers/signatures]', async () => {
    const { page, browser, uid, key } = await begin();
    const session = await page.open();
    const other = await begin(key, browser);
    const otherSession = await other.page.open();
    expect((await approveOnPhone(oidc, await oidc.person(), session)).status).toBe(200);
    const { id: sessionId, nonce } = session;
    const thief = pageWithKey(oidc, browser, uid, createKey());
    const attempts = [
      {},
      { browser: thief.signed('complete', session) },
      { browser: page.signed('nearby', session) },
      { browser: page.signed('redeem', session) },
      { browser: page.signed('complete', otherSession) },
      { browser: { signature: key.sign(page.textOf('complete', other.uid, sessionId, nonce)) } },
      { browser: { signature: key.sign(page.textOf('complete', uid, sessionId, otherSession.nonce)) } },
    ];
    for (const attempt of attempts)
      expect(errorOf(await page.post('complete', { sessionId, ...attempt }))).toEqual(INVALID);
    const remembered = await page.complete(session, { remember: true });
    expect(errorOf(remembered)).toEqual([400, 'invalid_request']);
    expect((await page.complete(session)).status).toBe(200);
  });

  it('and one without a key is completed without a signature, as before [browsers/signatures]', async () => {
    const { page } = await begin();
    const session = JSON.parse((await page.post('session', {})).text).session;
    await approveOnPhone(oidc, await oidc.person(), session);
    expect(errorOf(await page.complete(session))).toEqual(INVALID);
    expect((await page.post('complete', { sessionId: session.id })).status).toBe(200);
  });
});
