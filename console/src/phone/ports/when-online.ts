/** Resolves immediately, or when the network is back. */
export async function whenOnline(signal: AbortSignal | undefined, onWait: () => void): Promise<void> {
  signal?.throwIfAborted();
  if (navigator.onLine) return;
  onWait();
  await new Promise<void>((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, ...(signal && { signal }) });
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
