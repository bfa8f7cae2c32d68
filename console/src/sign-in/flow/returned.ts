import type { Returned } from './stage';

const keyOf = (uid: string): string => `sign-in:${uid}`;

/** Keeps the session that the phone's page in this browser approves. It is needed again when the browser comes back. */
export function keepSession(uid: string, sessionId: string): void {
  try {
    sessionStorage.setItem(keyOf(uid), sessionId);
  } catch {
    // A browser without storage. The page then says that it was opened in another tab.
  }
}

/** The code that the phone's page appended to an address, if there is one. */
export const returnCodeOf = (hash: string): string | undefined => /^#([\w-]{16,256})$/.exec(hash)?.[1];

/** Reads what the phone's page returned with, and removes it from the address and the history because it works like a key. */
export function takeReturned(uid: string): Returned | 'other_tab' | undefined {
  const { hash, pathname, search } = location;
  if (hash === '') return undefined;
  history.replaceState(null, '', pathname + search);
  const returnCode = returnCodeOf(hash);
  if (returnCode === undefined) return undefined;
  const sessionId = takeSession(uid);
  return sessionId === undefined ? 'other_tab' : { sessionId, returnCode };
}

function takeSession(uid: string): string | undefined {
  try {
    const sessionId = sessionStorage.getItem(keyOf(uid)) ?? undefined;
    sessionStorage.removeItem(keyOf(uid));
    return sessionId;
  } catch {
    return undefined;
  }
}
