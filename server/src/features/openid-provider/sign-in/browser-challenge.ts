import type { Static } from 'typebox';
import { equalSecrets } from '../../../base/crypto/keyring.js';
import { fail } from '../../../base/errors.js';
import type { Write } from '../../../ledger/write.js';
import { ids, secrets } from '../../../model/example-fixtures.js';
import { type BrowserKey, browserText, isSignedBy, readKey } from '../../browsers/browsers.js';
import type { PagePrincipal, PairingContext } from '../../pairing/pairing.js';
import { consumeNonce } from '../../proofs/proofs.js';
import type { SessionBody } from './sign-in.schema.js';

type Context = Pick<PairingContext, 'deps' | 'scope' | 'cookie' | 'setCookie'> & {
  readonly principal: PagePrincipal;
};
type Shown = NonNullable<Static<typeof SessionBody>['browser']>;

const TTL_SECONDS = 300;
const COOKIE = 'svc_browser_challenge';
/** Several tabs of a sign-in can each have one. Another one replaces the oldest. */
const MAX_CHALLENGES = 4;
/** A nonce, the end of its time in Unix seconds, and what signs both. */
const CHALLENGE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9]{1,12})\.([\w-]{43})$/;

const pathOf = (example: string) =>
  `${COOKIE}=${example}; Max-Age=${TTL_SECONDS}; Path=/sign-in/…; HttpOnly; Secure; SameSite=Strict`;
const EXAMPLE = `${ids.proofNonce}.1778578500.${secrets.refreshToken}`;
export const setsChallenge = {
  'Set-Cookie': { description: 'The challenges of this browser, at most four.', example: pathOf(EXAMPLE) },
};
export const challengeCookie = {
  [COOKIE]: { description: 'Set with a challenge. Only needed with `browser`.', example: EXAMPLE },
} as const;

const toUrl = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
const signed = ({ scope, principal }: Context, nonce: string, end: string) =>
  ['browser-challenge', scope.tenantId, scope.environment, principal.uid, nonce, end].join('|');

const readAll = ({ cookie }: Pick<Context, 'cookie'>): string[] =>
  (cookie(COOKIE) ?? '').split('~').filter((text) => CHALLENGE.test(text));

/** A challenge for the key of the browser. It stores nothing before a browser answers one. */
export function issueChallenge(context: Context): string {
  const { deps, principal, setCookie } = context;
  const nonce = deps.ids();
  const end = String(Math.floor(deps.clock.now() / 1000) + TTL_SECONDS);
  const mac = toUrl(deps.keyring.hmac('pairing', signed(context, nonce, end)));
  const challenge = `${nonce}.${end}.${mac}`;
  const challenges = [...readAll(context), challenge].slice(-MAX_CHALLENGES);
  setCookie(COOKIE, challenges.join('~'), { path: principal.path, maxAgeSeconds: TTL_SECONDS });
  return challenge;
}

/** Whether a challenge is of this sign-in and still valid. */
function isValid(context: Context, nonce: string, end: string, mac: string): boolean {
  const { clock, keyring } = context.deps;
  const isOurs = keyring
    .hmacs('pairing', signed(context, nonce, end))
    .some((hex) => equalSecrets(toUrl(hex), mac));
  return isOurs && Number(end) * 1000 >= clock.now();
}

/**
 * The key of a browser that has signed one of its challenges, and what spends that one in the write that opens the session. 400 for a key
 * that is none, 401 for everything else.
 */
export function answerChallenge(
  context: Context,
  { jwk, signature }: Shown,
): { readonly key: BrowserKey; spend(w: Write): Promise<void> } {
  const { scope, principal } = context;
  const key = readKey(jwk, 'body.browser.jwk');
  for (const challenge of readAll(context)) {
    const [, nonce = '', end = '', mac = ''] = CHALLENGE.exec(challenge) ?? [];
    if (!isValid(context, nonce, end, mac)) continue;
    if (!isSignedBy(key.jwk, browserText('open', scope, principal.slug, challenge), signature)) continue;
    const use = { nonce, expiresAt: new Date(Number(end) * 1000) };
    return {
      key,
      async spend(w) {
        if (!(await consumeNonce(w, use))) fail('browser_signature_invalid', { because: 'used challenge' });
      },
    };
  }
  return fail('browser_signature_invalid', { because: 'open' });
}
