import { generateKeyPairSync, hash, sign } from 'node:crypto';
import type { Browser, Page } from './browser.js';
import type { OidcService } from './oidc.js';

/** The key that the sign-in page makes in a browser. */
export interface TestKey {
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
  readonly thumbprint: string;
  sign(text: string): string;
}

export function createKey(): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return {
    jwk: { kty: 'EC', crv: 'P-256', x, y },
    thumbprint: hash('sha256', JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }), 'base64url'),
    sign: (text) =>
      sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}

export interface Opened {
  readonly id: string;
  readonly nonce: string;
  readonly qrPayload: string;
  readonly matchCode: string;
}

/** What a sign-in page does with a key: opens a session, and signs each step. */
export function pageWithKey(
  { account }: Pick<OidcService, 'account'>,
  browser: Browser,
  uid: string,
  key: TestKey,
  environment = 'live',
) {
  const textOf = (step: string, ...rest: string[]) =>
    ['svc-browser-v1', step, account.tenantId, environment, ...rest].join('|');
  const post = (step: string, body: object) => browser.send('POST', `/sign-in/${uid}/${step}`, body);
  const signed = (step: string, { id, nonce }: Opened) => ({
    signature: key.sign(textOf(step, uid, id, nonce)),
  });
  const challenge = async (): Promise<string> =>
    (await browser.json('GET', `/sign-in/${uid}/details`)).signIn.browserChallenge;
  return {
    textOf,
    post,
    signed,
    challenge,
    /** The body that opens a session. */
    opening: (browserChallenge: string, body: object = {}) => ({
      ...body,
      browser: { jwk: key.jwk, signature: key.sign(textOf('open', uid, browserChallenge)) },
    }),
    async open(body: object = {}): Promise<Opened> {
      const page = await post('session', this.opening(await challenge(), body));
      if (page.status !== 201) throw new Error(`opening returned ${page.status} ${page.text}`);
      return JSON.parse(page.text).session;
    },
    nearby: (session: Opened, credential: object): Promise<Page> =>
      post('nearby', { sessionId: session.id, credential, browser: signed('nearby', session) }),
    complete: (session: Opened, body: object = {}): Promise<Page> =>
      post('complete', {
        sessionId: session.id,
        browser: signed('returnCode' in body ? 'redeem' : 'complete', session),
        ...body,
      }),
  };
}
