import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Position, readMerged, type Source } from './merge';

interface Item {
  readonly at: string;
  readonly id: string;
  readonly isShown: boolean;
}

/** A list in pages. Its filter drops items after they were read. */
const sourceOf =
  (items: readonly Item[], pageSize: number): Source<Item> =>
  async (cursor) => {
    const start = Number(cursor ?? 0);
    const page = items.slice(start, start + pageSize);
    const end = start + pageSize;
    return {
      items: page.filter(({ isShown }) => isShown),
      nextCursor: end < items.length ? String(end) : null,
      through: page.at(-1)?.at ?? null,
    };
  };

// Few times, so that many items have the same.
const lists = fc
  .array(
    fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 12 }).map((n) => new Date(n * 1000).toISOString()),
        isShown: fc.boolean(),
      }),
      { maxLength: 25 },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) =>
    all.map((list, lane) =>
      list
        .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
        .map((item, n) => ({ ...item, id: `${lane}/${n}` })),
    ),
  );

it('shows each item of all lists once and in order, and holds at most two pages of a list', async () => {
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 8 }),
      async (all, pageSize, size) => {
        const sources = all.map((list) => sourceOf(list, pageSize));
        const shown: Item[] = [];
        let position: Position<Item> | undefined;
        for (let steps = 0; steps < 200; steps++) {
          const step = await readMerged(sources, position, size);
          expect(step.items.length).toBeLessThanOrEqual(size);
          shown.push(...step.items);
          position = step.position;
          if (position === undefined) break;
          for (const { held } of position) expect(held.length).toBeLessThanOrEqual(size + 2 * pageSize);
        }
        expect(position).toBeUndefined();
        const expected = all
          .flat()
          .filter(({ isShown }) => isShown)
          .map((item) => ({ item, lane: Number(item.id.split('/')[0]) }))
          .toSorted((a, b) => (a.item.at === b.item.at ? a.lane - b.lane : a.item.at < b.item.at ? 1 : -1))
          .map(({ item }) => item.id);
        expect(shown.map(({ id }) => id)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

it('reads a list only as far as the order needs', async () => {
  const times = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      at: new Date((from - n) * 1000).toISOString(),
      id: String(from - n),
      isShown: true,
    }));
  const reads = [0, 0];
  const counted = (list: readonly Item[], lane: number): Source<Item> => {
    const source = sourceOf(list, 10);
    return (cursor) => {
      reads[lane] = (reads[lane] ?? 0) + 1;
      return source(cursor);
    };
  };
  const sources = [counted(times(1_000, 100), 0), counted(times(100, 100), 1)];
  const { items } = await readMerged(sources, undefined, 20);
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => String(1_000 - n)));
  expect(reads).toEqual([2, 1]);
});
