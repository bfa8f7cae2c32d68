import { type Request, readFragment } from './scan/read-code';

export type Arrival = Request | { readonly kind: 'invalid'; readonly error: unknown };

/** Reads the code in the address, and removes it from the address and the history because it works like a key. */
export function consumeArrival(): Arrival | undefined {
  const { hash, pathname } = location;
  if (hash === '') return undefined;
  history.replaceState(null, '', pathname);
  try {
    return readFragment(hash);
  } catch (error) {
    return { kind: 'invalid', error };
  }
}
