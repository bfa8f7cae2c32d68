import { WRITE_ONCE } from '@svc/zk/records/judge';
import { SEALED_KINDS, type SealedKind } from '@svc/zk/records/kinds';
import { NIL_UUID } from '../../../base/crypto/random.js';
import type { Read } from '../../../ledger/write.js';
import { entriesNear, type RecordEntry } from '../../../records/seals/seal-entries.js';
import { pagedSeals } from '../../../records/seals/sealed-pages.js';
import { type DatedSeal, findStored, listDated, sealNow } from '../../../records/seals/sealed-rows.js';
import { SEALED_TABLES } from './sealed-tables.js';
import { type Compared, judgeSuspects, type Suspect, type UnequalRecord } from './suspects.js';

const LISTED_AT_ONCE = 2_000;
/** Each record costs some hashes, and other requests are served between these. A text has up to 16 KiB. */
const RECORDS_AT_ONCE = 200;

/** The first record in the database that no entry has sealed or, if it has no seal, names. */
export async function findUnsealed(
  of: Compared,
  { mustSealAt }: { mustSealAt(seq: number): boolean },
): Promise<UnequalRecord | undefined> {
  for (const kind of SEALED_KINDS) {
    let after = NIL_UUID;
    for (let size = LISTED_AT_ONCE; size === LISTED_AT_ONCE; ) {
      const dated = await listDated(of.evidence, SEALED_TABLES[kind], after, LISTED_AT_ONCE);
      size = dated.length;
      after = dated.at(-1)?.id ?? after;
      const unequal = await judgeSuspects(of, await suspectsAmong(of.evidence, kind, dated, mustSealAt));
      if (unequal) return unequal;
    }
  }
  return undefined;
}

/** Those that no entry of their time has sealed, or names. */
async function suspectsAmong(
  read: Read,
  kind: SealedKind,
  dated: readonly DatedSeal[],
  mustSealAt: (seq: number) => boolean,
): Promise<Suspect[]> {
  const sealed = dated.filter(({ n }) => n !== null);
  const others = dated.filter(({ n }) => n === null);
  const [seals, names] = await Promise.all([
    entriesNear(read, kind, sealed, { isSealed: true }),
    entriesNear(read, kind, others, { isSealed: false }),
  ]);
  const unnamed = sealed.flatMap(({ id }) => (seals.has(id) ? [] : [id]));
  const paged = await pagedSeals(read, kind, unnamed);
  const suspects = [
    ...(await withoutSeal(read, kind, sealed, new Map<string, readonly RecordEntry[]>([...seals, ...paged]))),
    ...others.filter(({ id }) => names.get(id)?.some(({ seq }) => !mustSealAt(seq)) !== true),
  ];
  return suspects.map(({ id }) => ({ kind, id }));
}

async function withoutSeal(
  read: Read,
  kind: SealedKind,
  sealed: readonly DatedSeal[],
  seals: ReadonlyMap<string, readonly RecordEntry[]>,
): Promise<readonly DatedSeal[]> {
  // The seals of these were compared while the chain was read.
  if (WRITE_ONCE.has(kind)) return sealed.filter(({ id }) => !seals.has(id));
  const without: DatedSeal[] = [];
  for (let from = 0; from < sealed.length; from += RECORDS_AT_ONCE) {
    const some = sealed.slice(from, from + RECORDS_AT_ONCE);
    const records = await findStored(
      read,
      SEALED_TABLES[kind],
      some.map(({ id }) => id),
    );
    const isSealed = ({ id, at }: DatedSeal): boolean => {
      const record = records.get(id);
      const made = record && sealNow(kind, record);
      const isErased = record?.salts?.facts === null;
      // Entries from before that time may have been read for other records.
      return seals.get(id)?.some((one) => one.at >= at && (isErased || one.seal === made)) === true;
    };
    without.push(...some.filter((one) => !isSealed(one)));
  }
  return without;
}
