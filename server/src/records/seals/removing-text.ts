import type { SealedKind } from '@svc/zk/records/kinds';
import { sealOf } from '@svc/zk/records/seal';
import { type Mutation, type Sql, sql } from '../../db/sql.js';
import { sha256OfBytes } from '../../ledger/record-seal.js';
import { type Write, within } from '../../ledger/write.js';
import type { SealedTable } from './sealed-rows.js';

/** How many rows are held in memory. A text has up to 16 KiB. */
const BATCH = 200;

interface SealedRow {
  id: string;
  seal_n: number | null;
  facts_salt: string;
  text_salt: string | null;
}

/** The rows of a table whose text can be removed. */
interface Texts extends Pick<SealedTable, 'kind' | 'table' | 'of'> {
  /** A condition: the row belongs to the person and has some text. */
  readonly found: Sql;
  /** Removes the text of the rows of `removed` (`id`, `hash`) and its salt, and keeps the hash. */
  clear(removed: Sql): Mutation;
}

/**
 * Removes text, and the salt with it, so that nobody can confirm a guess of the text. What remains of a row can still be checked, by the
 * hash of the text that was sealed. Returns how many rows had some text.
 */
export async function removeText(w: Write, { kind, table, of, found, clear }: Texts): Promise<number> {
  let count = 0;
  for (let size = BATCH; size === BATCH; ) {
    const rows = await w.query<SealedRow>(sql.query`select ${of.list}, seal_n, facts_salt, text_salt
      from ${table} where ${within(w.scope)} and ${found} order by id limit ${BATCH} for update`);
    size = rows.length;
    if (size === 0) return count;
    count += size;
    const hashes = rows.map((row) => hashOf(kind, of.serialize(row as never), row));
    const ids = rows.map(({ id }) => id);
    await w.mutate(clear(sql`unnest(${ids}::uuid[], ${hashes}::text[]) as removed (id, hash)`));
  }
  return count;
}

/** Null for a row from before there were seals. */
function hashOf(
  kind: SealedKind,
  shown: object,
  { seal_n: n, facts_salt: facts, text_salt: text }: SealedRow,
) {
  if (n === null) return null;
  const sealed = { kind, n, record: shown as Record<string, unknown>, salts: { facts, text } };
  return sealOf(sealed, sha256OfBytes).T;
}
