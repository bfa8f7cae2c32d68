import { noteServerTime } from '../../ui/server-time';

/** What the sign-in is for, as `GET /sign-in/:uid/details` describes it. */
export interface SignIn {
  readonly client: { readonly name: string };
  readonly company: string;
  /** `#rrggbb`. */
  readonly accentColor: string;
  readonly logoUrl: string | null;
  /** Where the browser goes afterwards, such as `app.example.com`. Null if another device is signed in. */
  readonly host: string | null;
  readonly expiresAt: string;
  readonly tenantId: string;
  readonly environment: 'live' | 'test';
  /** For the signature that opens a session, once. */
  readonly browserChallenge: string;
  /** Only a phone that runs this page may approve, so no code is shown. */
  readonly sameDeviceOnly: boolean;
  /** In a browser that is new to the person, another phone has to be beside it. */
  readonly nearbyIfNew: boolean;
  /** What the application asks a person for who is signed in already. Null if it asks for an approval. */
  readonly consent: { readonly claims: readonly string[]; readonly staysSignedIn: boolean } | null;
}

/** A code for a phone. */
export interface Session {
  readonly id: string;
  readonly nonce: string;
  readonly qrPayload: string;
  /** Opens the code in the phone page. */
  readonly url?: string;
  /** Two digits. Null on the same device, unless the company's policy asks for a number everywhere. */
  readonly matchCode: string | null;
  readonly expiresAt: string;
}

export type Failure =
  /** No response, or none from the service. */
  | 'unreachable'
  | 'not_open'
  | 'not_approved'
  | 'too_many'
  /** The browser is new to the person, and the company asks for more than this browser can do. */
  | 'new_browser'
  /** The service did not accept the signature of this browser. */
  | 'not_signed'
  /** The phone beside this browser was not accepted. */
  | 'not_nearby'
  /** The phone came back to a tab that did not start this sign-in. */
  | 'other_tab'
  | 'unexpected';

class SignInError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

export const failureOf = (error: unknown): Failure =>
  error instanceof SignInError ? error.failure : 'unexpected';

export const readDetails = async (uid: string, signal: AbortSignal): Promise<SignIn> =>
  (await send<{ signIn: SignIn }>('GET', uid, 'details', undefined, signal)).signIn;

export const openSession = async (
  uid: string,
  { sameDevice, browser }: { readonly sameDevice: boolean; readonly browser?: object },
  signal: AbortSignal,
): Promise<Session> => {
  const body = { ...(sameDevice && { sameDevice }), ...(browser && { browser }) };
  return (await send<{ session: Session }>('POST', uid, 'session', body, signal)).session;
};

export const postNearby = (uid: string, body: object, signal: AbortSignal): Promise<unknown> =>
  send('POST', uid, 'nearby', body, signal);

/** Returns where to go next. */
export const complete = async (
  uid: string,
  body: {
    readonly sessionId: string;
    readonly returnCode?: string | undefined;
    readonly remember?: boolean;
    readonly browser?: object;
  },
  signal: AbortSignal,
): Promise<string> => (await send<{ redirectTo: string }>('POST', uid, 'complete', body, signal)).redirectTo;

export const forget = (body: object, signal: AbortSignal): Promise<unknown> =>
  send('POST', 'browser', 'forget', body, signal);

/** Returns where to go next. */
export const consent = async (uid: string, signal: AbortSignal): Promise<string> =>
  (await send<{ redirectTo: string }>('POST', uid, 'consent', {}, signal)).redirectTo;

/** Returns where to go next. */
export const cancel = async (uid: string, signal: AbortSignal): Promise<string> =>
  (await send<{ redirectTo: string }>('POST', uid, 'cancel', {}, signal)).redirectTo;

const TIMEOUT_MS = 15_000;

/** @throws SignInError */
async function send<T>(
  method: 'GET' | 'POST',
  uid: string,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<T> {
  const ended = new AbortController();
  const abort = () => ended.abort();
  signal.addEventListener('abort', abort);
  const timer = setTimeout(abort, TIMEOUT_MS);
  const response = await fetch(`/sign-in/${uid}/${path}`, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    cache: 'no-store',
    signal: ended.signal,
  }).catch(() => undefined);
  clearTimeout(timer);
  if (response === undefined) throw new SignInError('unreachable');
  noteServerTime(response.headers.get('date'));
  const content: unknown = await response.json().catch(() => undefined);
  if (response.ok && content !== undefined) return content as T;
  throw new SignInError(failureFor(response.status, content));
}

const FAILURES: Readonly<Record<string, Failure>> = {
  sign_in_not_found: 'not_open',
  sign_in_not_approved: 'not_approved',
  pairing_session_expired: 'not_approved',
  new_browser_refused: 'new_browser',
  browser_signature_invalid: 'not_signed',
  verification_failed: 'not_nearby',
  rate_limit_exceeded: 'too_many',
};

/** What a response that is no success means. */
export function failureFor(status: number, content: unknown): Failure {
  const code = (content as { error?: unknown } | null | undefined)?.error;
  const known = typeof code === 'string' && Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined;
  if (known) return known;
  // Without a body of the service, something before it has answered.
  if (content === undefined || status >= 500) return 'unreachable';
  return status === 429 ? 'too_many' : 'unexpected';
}
