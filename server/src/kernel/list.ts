import type { Scope } from './audit-store.js';
import type { Cursors } from './cursor.js';

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

/**
 * One page, newest first. `fetch` answers at most `count` rows from before a position (from the newest when there is
 * none); one row more than the page tells whether another page follows.
 */
export async function page<T>(
  cursors: Cursors,
  { tenantId, environment }: Scope,
  collection: string,
  query: PageQuery,
  fetch: (count: number, before: string | undefined) => Promise<T[]>,
  position: (row: T) => string,
): Promise<Page<T>> {
  const list = `${collection}|${tenantId}|${environment}`;
  const limit = query.limit ?? 50;
  const before = query.cursor === undefined ? undefined : cursors.decode(list, query.cursor);
  const rows = await fetch(limit + 1, before);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? cursors.encode(list, position(last)) : null };
}
