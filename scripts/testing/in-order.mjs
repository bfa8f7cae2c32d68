/**
 * Does the work of all items, `limit` of them at a time, and shows each result after all those before it.
 * @template T, R
 * @param {readonly T[]} items
 * @param {number} limit
 * @param {(item: T) => Promise<R>} work
 * @param {(result: R) => void} show
 */
export async function inOrder(items, limit, work, show) {
  /** @type {Map<number, { result: R }>} */
  const done = new Map();
  let next = 0;
  let shown = 0;
  const lane = async () => {
    while (next < items.length) {
      const at = next++;
      done.set(at, { result: await work(items[at]) });
      for (let first = done.get(shown); first; first = done.get(++shown)) show(first.result);
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
}
