import { entityTypeOf, type SealedKind } from '@svc/zk/records/kinds';
import { sql } from '../../db/sql.js';
import { MAX_SEARCHED, seqAt } from '../../ledger/read-events.js';
import { type Read, within } from '../../ledger/write.js';

/** A record, and when the write was made that an entry is searched of. */
export interface DatedRecord {
  readonly id: string;
  /** Null: no entry is searched. Somebody with the database can set any time, also infinity. */
  readonly at: Date | null;
}

/** An entry that names a record. */
export interface RecordEntry {
  readonly seq: number;
  readonly at: Date;
  readonly seal: string | null;
}

/** A write commits at most this much later than the time that its records have. */
const COMMIT_MS = 11_000;
/** Entries to search for one record, if somebody has set the clock back since. */
const SEARCHED = 200;
/** The last time that a `Date` has. */
const MAX_TIME = 8.64e15;

/** The entries that name these records around their times, oldest first. No index has the record; the time leads to its entry. */
export async function entriesNear(
  read: Read,
  kind: SealedKind,
  records: readonly DatedRecord[],
  { isSealed }: { readonly isSealed: boolean },
): Promise<ReadonlyMap<string, RecordEntry[]>> {
  const found = new Map<string, RecordEntry[]>();
  const [named, own, type] = [`${kind}Id`, `seal_${kind}`, entityTypeOf(kind)];
  const sealed = isSealed ? sql`seal is not null and` : sql``;
  for (const { first, last, ids } of await partsOf(read, windowsOf(records))) {
    const entries = await read.query<
      RecordEntry & { readonly id: string }
    >(sql.query`select seq, at, id, seal from (
        select seq, created_at as at, case when entity_type = ${type} then entity_id else metadata ->> ${named} end as id,
          case when entity_type = ${type} then metadata ->> 'seal' else metadata ->> ${own} end as seal
        from audit_events where ${within(read.scope)} and seq >= ${first} and seq < ${last}) as entry
      where ${sealed} id in (select unnest(${ids}::text[])) order by seq`);
    for (const { id, ...entry } of entries) {
      const before = found.get(id);
      if (before) before.push(entry);
      else found.set(id, [entry]);
    }
  }
  return found;
}

/** The entries with the roots of these pages around their times. */
export async function pageEntriesNear(
  read: Read,
  pages: readonly { readonly root: string; readonly at: Date }[],
): Promise<ReadonlyMap<string, RecordEntry>> {
  const windows = windowsOf(pages.map(({ root, at }) => ({ id: root, at })));
  const found = new Map<string, RecordEntry>();
  for (const { first, last, ids } of await partsOf(read, windows)) {
    const roots = [...new Set(ids)];
    const entries = await read.query<
      RecordEntry & { readonly root: string }
    >(sql.query`select seq, created_at as at, metadata ->> 'root' as root, null as seal
      from audit_events where ${within(read.scope)} and seq >= ${first} and seq < ${last}
        and action = 'records.sealed_later' and metadata ->> 'root' = any(${roots}::text[]) order by seq desc`);
    for (const { root, ...entry } of entries) found.set(root, entry);
  }
  return found;
}

interface Window {
  readonly from: number;
  to: number;
  readonly ids: string[];
}

/** Times at which some of the records were written, with those in between. */
function windowsOf(records: readonly DatedRecord[]): Window[] {
  const windows: Window[] = [];
  const dated = records.map(({ id, at }) => ({ id, at: at === null ? Number.NaN : Number(at) }));
  const searched = dated.filter(({ at }) => Number.isFinite(at));
  for (const { id, at } of searched.sort((left, right) => left.at - right.at)) {
    const last = windows.at(-1);
    const to = Math.min(at + COMMIT_MS, MAX_TIME);
    if (last === undefined || at > last.to) windows.push({ from: at, to, ids: [id] });
    else {
      last.to = to;
      last.ids.push(id);
    }
  }
  return windows;
}

/** The parts of the chain that these times are in. Neighbours share a part that can be read in one statement. */
async function partsOf(
  read: Read,
  windows: readonly Window[],
): Promise<{ first: number; last: number; ids: string[] }[]> {
  const [start, end] = [windows[0], windows.at(-1)];
  if (start === undefined || end === undefined) return [];
  const [first, last] = await Promise.all([seqAt(read, new Date(start.from)), seqAt(read, new Date(end.to))]);
  if (windows.length === 1 || last - first <= MAX_SEARCHED)
    return [{ first, last: Math.max(last, first + SEARCHED), ids: windows.flatMap(({ ids }) => ids) }];
  const middle = Math.ceil(windows.length / 2);
  return [
    ...(await partsOf(read, windows.slice(0, middle))),
    ...(await partsOf(read, windows.slice(middle))),
  ];
}
