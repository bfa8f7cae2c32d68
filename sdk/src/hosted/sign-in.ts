import { readAddress } from '../codecs/address.js';
import { toBase64url } from '../codecs/base64url.js';
import { subtle } from '../codecs/web-crypto.js';
import { SvcError } from '../transport/errors.js';
import { systemTiming, type Timing } from '../transport/timing.js';
import { pageWindow } from './browser.js';
import type { Returned } from './finish.js';
import { waitForReturn } from './popup.js';
import { exchange, type HostedClaims, type HostedTokens, readClaims } from './tokens.js';

export interface HostedSignIn {
  /** `BASE_URL/oidc/<account>/<live or test>`. With `new_browser_refused`, it is `error.hostedUrl` without `/auth`. */
  readonly issuer: string;
  /** Of an application of the type `spa`, without a secret. */
  readonly clientId: string;
  /** A page of this origin that calls `finishSignInHosted`, exactly as registered. */
  readonly redirectUri: string;
  /** Default: `openid profile`. */
  readonly scope?: string;
  /** Other parameters of the request, such as `prompt`, `max_age` or `login_hint`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Default: ten minutes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Replaces the platform's clock and timers. */
  readonly timing?: Timing;
}

export interface HostedResult {
  readonly claims: HostedClaims;
  readonly tokens: HostedTokens;
}

const TIMEOUT_MS = 600_000;
const FEATURES = 'popup,width=480,height=720';

const random = (): string => toBase64url(globalThis.crypto.getRandomValues(new Uint8Array(32)));
const invalid = (message: string) => new SvcError('invalid_options', message);

/**
 * Signs a person in on the service's own page, in a popup. The code flow with PKCE: the verifier, `state` and `nonce` stay on this page. Call
 * it directly in the handler of a click, because browsers block other popups.
 * @throws SvcError `sign_in_blocked`, `sign_in_closed`, `sign_in_failed` or `timed_out`
 */
export async function signInHosted(options: HostedSignIn): Promise<HostedResult> {
  const { clientId, redirectUri, scope = 'openid profile', parameters = {}, signal } = options;
  const { timing = systemTiming, timeoutMs = TIMEOUT_MS } = options;
  const page = pageWindow();
  const issuer = readIssuer(options.issuer);
  checkRedirect(redirectUri, page.location.origin);
  signal?.throwIfAborted();
  const hash = subtle();
  // Before anything that waits: a browser only lets a click open a window.
  const popup = page.open('about:blank', '_blank', FEATURES);
  if (popup === null)
    throw new SvcError(
      'sign_in_blocked',
      'The browser blocked the sign-in window. Call signInHosted directly in the handler of a click.',
    );
  const [verifier, state, nonce] = [random(), random(), random()];
  const challenge = await hash.digest('SHA-256', new TextEncoder().encode(verifier));
  const request = new URL(`${issuer}/auth`);
  request.search = new URLSearchParams({
    ...parameters,
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state, nonce },
    ...{ code_challenge: toBase64url(new Uint8Array(challenge)), code_challenge_method: 'S256' },
  }).toString();
  popup.location.href = request.href;
  const returned = await waitForReturn({ page, popup, timing, timeoutMs, signal });
  const code = codeOf(returned, { issuer, state });
  const send = options.fetch ?? ((...input: Parameters<typeof fetch>) => globalThis.fetch(...input));
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: clientId };
  const tokens = await exchange(send, issuer, { ...form, code_verifier: verifier }, signal);
  return { claims: readClaims(tokens.idToken, { issuer, clientId, nonce }, timing.now()), tokens };
}

/** The code, if it belongs to this sign-in and this issuer (RFC 9207). */
function codeOf(returned: Returned, expected: { readonly issuer: string; readonly state: string }): string {
  const failed = (message: string) => new SvcError('sign_in_failed', message);
  if (returned.state !== expected.state)
    throw failed('The answer belongs to another sign-in: its state differs.');
  if (returned.iss !== expected.issuer)
    throw failed(`The answer is of another issuer, not of ${expected.issuer}.`);
  if (typeof returned.error === 'string')
    throw failed(`The sign-in failed: ${returned.errorDescription ?? returned.error} (${returned.error}).`);
  if (typeof returned.code !== 'string') throw failed('The answer has no code.');
  return returned.code;
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The ID token is trusted because of the connection that it comes by, so that must be TLS. */
function readIssuer(text: string): string {
  const url = readAddress(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL.has(url.hostname));
  if (url === undefined || !isSafe || url.search !== '' || url.hash !== '' || text.endsWith('/'))
    throw invalid(
      'issuer must be an https address such as https://id.example.com/oidc/<account>/live, without a slash at the end.',
    );
  return text;
}

function checkRedirect(redirectUri: string, origin: string): void {
  if (readAddress(redirectUri)?.origin !== origin)
    throw invalid(
      `redirectUri must be a page of this origin, ${origin}, because only that may get the code.`,
    );
}
