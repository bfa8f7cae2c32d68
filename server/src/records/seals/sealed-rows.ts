import type { SealedKind } from '@svc/zk/records/kinds';
import { sealOf } from '@svc/zk/records/seal';
import { type Sql, sql } from '../../db/sql.js';
import { seqAt } from '../../ledger/read-events.js';
import { SEAL_COLUMNS, sha256OfBytes } from '../../ledger/record-seal.js';
import { type Read, within } from '../../ledger/write.js';

/** How the records of a kind are read with what their seals are made of. */
export interface SealedTable {
  readonly kind: SealedKind;
  readonly table: Sql;
  readonly of: { readonly list: Sql; serialize(row: never): object };
  /** When the seal was made. */
  readonly sealedAt: Sql;
  /** The hash of a text that was removed. Null for kinds whose text is never removed alone. */
  readonly textHash: Sql;
}

interface SealRow {
  id: string;
  seal_n: number | null;
  facts_salt: string | null;
  text_salt: string | null;
  text_hash: string | null;
  sealed_at: Date | null;
}

/** What the seal of a record is made of. Records from before there were seals have null in each. */
interface Sealed {
  readonly n: number | null;
  readonly salts: { readonly facts: string | null; readonly text: string | null } | null;
  /** The hash of the text, if it was removed. */
  readonly T?: string;
  /** The number of the audit entry that has the seal. */
  readonly sealSeq: number | null;
}

/** A record as the API returns it, with what its seal is made of. */
export type SealedRecord = Readonly<Record<string, unknown>> & Sealed;

/** A write commits at most this much later than the time that its records have. */
const COMMIT_MS = 11_000;
/** Entries to search for one seal, if somebody has set the clock back since. */
const SEARCHED = 200;

/** A record with what its seal is made of, apart. */
export interface ReadRecord extends Sealed {
  readonly record: Readonly<Record<string, unknown>>;
}

/** The records after that one, in the order of their ids. */
export async function listSealed(
  read: Read,
  table: SealedTable,
  after: string,
  count: number,
): Promise<SealedRecord[]> {
  const found = await readSealed(read, table, sql`id > ${after} order by id limit ${count}`);
  return found.map(({ record, ...sealed }) => ({ ...record, ...sealed }));
}

/** Undefined if there is no such record. */
export async function findSealed(
  read: Read,
  table: SealedTable,
  id: string,
): Promise<ReadRecord | undefined> {
  const [found] = await readSealed(read, table, sql`id = ${id}`);
  return found;
}

async function readSealed(
  read: Read,
  { kind, table, of, sealedAt, textHash }: SealedTable,
  condition: Sql,
): Promise<ReadRecord[]> {
  const rows =
    await read.query<SealRow>(sql.query`select ${of.list}, ${SEAL_COLUMNS}, ${textHash} as text_hash, ${sealedAt} as sealed_at
      from ${table} where ${within(read.scope)} and ${condition}`);
  const entries = await entriesOf(read, kind, rows);
  return rows.map((row) => {
    const { id, seal_n: n, facts_salt: facts, text_salt: text, text_hash: T } = row;
    const record = of.serialize(row as never) as Readonly<Record<string, unknown>>;
    if (n === null) return { record, n, salts: null, sealSeq: null };
    const sealed = { n, salts: { facts, text }, ...(T !== null && { T }) };
    const made = sealIn(entries.get(id) ?? [], () => sealMade(kind, { record, ...sealed }));
    return { record, ...sealed, sealSeq: made?.seq ?? null };
  });
}

/** The entry with the seal that the record has now, or else the newest. */
const sealIn = (entries: readonly Entry[], now: () => string | undefined): Entry | undefined =>
  entries.length < 2 ? entries[0] : (entries.find(({ seal }) => seal === now()) ?? entries.at(-1));

/** Undefined if it has no salts any more, or if it cannot have been sealed as it is. */
function sealMade(
  kind: SealedKind,
  { record, n, salts, T }: Omit<ReadRecord, 'sealSeq'>,
): string | undefined {
  if (n === null || salts?.facts == null) return undefined;
  try {
    return sealOf({ kind, n, record, salts: { facts: salts.facts, text: salts.text }, T }, sha256OfBytes)
      .seal;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface Entry {
  readonly seq: number;
  readonly seal: string;
}

/** The entries with seals of these records, from the time of their newest seals on, oldest first. */
async function entriesOf(
  read: Read,
  kind: SealedKind,
  rows: readonly SealRow[],
): Promise<ReadonlyMap<string, Entry[]>> {
  const found = new Map<string, Entry[]>();
  const [named, own] = [`${kind}Id`, `seal_${kind}`];
  for (const { from, to, ids } of windowsOf(rows)) {
    const [first, end] = await Promise.all([seqAt(read, new Date(from)), seqAt(read, new Date(to))]);
    const last = Math.max(end, first + SEARCHED);
    const entries = await read.query<Entry & { readonly id: string }>(sql.query`select seq, id, seal from (
        select seq, case when entity_type = ${kind} then entity_id else metadata ->> ${named} end as id,
          case when entity_type = ${kind} then metadata ->> 'seal' else metadata ->> ${own} end as seal
        from audit_events where ${within(read.scope)} and seq >= ${first} and seq < ${last}) as entry
      where seal is not null and id = any(${ids}::text[]) order by seq`);
    for (const { id, seq, seal } of entries) found.set(id, [...(found.get(id) ?? []), { seq, seal }]);
  }
  return found;
}

/** Times at which some of the records were sealed, with those in between. */
function windowsOf(rows: readonly SealRow[]) {
  const windows: { from: number; to: number; ids: string[] }[] = [];
  const sealed = rows.flatMap(({ id, sealed_at: at }) => (at === null ? [] : [{ id, at: at.getTime() }]));
  for (const { id, at } of sealed.toSorted((left, right) => left.at - right.at)) {
    const last = windows.at(-1);
    if (last === undefined || at > last.to) windows.push({ from: at, to: at + COMMIT_MS, ids: [id] });
    else {
      last.to = at + COMMIT_MS;
      last.ids.push(id);
    }
  }
  return windows;
}
