import { type Request, readFragment } from './scan/read-code';

export type Arrival = Request | { readonly kind: 'refused'; readonly error: unknown };

/** What this page was opened with. It is taken out of the address and of the history at once: codes and keys are in it. */
export function takeArrival(): Arrival | undefined {
  const { hash, pathname } = location;
  if (hash === '') return undefined;
  history.replaceState(null, '', pathname);
  try {
    return readFragment(hash);
  } catch (error) {
    return { kind: 'refused', error };
  }
}
