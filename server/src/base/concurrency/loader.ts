/**
 * Batches look-ups. One query runs at a time, and keys requested while it runs share the next query. Each result is read
 * after it was requested, as with separate look-ups.
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
    // A failure rejects the callers of this query, not those of the next.
    last = found.catch(() => undefined);
    return { keys, found };
  }

  return async (key) => {
    next ??= open();
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
