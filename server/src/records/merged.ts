import type { Scope } from '../ledger/audit-store.js';
import type { Read } from '../ledger/write.js';
import type { Cursors } from './cursor.js';
import type { PageQuery } from './list.js';

/** One of the lists that are merged, in an order of its own, about newest first. */
export interface Source<Row, Shown> {
  /** Its name in cursors. */
  readonly name: string;
  /** At most `count` rows after a position. Without a position, the first. */
  fetch(read: Read, count: number, after: string | undefined): Promise<readonly Row[]>;
  position(row: Row): string;
  at(row: Row): Date;
  show(read: Read, rows: readonly Row[]): Promise<readonly Shown[]>;
}

/** A source whose rows nobody else sees. */
// biome-ignore lint/suspicious/noExplicitAny: each source has rows of its own
export type AnySource<Shown> = Source<any, Shown>;

/** The position in each list. Null: at its end. Absent: at its beginning. */
type Positions = Readonly<Partial<Record<string, string | null>>>;

/**
 * The numbers of lists in the order of their rows, newest first: each time that a list occurs stands for its next row. A row counts as no
 * newer than those before it in its own list. So a page ends between two rows of each list, and no row is missing or returned twice,
 * whatever their times are.
 */
function mergeOrder(times: readonly (readonly number[])[]): number[] {
  const placed = times.flatMap((of, list) => {
    let oldest = Number.POSITIVE_INFINITY;
    return of.map((time) => {
      oldest = Math.min(oldest, time);
      return { list, time: oldest };
    });
  });
  return placed.toSorted((a, b) => b.time - a.time).map(({ list }) => list);
}

/** A page of several lists as one, newest first. `name` is that of the merged list for its cursors. */
export async function mergedPage<Shown>(
  { read, scope, cursors }: { readonly read: Read; readonly scope: Scope; readonly cursors: Cursors },
  name: string,
  sources: readonly AnySource<Shown>[],
  { limit = 50, cursor }: PageQuery,
): Promise<{ items: Shown[]; nextCursor: string | null }> {
  const list = `${name}|${scope.tenantId}|${scope.environment}`;
  const before: Positions = cursor === undefined ? {} : JSON.parse(cursors.decode(list, cursor));
  const lists = await Promise.all(
    sources.map(async (source) => {
      const after = before[source.name];
      return { source, rows: after === null ? [] : await source.fetch(read, limit + 1, after) };
    }),
  );
  const all = mergeOrder(lists.map(({ source, rows }) => rows.map((row) => source.at(row).getTime())));
  const order = all.slice(0, limit);
  const pages = await Promise.all(
    lists.map(async ({ source, rows }, number) => {
      const own = rows.slice(0, order.filter((each) => each === number).length);
      const end = own.length === 0 ? before[source.name] : source.position(own.at(-1));
      return {
        name: source.name,
        next: own.length === rows.length ? null : end,
        shown: own.length === 0 ? [] : await source.show(read, own),
      };
    }),
  );
  const rest = pages.map(({ shown }) => shown.values());
  const items = order.map((number) => rest[number]?.next().value as Shown);
  const positions = Object.fromEntries(pages.map(({ name: of, next }) => [of, next]));
  return { items, nextCursor: all.length > limit ? cursors.encode(list, JSON.stringify(positions)) : null };
}
