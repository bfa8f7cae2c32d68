import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Read } from '../ledger/write.js';
import type { Cursors } from './cursor.js';
import { mergedPage, type Source } from './merged.js';

interface Row {
  readonly id: string;
  readonly time: number;
}

const scope = { tenantId: '019e1b85-dee0-763e-b402-d7ab19961187', environment: 'live' } as const;
const cursors: Cursors = { encode: (_, position) => position, decode: (_, cursor) => cursor };

/** A list in memory, whose positions are the ids of rows. */
const sourceOf = (name: string, rows: readonly Row[]): Source<Row, Row> => ({
  name,
  async fetch(_, count, after) {
    const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
    return rows.slice(start, start + count);
  },
  position: ({ id }) => id,
  at: ({ time }) => new Date(time),
  show: async (_, shown) => shown,
});

async function readAll(sources: readonly Source<Row, Row>[], limit: number) {
  const pages: Row[][] = [];
  let cursor: string | undefined;
  do {
    const page = await mergedPage({ read: {} as Read, scope, cursors }, 'all', sources, {
      limit,
      ...(cursor !== undefined && { cursor }),
    });
    pages.push(page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const listsOf = (times: readonly (readonly number[])[]) =>
  times.map((of, list) =>
    sourceOf(
      `${list}`,
      of.map((time, n) => ({ id: `${list}-${n}`, time })),
    ),
  );

describe('several lists as one', () => {
  it('are in the order of their times, newest first', async () => {
    const pages = await readAll(listsOf([[9, 5, 1], [8, 7], [6]]), 4);
    expect(pages.map((page) => page.map(({ time }) => time))).toEqual([
      [9, 8, 7, 6],
      [5, 1],
    ]);
  });

  it('return each row once and each list in its order, however large pages are and whatever its times', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        async (times, limit) => {
          const pages = await readAll(listsOf(times), limit);
          const ids = pages.flat().map(({ id }) => id);
          for (const [list, of] of times.entries())
            expect(ids.filter((id) => id.startsWith(`${list}-`))).toEqual(of.map((_, n) => `${list}-${n}`));
          expect(ids).toHaveLength(times.flat().length);
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        },
      ),
    ));

  it('are in one order if each of them is', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        async (times, limit) => {
          const ordered = times.map((of) => of.toSorted((a, b) => b - a));
          const found = (await readAll(listsOf(ordered), limit)).flat().map(({ time }) => time);
          expect(found).toEqual(ordered.flat().toSorted((a, b) => b - a));
        },
      ),
    ));
});
