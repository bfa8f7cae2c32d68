import type { Scope } from '../ledger/audit-store.js';
import type { History } from '../ledger/replica/history.js';
import type { Read } from '../ledger/write.js';
import type { Cursors } from './cursor.js';

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

interface ListContext<Query> {
  readonly scope: Scope;
  readonly deps: { readonly cursors: Cursors; readonly history: History };
  readonly query: Query;
}

/** How a collection is read and serialized. */
export interface Listing<Query, Row, Shown> {
  /** At most `count` rows before a position, newest first. Without a position, the newest. */
  readonly fetch: (read: Read, query: Query, count: number, before: string | undefined) => Promise<Row[]>;
  readonly show: (row: Row) => Shown;
  /** The values that `before` compares, in the order of that query. */
  readonly position: (row: Row, query: Query) => string;
}

/**
 * One page, newest first, of a tenant's records or of records without a tenant. `fetch` returns at most `count` rows before
 * a position. It is called for one row more than the page, to find out whether another page follows. A cursor is valid only
 * for this collection, tenant and environment.
 */
export async function page<T>(
  cursors: Cursors,
  scope: Scope | undefined,
  collection: string,
  query: PageQuery,
  fetch: (count: number, before: string | undefined) => Promise<T[]>,
  position: (row: T) => string,
): Promise<{ items: T[]; nextCursor: string | null }> {
  const list = scope === undefined ? collection : `${collection}|${scope.tenantId}|${scope.environment}`;
  const limit = query.limit ?? 50;
  const before = query.cursor === undefined ? undefined : cursors.decode(list, query.cursor);
  const rows = await fetch(limit + 1, before);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? cursors.encode(list, position(last)) : null };
}

/** A page of a tenant's collection in its envelope. */
export async function listPage<K extends string, Query extends PageQuery, Row, Shown>(
  { scope, deps, query }: ListContext<Query>,
  collection: K,
  { fetch, show, position }: Listing<Query, Row, Shown>,
) {
  const read = deps.history.of(scope);
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    collection,
    query,
    (count, before) => fetch(read, query, count, before),
    (row) => position(row, query),
  );
  return { [collection]: items.map(show), environment: scope.environment, nextCursor } as Record<
    K,
    Shown[]
  > & {
    environment: Scope['environment'];
    nextCursor: string | null;
  };
}
