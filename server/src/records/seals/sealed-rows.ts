import type { SealedRow } from '@svc/zk/records/judge';
import type { SealedKind } from '@svc/zk/records/kinds';
import { sealMade } from '@svc/zk/records/seal';
import { isUuid } from '../../base/crypto/random.js';
import { type Sql, sql } from '../../db/sql.js';
import { SEAL_COLUMNS, sha256OfBytes } from '../../ledger/record-seal.js';
import { type Read, within } from '../../ledger/write.js';
import { entriesNear, type RecordEntry } from './seal-entries.js';
import { type PagedSeal, pagedSeals } from './sealed-pages.js';

/** How the records of a kind are read with what their seals are made of. */
export interface SealedTable {
  readonly kind: SealedKind;
  readonly table: Sql;
  readonly of: { readonly list: Sql; serialize(row: never): object };
  /** When the seal was made. */
  readonly sealedAt: Sql;
  /** For kinds that are sealed when they end: which have ended. */
  readonly ended?: Sql;
  /** The hash of a text that was removed. Null for kinds whose text is never removed alone. */
  readonly textHash: Sql;
}

interface Row {
  id: string;
  seal_n: number | null;
  facts_salt: string | null;
  text_salt: string | null;
  text_hash: string | null;
  written_at: Date;
}

/** A record as the database has it. */
export interface StoredRecord extends SealedRow {
  readonly id: string;
  /** When it was sealed, or else created. */
  readonly at: Date;
}

export type DatedSeal = Pick<StoredRecord, 'id' | 'n' | 'at'>;

const writtenAt = ({ sealedAt }: SealedTable) => sql`coalesce(${sealedAt}, created_at)`;

/** A record as the API returns it, with what its seal is made of. Records from before there were seals have null in each. */
export type SealedRecord = Readonly<Record<string, unknown>> &
  Pick<SealedRow, 'n' | 'salts' | 'T'> & {
    /** The number of the audit entry that has the seal. */
    readonly sealSeq: number | null;
  };

async function readStored(read: Read, sealed: SealedTable, which: Sql): Promise<StoredRecord[]> {
  const { table, of, textHash } = sealed;
  const rows =
    await read.query<Row>(sql.query`select ${of.list}, ${SEAL_COLUMNS}, ${textHash} as text_hash, ${writtenAt(sealed)} as written_at
    from ${table} where ${within(read.scope)} and ${which}`);
  return rows.map((row) => {
    const { id, seal_n: n, facts_salt: facts, text_salt: text, text_hash: T, written_at: at } = row;
    const record = recordOf(of, row) ?? { id };
    if (n === null) return { id, at, record, n, salts: null };
    return { id, at, record, n, salts: { facts, text }, ...(T !== null && { T }) };
  });
}

/** A row as the API returns it. Undefined if it cannot be shown, because somebody has set one of its times to infinity. */
export function recordOf(of: SealedTable['of'], row: object): SealedRow['record'] | undefined {
  try {
    return of.serialize(row as never) as SealedRow['record'];
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** When the records after that one that have or should have a seal were sealed, or else created, in the order of their ids. */
export const listDated = (
  read: Read,
  sealed: SealedTable,
  after: string,
  count: number,
): Promise<DatedSeal[]> =>
  read.query(sql.query`select id, seal_n as n, ${writtenAt(sealed)} as at
    from ${sealed.table} where ${within(read.scope)} and id > ${after}
      ${sealed.ended === undefined ? sql`` : sql`and (seal_n is not null or ${sealed.ended})`}
    order by id limit ${count}`);

/** The records with these ids that there are. */
export async function findStored(
  read: Read,
  table: SealedTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredRecord>> {
  const records = await readStored(read, table, sql`id = any(${ids.filter(isUuid)}::uuid[])`);
  return new Map(records.map((record) => [record.id, record]));
}

/** A record with what its seal is made of, apart, and the number of the audit entry that has the seal. */
type FoundRecord = SealedRow &
  Pick<SealedRecord, 'sealSeq'> & {
    /** Of the page that has the seal, if the record was sealed later. */
    readonly root: string | undefined;
  };

/** The records after that one, in the order of their ids. */
export async function listSealed(
  read: Read,
  table: SealedTable,
  after: string,
  count: number,
): Promise<SealedRecord[]> {
  const stored = await readStored(read, table, sql`id > ${after} order by id limit ${count}`);
  const found = await withEntries(read, table, stored);
  return found.map(({ record, root: _, ...seal }) => ({ ...record, ...seal }));
}

/** The records that a condition with its order selects. */
export const listSealedWhere = async (read: Read, table: SealedTable, which: Sql): Promise<FoundRecord[]> =>
  withEntries(read, table, await readStored(read, table, which));

/** Undefined if there is no such record. */
export async function findSealed(
  read: Read,
  table: SealedTable,
  id: string,
): Promise<FoundRecord | undefined> {
  const [found] = await withEntries(read, table, await readStored(read, table, sql`id = ${id}`));
  return found;
}

async function withEntries(
  read: Read,
  { kind }: SealedTable,
  stored: readonly StoredRecord[],
): Promise<FoundRecord[]> {
  const sealed = stored.filter(({ n }) => n !== null);
  const entries = await entriesNear(read, kind, sealed, { isSealed: true });
  const others = sealed.flatMap(({ id }) => (entries.has(id) ? [] : [id]));
  const paged = await pagedSeals(read, kind, others);
  return stored.map(({ id, at: _, ...found }) => {
    const now = () => sealNow(kind, found);
    const made = sealIn<RecordEntry | PagedSeal>(entries.get(id) ?? paged.get(id) ?? [], now);
    return { ...found, sealSeq: made?.seq ?? null, root: made && 'root' in made ? made.root : undefined };
  });
}

/** The entry with the seal that the record has now, or else the newest. */
const sealIn = <E extends RecordEntry>(
  entries: readonly E[],
  now: () => string | undefined,
): E | undefined =>
  entries.length < 2 ? entries[0] : (entries.find(({ seal }) => seal === now()) ?? entries.at(-1));

/** The seal of a record as it is. Undefined if it has no salts any more, or if it cannot have been sealed so. */
export const sealNow = (kind: SealedKind, { record, n, salts, T }: SealedRow): string | undefined =>
  n === null || salts?.facts == null
    ? undefined
    : sealMade({ kind, n, record, salts: { facts: salts.facts, text: salts.text }, T }, sha256OfBytes);
