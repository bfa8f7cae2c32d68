import { takeSession } from '../../ui/kept-session';
import type { Returned } from './stage';

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
