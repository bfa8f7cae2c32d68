/**
 * Looks up many keys in one question: one runs at a time, and whoever asks meanwhile is in the next one, together. So what
 * is answered was read after it was asked, as it would be alone.
 */
export function createLoader<K, V>(
  fetch: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly keys: Set<K>; readonly found: Promise<ReadonlyMap<K, V>> } | undefined;

  function open() {
    const keys = new Set<K>();
    const found = last.then(() => {
      next = undefined;
      return fetch([...keys]);
    });
    // A failure is for those who asked, not for those who come after.
    last = found.catch(() => undefined);
    return { keys, found };
  }

  return async (key) => {
    next ??= open();
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
