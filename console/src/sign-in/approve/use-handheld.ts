import { useSyncExternalStore } from 'react';

/** Phones and tablets, and windows as narrow as a phone. */
const query = matchMedia('(max-width: 32rem), (hover: none) and (pointer: coarse)');

/** Whether this is probably the phone itself. */
export const useHandheld = (): boolean => useSyncExternalStore(subscribe, () => query.matches);

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
