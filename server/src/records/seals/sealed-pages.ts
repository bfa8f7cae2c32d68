import type { SealedKind } from '@svc/zk/records/kinds';
import { type PageRecord, pagePath } from '@svc/zk/records/pages';
import { type Mutation, sql } from '../../db/sql.js';
import { sha256OfBytes } from '../../ledger/record-seal.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { pageEntriesNear, type RecordEntry } from './seal-entries.js';

/** A page of records that the operator has sealed, in the order of their ids. */
export interface StoredPage {
  readonly root: string;
  readonly records: readonly PageRecord[];
}

interface PageRow {
  readonly root: string;
  readonly ids: readonly string[];
  readonly seals: readonly string[];
}

const pageOf = ({ root, ids, seals }: PageRow): StoredPage => ({
  root,
  records: ids.map((id, at) => [id, seals[at] ?? '']),
});

export function insertPage(
  { scope }: Write,
  kind: SealedKind,
  { root, records }: StoredPage,
  now: Date,
): Mutation {
  const ids = records.map(([id]) => id);
  const seals = records.map(([, seal]) => seal);
  return sql.mutation`insert into sealed_pages (tenant_id, environment, kind, first_id, last_id, root, ids, seals, created_at)
    values (${scope.tenantId}, ${scope.environment}, ${kind}, ${ids[0]}, ${ids.at(-1)}, ${root},
      ${ids}::uuid[], ${seals}::text[], ${now})`;
}

/** The pages of a kind, one after another. */
export async function* listPages(read: Read, kind: SealedKind): AsyncGenerator<StoredPage> {
  let after = { last: NONE, root: '' };
  for (;;) {
    const [row] = await read.query<PageRow & { readonly last: string }>(
      sql.query`select root, ids, seals, last_id as last from sealed_pages
        where ${within(read.scope)} and kind = ${kind} and (last_id, root) > (${after.last}::uuid, ${after.root})
        order by last_id, root limit 1`,
    );
    if (row === undefined) return;
    yield pageOf(row);
    after = { last: row.last, root: row.root };
  }
}

const NONE = '00000000-0000-0000-0000-000000000000';

/** Undefined if there is no such page. */
export async function findPage(read: Read, kind: SealedKind, root: string): Promise<StoredPage | undefined> {
  const [row] = await read.query<PageRow>(
    sql.query`select root, ids, seals from sealed_pages where ${within(read.scope)} and kind = ${kind} and root = ${root}`,
  );
  return row && pageOf(row);
}

/** A record on a page, and the entry with the root of the page. */
export interface PagedSeal extends RecordEntry {
  readonly seal: string;
  readonly root: string;
}

/** The seals of these records on pages whose roots are in the chain, oldest first. */
export async function pagedSeals(
  read: Read,
  kind: SealedKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PagedSeal[]>> {
  const sorted = ids.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  const found = new Map<string, PagedSeal[]>();
  if (first === undefined || last === undefined) return found;
  const rows = await read.query<{
    readonly root: string;
    readonly at: Date;
    readonly id: string;
    readonly seal: string;
  }>(sql.query`select t.root, t.created_at as at, r.id, r.seal from sealed_pages t
    cross join lateral unnest(t.ids, t.seals) as r (id, seal)
    where ${within(read.scope, 't')} and t.kind = ${kind} and t.last_id >= ${first}::uuid and t.first_id <= ${last}::uuid
      and r.id = any(${sorted}::uuid[])`);
  const entries = await pageEntriesNear(read, rows);
  for (const { root, id, seal } of rows) {
    const entry = entries.get(root);
    if (entry !== undefined) found.set(id, [...(found.get(id) ?? []), { ...entry, seal, root }]);
  }
  return new Map([...found].map(([id, seals]) => [id, seals.toSorted((a, b) => a.seq - b.seq)]));
}

/** Where a record is on a page, and the proof of that. Undefined if it is not there. */
export async function placeOnPage(read: Read, kind: SealedKind, root: string, id: string) {
  const page = await findPage(read, kind, root);
  const index = page?.records.findIndex(([each]) => each === id) ?? -1;
  if (page === undefined || index < 0) return undefined;
  const { records } = page;
  return { index, size: records.length, proof: pagePath({ kind, records }, index, sha256OfBytes) };
}
