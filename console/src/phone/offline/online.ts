import { useSyncExternalStore } from 'react';

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** At once, or when there is a network again. */
export async function whenOnline(signal: AbortSignal, onWait: () => void): Promise<void> {
  signal.throwIfAborted();
  if (navigator.onLine) return;
  onWait();
  await new Promise<void>((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
