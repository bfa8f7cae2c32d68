import { expect, it } from 'vitest';
import { inOrder } from './in-order.mjs';

/** Work that ends when the test ends it. */
function controlled() {
  /** @type {Map<string, () => void>} */
  const running = new Map();
  const work = (/** @type {string} */ item) =>
    new Promise((resolve) => running.set(item, () => resolve(item.toUpperCase())));
  const end = async (/** @type {string} */ item) => {
    running.get(item)?.();
    running.delete(item);
    await new Promise(setImmediate);
  };
  return { work, end, running: () => [...running.keys()] };
}

it('runs at most `limit` items at a time, and shows results in the order of the items', async () => {
  const { work, end, running } = controlled();
  /** @type {unknown[]} */
  const shown = [];
  const all = inOrder(['a', 'b', 'c'], 2, work, (result) => void shown.push(result));
  expect(running()).toEqual(['a', 'b']);
  await end('b');
  expect([running(), shown]).toEqual([['a', 'c'], []]);
  await end('a');
  expect(shown).toEqual(['A', 'B']);
  await end('c');
  await all;
  expect(shown).toEqual(['A', 'B', 'C']);
});

it('shows nothing without items', async () => {
  await inOrder([], 2, controlled().work, () => expect.unreachable());
});
