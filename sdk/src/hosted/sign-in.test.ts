import { afterEach, expect, it, vi } from 'vitest';
import { finishSignInHosted } from './finish.js';
import { signInHosted } from './sign-in.js';

const ORIGIN = 'https://app.example';
const SETTINGS = {
  issuer: 'https://id.example/oidc/t/live',
  clientId: 'client',
  redirectUri: `${ORIGIN}/signed-in`,
};

afterEach(() => vi.unstubAllGlobals());

/** A page that opens a popup, which comes back with these parameters. Returns what the popup was sent to. */
function openPage(parameters: Record<string, string>, { isBlocked = false } = {}) {
  const requests: URL[] = [];
  const listeners = new Set<(message: object) => void>();
  const popup = {
    closed: false,
    close() {},
    location: {
      set href(address: string) {
        const request = new URL(address);
        requests.push(request);
        const state = request.searchParams.get('state');
        const data = { type: 'svc-signed-in', state, iss: SETTINGS.issuer, code: 'c', ...parameters };
        queueMicrotask(() => {
          for (const listener of listeners) listener({ origin: ORIGIN, source: popup, data });
        });
      },
    },
  };
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('open', () => (isBlocked ? null : popup));
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.add(listener));
  vi.stubGlobal('removeEventListener', (_: string, listener: () => void) => listeners.delete(listener));
  return requests;
}

it('asks for a code with PKCE, state and nonce, and redeems it with the verifier', async () => {
  const requests = openPage({});
  const forms: URLSearchParams[] = [];
  const send: typeof fetch = async (_, init) => {
    forms.push(new URLSearchParams(String(init?.body)));
    return Response.json(
      { error: 'invalid_grant', error_description: 'grant request is invalid' },
      { status: 400 },
    );
  };
  const parameters = { login_hint: 'ada', state: 'chosen', redirect_uri: 'https://evil.example' };
  await expect(signInHosted({ ...SETTINGS, parameters, fetch: send })).rejects.toMatchObject({
    code: 'sign_in_failed',
    message: 'The code was rejected: grant request is invalid.',
  });
  const [asked, form] = [requests[0]?.searchParams, forms[0]];
  expect(Object.fromEntries(asked ?? [])).toMatchObject({
    ...{ response_type: 'code', client_id: 'client', redirect_uri: SETTINGS.redirectUri, login_hint: 'ada' },
    ...{
      scope: 'openid profile',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
    },
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  const verifier = new TextEncoder().encode(form?.get('code_verifier') ?? '');
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', verifier)).toString('base64url');
  expect([form?.get('code'), form?.get('redirect_uri'), asked?.get('code_challenge')]).toEqual([
    'c',
    SETTINGS.redirectUri,
    hash,
  ]);
});

it.each([
  ['another state', { state: 'other' }, 'its state differs'],
  ['another issuer', { iss: 'https://evil.example' }, 'of another issuer'],
  ['an error', { error: 'access_denied', errorDescription: 'Cancelled' }, 'Cancelled (access_denied)'],
])('rejects an answer with %s, and sends nothing to the token endpoint', async (_, parameters, message) => {
  openPage(parameters);
  const send = () => Promise.reject(new Error('sent'));
  await expect(signInHosted({ ...SETTINGS, fetch: send })).rejects.toMatchObject({
    code: 'sign_in_failed',
    message: expect.stringContaining(message),
  });
});

it('closes the popup and rejects once when the caller leaves while the request is made', async () => {
  openPage({});
  const controller = new AbortController();
  const signing = signInHosted({ ...SETTINGS, signal: controller.signal });
  controller.abort(new Error('left the page'));
  await expect(signing).rejects.toThrow('left the page');
});

it('opens nothing for an issuer without TLS or a redirect page of another origin, and says if it is blocked', async () => {
  const requests = openPage({}, { isBlocked: true });
  const options = [
    { issuer: 'http://id.example/oidc/t/live' },
    { issuer: `${SETTINGS.issuer}/` },
    { redirectUri: 'https://other.example/signed-in' },
  ];
  for (const option of options)
    await expect(signInHosted({ ...SETTINGS, ...option })).rejects.toMatchObject({ code: 'invalid_options' });
  await expect(signInHosted(SETTINGS)).rejects.toMatchObject({ code: 'sign_in_blocked' });
  expect(requests).toEqual([]);
});

it('the redirect page posts to its own origin only, and removes the code from its address', () => {
  const posted: unknown[] = [];
  const addresses: unknown[] = [];
  vi.stubGlobal('location', { origin: ORIGIN, pathname: '/signed-in', search: '?code=c&state=s&iss=i' });
  vi.stubGlobal('history', { replaceState: (...to: unknown[]) => addresses.push(to.at(-1)) });
  vi.stubGlobal('close', () => posted.push('closed'));
  vi.stubGlobal('opener', { postMessage: (...message: unknown[]) => posted.push(message) });
  expect(finishSignInHosted()).toBe(true);
  const returned = {
    type: 'svc-signed-in',
    code: 'c',
    state: 's',
    iss: 'i',
    error: null,
    errorDescription: null,
  };
  expect(posted).toEqual([[returned, ORIGIN], 'closed']);
  expect(addresses).toEqual(['/signed-in']);
  vi.stubGlobal('opener', null);
  expect(finishSignInHosted()).toBe(false);
});
