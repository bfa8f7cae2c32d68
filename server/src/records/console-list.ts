import Type, { type TSchema } from 'typebox';
import type { Scope } from '../ledger/audit-store.js';
import type { History } from '../ledger/replica/history.js';
import type { Read } from '../ledger/write.js';
import type { Cursors } from './cursor.js';
import { COUNT_LIMIT } from './first-rows.js';
import { type PageQuery, page } from './list.js';
import type { Sort } from './order.js';
import { count, flag, pageOf, strictObject, Text, Timestamp, withExample } from './schema.js';

/** What a list of the console searches for. */
export const search = { q: Type.Optional(withExample('ada', Text(200))) };

/** A range of times of creation. */
export const createdIn = { from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) };

const TOTAL = {
  total: count(118),
  totalIsExact: flag(true, 'False if more records match than were counted: at least `total`.'),
};

/** A page of a collection with the number of all records that match. */
export const countedPageOf = <K extends string, T extends TSchema>(name: K, item: T, title: string) =>
  strictObject({ ...pageOf(name, item).properties, ...TOTAL }, title);

export interface Total {
  readonly total: number;
  readonly totalIsExact: boolean;
}

/** The total for a number of rows that `countRows` has counted. */
export const totalOf = (counted: number): Total => ({
  total: Math.min(counted, COUNT_LIMIT - 1),
  totalIsExact: counted < COUNT_LIMIT,
});

export const exactly = (total: number): Total => ({ total, totalIsExact: true });

export interface ConsoleQuery extends PageQuery {
  readonly sort?: Sort;
}

/** How a collection is read for the console. */
export interface ConsoleListing<Query, Row, Shown> {
  /** At most `count` matching rows after a position. Without a position, the first. */
  readonly fetch: (read: Read, query: Query, count: number, after: string | undefined) => Promise<Row[]>;
  readonly position: (row: Row, query: Query) => string;
  readonly count: (read: Read, query: Query) => Promise<Total>;
  /** Serializes the rows of a page, with the names of what they refer to. */
  readonly show: (read: Read, rows: readonly Row[]) => Promise<Shown[]>;
}

interface ListContext<Query> {
  readonly scope: Scope;
  readonly deps: { readonly cursors: Cursors; readonly history: History };
  readonly query: Query;
}

/** A page of a tenant's collection in its envelope, with the total. A cursor is valid only for the same sort. */
export async function consolePage<K extends string, Query extends ConsoleQuery, Row, Shown>(
  { scope, deps, query }: ListContext<Query>,
  collection: K,
  { fetch, position, count: countMatching, show }: ConsoleListing<Query, Row, Shown>,
) {
  const read = deps.history.of(scope);
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    query.sort === 'oldest' ? `${collection} oldest` : collection,
    query,
    (count, after) => fetch(read, query, count, after),
    (row) => position(row, query),
  );
  const isWhole = query.cursor === undefined && nextCursor === null;
  const [shown, total] = await Promise.all([
    show(read, items),
    isWhole ? exactly(items.length) : countMatching(read, query),
  ]);
  return { [collection]: shown, environment: scope.environment, nextCursor, ...total } as Record<K, Shown[]> &
    Total & { environment: Scope['environment']; nextCursor: string | null };
}

/** The name of the record with this id. Null if there is no id or no such record. */
export const nameIn = (names: ReadonlyMap<string, string>, id: string | null): string | null =>
  (id === null ? undefined : names.get(id)) ?? null;
