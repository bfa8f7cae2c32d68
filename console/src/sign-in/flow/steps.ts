import {
  complete,
  failureOf,
  forget,
  openSession,
  postNearby,
  readDetails,
  type Session,
  type SignIn,
} from './api';
import { deleteKey, findKey, type KeyScope, openKey } from './browser-key';

const PREFIX = 'svc-browser:';

/** The nonces of the sessions that this browser's key has opened, for browsers without storage. */
const nonces = new Map<string, string>();

/** Kept in the tab, because a sign-in on the same device leaves the page and comes back. */
function keepNonce({ id, nonce }: Session): void {
  nonces.set(id, nonce);
  try {
    sessionStorage.setItem(PREFIX + id, nonce);
  } catch {
    // Then only this page completes the sign-in.
  }
}

function nonceOf(sessionId: string): string | undefined {
  try {
    return sessionStorage.getItem(PREFIX + sessionId) ?? nonces.get(sessionId);
  } catch {
    return nonces.get(sessionId);
  }
}

const textOf = (step: string, { tenantId, environment }: KeyScope, ...rest: string[]): string =>
  ['svc-browser-v1', step, tenantId, environment, ...rest].join('|');

/** Each challenge is valid once. */
const used = new Set<string>();

async function unusedChallenge(uid: string, signIn: SignIn, signal: AbortSignal): Promise<string> {
  const known = signIn.browserChallenge;
  const challenge = used.has(known) ? (await readDetails(uid, signal)).browserChallenge : known;
  used.add(challenge);
  return challenge;
}

/** Opens a session with the key of this browser, or without one if it has none. */
export async function openWithKey(
  uid: string,
  signIn: SignIn,
  sameDevice: boolean,
  signal: AbortSignal,
): Promise<Session> {
  const key = await openKey(signIn);
  if (key === undefined) return openSession(uid, { sameDevice }, signal);
  const attempt = async () => {
    const challenge = await unusedChallenge(uid, signIn, signal);
    const signature = await key.sign(textOf('open', signIn, uid, challenge));
    return openSession(uid, { sameDevice, browser: { jwk: key.jwk, signature } }, signal);
  };
  // The challenge is too old, or a request of another tab has replaced it.
  const session = await attempt().catch((error) => {
    if (failureOf(error) !== 'not_signed') throw error;
    return attempt();
  });
  keepNonce(session);
  return session;
}

/** The signature of a step. Undefined for a session that was opened without a key. */
async function signed(step: string, uid: string, signIn: SignIn, sessionId: string) {
  const nonce = nonceOf(sessionId);
  const key = nonce === undefined ? undefined : await findKey(signIn);
  if (nonce === undefined || key === undefined) return undefined;
  return { signature: await key.sign(textOf(step, signIn, uid, sessionId, nonce)) };
}

/** Returns where to go next. */
export async function completeSigned(
  uid: string,
  signIn: SignIn,
  done: { readonly sessionId: string; readonly returnCode?: string | undefined; readonly remember?: boolean },
  signal: AbortSignal,
): Promise<string> {
  const step = done.returnCode === undefined ? 'complete' : 'redeem';
  const browser = await signed(step, uid, signIn, done.sessionId);
  return complete(uid, { ...done, ...(browser && { browser }) }, signal);
}

/** Asks for the passkey of the phone beside this browser. False if the person or the browser gave none. */
export async function confirmNearby(
  uid: string,
  signIn: SignIn,
  { sessionId, options }: { readonly sessionId: string; readonly options: object },
  signal: AbortSignal,
): Promise<boolean> {
  const credential = await askForPasskey(options, signal);
  const browser = await signed('nearby', uid, signIn, sessionId);
  if (credential === undefined || browser === undefined) return false;
  await postNearby(uid, { sessionId, credential, browser }, signal);
  return true;
}

async function askForPasskey(options: object, signal: AbortSignal): Promise<unknown> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      options as PublicKeyCredentialRequestOptionsJSON,
    );
    const credential = await navigator.credentials.get({ publicKey, signal });
    return (credential as PublicKeyCredential | null)?.toJSON();
  } catch {
    return undefined;
  }
}

/** Forgets this browser, for all people who sign in with it, and deletes its key. */
export async function forgetBrowser({ tenantId, environment }: KeyScope, signal: AbortSignal): Promise<void> {
  const scope = { tenantId, environment };
  const key = await findKey(scope);
  if (key === undefined) return;
  const signature = await key.sign(textOf('forget', scope));
  await forget({ ...scope, browser: { jwk: key.jwk, signature } }, signal);
  await deleteKey(scope);
}
