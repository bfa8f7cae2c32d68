import Type, { type TOptional, type TSchema } from 'typebox';
import type { Query } from '../db/sql.js';
import type { Scope } from '../ledger/audit-store.js';
import type { History } from '../ledger/replica/history.js';
import type { Read } from '../ledger/write.js';
import type { Cursors, ListCursors } from './cursor.js';
import { COUNT_LIMIT } from './first-rows.js';
import { type AnySort, orderNameOf, valueSortOf } from './order.js';
import { count, flag, pageOf, strictObject, Text, Timestamp, withExample } from './schema.js';

/** Text that a list searches for. */
export const search = { q: Type.Optional(withExample('ada', Text(200))) };

/** A range of times of creation. */
export const createdIn = { from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) };

const PARTS = ['names', 'total'] as const;
type Part = (typeof PARTS)[number];
const includeOf = (parts: readonly Part[]) =>
  Type.Optional(
    Type.String({
      pattern: `^(${parts.join('|')})(,(${parts.join('|')}))*$`,
      description: `one or more of ${parts.join(', ')}, separated by commas`,
      examples: [parts.join(',')],
    }),
  );

/** What a response contains only if the query asks for it, because it costs further statements. */
export const includesNames = { include: includeOf(['names']) };
export const includesTotal = { include: includeOf(['total']) };
export const includesBoth = { include: includeOf(PARTS) };

/** Names are only in a response that includes them. */
export const optionalNames = <T extends Record<string, TSchema>>(names: T) =>
  Object.fromEntries(Object.entries(names).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof T]: TOptional<T[K]>;
  };

/** Whether a query asks for a part of the response. */
export const includes = ({ include }: { readonly include?: string }, part: Part): boolean =>
  include?.split(',').includes(part) ?? false;

const TOTAL = {
  total: count(118),
  totalIsExact: flag(true, 'False if more records match than were counted: at least `total`.'),
};

/** A page of a collection with the number of all records that match. */
export const countedPageOf = <K extends string, T extends TSchema>(name: K, item: T, title: string) =>
  strictObject({ ...pageOf(name, item).properties, ...TOTAL }, title);

/** A page of a collection with that number, if the query asks for it. */
export const searchPageOf = <K extends string, T extends TSchema>(name: K, item: T, title: string) =>
  strictObject(
    {
      ...pageOf(name, item).properties,
      total: Type.Optional(TOTAL.total),
      totalIsExact: Type.Optional(TOTAL.totalIsExact),
    },
    title,
  );

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

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ListQuery extends PageQuery {
  readonly sort?: AnySort;
  readonly include?: string;
}

interface ListContext<Query> {
  readonly scope: Scope;
  readonly deps: { readonly cursors: ListCursors; readonly history: History };
  readonly query: Query;
}

/** How a collection is read and serialized. */
export interface Listing<Query, Row, Shown> {
  /** At most `count` matching rows after a position. Without a position, the first. */
  readonly fetch: (read: Read, query: Query, count: number, after: string | undefined) => Promise<Row[]>;
  /** The values that `after` compares, in the order of that query. */
  readonly position: (row: Row, query: Query) => string;
  readonly show: (row: Row) => Shown;
  /** As `show`, with the names of what the rows refer to. */
  readonly showNames?: (read: Read, rows: readonly Row[]) => Promise<Shown[]>;
  readonly count?: (read: Read, query: Query) => Promise<Total>;
  /** The position where `fetch` stopped its search after a position. Undefined if it searched to the end. */
  readonly stop?: (query: Query, after: string | undefined) => string | undefined;
  /** What cursors call the list. Default: the collection. */
  readonly cursorsOf?: string;
}

/** The parts of a record that a list of it needs. */
interface ListedRecord<Row, Shown> {
  serialize(row: Row): Shown;
  asJson(rows: Query): Query;
  fromJson(text: string): Row;
}

/** A list of records whose rows PostgreSQL can write as JSON. */
export interface RecordListing<Filter, Row, Shown> extends Listing<Filter, Row, Shown> {
  readonly count: (read: Read, query: Filter) => Promise<Total>;
  /** At most `count` rows after a position, as `fetch`, each as text of JSON. */
  readonly fetchJson: (
    read: Read,
    query: Filter,
    count: number,
    after: string | undefined,
  ) => Promise<{ json: string }[]>;
  readonly rowOf: (json: string) => Row;
}

export function recordListing<Filter, Row extends object, Shown>({
  record,
  select,
  ...rest
}: Omit<RecordListing<Filter, Row, Shown>, 'fetch' | 'show' | 'fetchJson' | 'rowOf'> & {
  readonly record: ListedRecord<Row, Shown>;
  readonly select: (read: Read, query: Filter, count: number, after: string | undefined) => Query;
}): RecordListing<Filter, Row, Shown> {
  return {
    ...rest,
    fetch: (read, ...page) => read.query<Row>(select(read, ...page)),
    fetchJson: (read, ...page) => read.query<{ json: string }>(record.asJson(select(read, ...page))),
    rowOf: record.fromJson,
    show: record.serialize,
  };
}

/**
 * One page of a tenant's records or of records without a tenant. `fetch` returns at most `count` rows after a position. It is
 * called for one row more than the page, to find out whether another page follows. If it stopped before it had searched all (`stop`), the
 * next page begins there. A cursor is valid only for this collection, tenant, environment and order.
 */
export async function page<T>(
  cursors: Cursors,
  scope: Scope | undefined,
  collection: string,
  query: PageQuery,
  fetch: (count: number, after: string | undefined) => Promise<T[]>,
  position: (row: T) => string,
  stop?: (after: string | undefined) => string | undefined,
): Promise<{ items: T[]; nextCursor: string | null; isPartial: boolean }> {
  const list = scope === undefined ? collection : `${collection}|${scope.tenantId}|${scope.environment}`;
  const limit = query.limit ?? 50;
  const after = query.cursor === undefined ? undefined : cursors.decode(list, query.cursor);
  const rows = await fetch(limit + 1, after);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const end = rows.length > limit && last ? position(last) : stop?.(after);
  return {
    items,
    nextCursor: end === undefined ? null : cursors.encode(list, end),
    isPartial: end !== undefined && items.length < limit,
  };
}

/** A page of a tenant's collection in its envelope, with the parts that the query includes. */
export async function listPage<K extends string, Query extends ListQuery, Row, Shown>(
  { scope, deps, query }: ListContext<Query>,
  collection: K,
  {
    fetch,
    position,
    show,
    showNames,
    count: countMatching,
    stop,
    cursorsOf = collection,
  }: Listing<Query, Row, Shown>,
) {
  const read = deps.history.of(scope);
  const { items, nextCursor, isPartial } = await page(
    valueSortOf(query.sort) ? deps.cursors.sealed : deps.cursors,
    scope,
    cursorsOf + orderNameOf(query.sort),
    query,
    (count, after) => fetch(read, query, count, after),
    (row) => position(row, query),
    stop && ((after) => stop(query, after)),
  );
  const isWhole = query.cursor === undefined && nextCursor === null;
  const [shown, total] = await Promise.all([
    showNames && includes(query, 'names') ? showNames(read, items) : items.map(show),
    countMatching && includes(query, 'total')
      ? isWhole
        ? exactly(items.length)
        : countMatching(read, query)
      : undefined,
  ]);
  return {
    [collection]: shown,
    environment: scope.environment,
    nextCursor,
    ...(isPartial && { partial: true as const }),
    ...total,
  } as Record<K, Shown[]> &
    Partial<Total> & { environment: Scope['environment']; nextCursor: string | null; partial?: true };
}

/** One record as its list shows it, with names if the query includes them. */
export async function showRow<Row, Shown>(
  { read, query }: { readonly read: Read; readonly query: { readonly include?: string } },
  { show, showNames }: Pick<Listing<never, Row, Shown>, 'show' | 'showNames'>,
  row: Row,
): Promise<Shown> {
  const [named] = showNames && includes(query, 'names') ? await showNames(read, [row]) : [];
  return named ?? show(row);
}

/** As `listPage`, as text of JSON. With names, Node writes it. */
export async function listText<K extends string, Filter extends ListQuery, Row, Shown>(
  context: ListContext<Filter>,
  collection: K,
  listing: RecordListing<Filter, Row, Shown>,
) {
  if (listing.showNames && includes(context.query, 'names')) return listPage(context, collection, listing);
  const { fetchJson, rowOf, position } = listing;
  const { [collection]: rows, ...rest } = await listPage(context, collection, {
    fetch: fetchJson,
    position: ({ json }, query) => position(rowOf(json), query),
    show: ({ json }) => json,
    count: listing.count,
  });
  const envelope = JSON.stringify(rest).slice(1);
  return new JsonText(`{${JSON.stringify(collection)}:[${(rows as string[]).join(',')}],${envelope}`);
}

/** A response that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The name of the record with this id. Null if there is no id or no such record. */
export const nameIn = (names: ReadonlyMap<string, string>, id: string | null): string | null =>
  (id === null ? undefined : names.get(id)) ?? null;
