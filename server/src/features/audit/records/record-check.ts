import { createChainNotes, type NotedPage, type NotedRecord } from '@svc/zk/records/chain-notes';
import { type ChainSeal, WRITE_ONCE } from '@svc/zk/records/judge';
import type { SealedKind } from '@svc/zk/records/kinds';
import { isPage, pageRoot } from '@svc/zk/records/pages';
import { MAX_SEARCHED } from '../../../ledger/read-events.js';
import { sha256OfBytes } from '../../../ledger/record-seal.js';
import { entriesNear } from '../../../records/seals/seal-entries.js';
import { findPage } from '../../../records/seals/sealed-pages.js';
import { findStored, type StoredRecord, sealNow } from '../../../records/seals/sealed-rows.js';
import * as store from './records.store.js';
import { SEALED_TABLES } from './sealed-tables.js';
import {
  type Compared,
  isFault,
  judgeStored,
  judgeSuspects,
  type Suspect,
  type UnequalRecord,
} from './suspects.js';
import { findUnsealed } from './unsealed.js';

/** A seal that an entry has. Undefined if entries of its action have one. */
export type SealNote = Pick<NotedRecord, 'kind' | 'id' | 'seq' | 'at' | 'seal' | 'isLater'>;
/** The root of a page of records that an entry has. */
export type PageNote = Omit<NotedPage, 'actor'>;

/** Each record costs some hashes, and other requests are served between these. A text has up to 16 KiB. */
const RECORDS_AT_ONCE = 200;

/**
 * Compares the records of one scope with their seals. While the chain is read, each seal with the record as it is: the record
 * has this seal, or a later one, or is a suspect. After that, each record with the entry of its time, so that it is found if no entry
 * has sealed it. A suspect is judged by the whole chain, which costs a search through it: if nobody has changed the records, only those
 * that are written during the check. In constant memory, besides the ids of erased people.
 */
export class RecordCheck {
  readonly #of: Compared;
  #view: ReturnType<typeof readView> | undefined;
  #found: UnequalRecord | undefined;

  constructor(of: Compared) {
    this.#of = of;
  }

  /** Compares the records with the seals of the next entries. Nothing more is compared after the first that differs. */
  async check(notes: readonly SealNote[], pages: readonly PageNote[] = []): Promise<void> {
    if (this.#found) return;
    await this.#checkEach(notes);
    for (const page of pages) {
      if (this.#found) return;
      const records = await recordsOf(this.#of, page);
      if (records === undefined) {
        const brokenRowId = await store.findEntryId(this.#of.primary, page.seq);
        this.#found = { reason: 'seal_missing', recordKind: page.kind, ...(brokenRowId && { brokenRowId }) };
      } else await this.#checkEach(records);
    }
  }

  async #checkEach(notes: readonly SealNote[]): Promise<void> {
    const { mustSealAt } = await this.#readView();
    const suspects: Suspect[] = notes.filter(({ seq, seal }) => seal === undefined && mustSealAt(seq));
    for (const [kind, sealed] of byKind(notes))
      for (let at = 0; at < sealed.length; at += RECORDS_AT_ONCE)
        suspects.push(...(await this.#suspectsAmong(kind, sealed.slice(at, at + RECORDS_AT_ONCE))));
    this.#found = await judgeSuspects(this.#of, suspects);
  }

  /** After the last entry: the first record that differs from its seal or, if the chain is whole, that no entry has sealed. */
  async finish(): Promise<UnequalRecord | undefined> {
    return this.#found ?? (this.#of.isWhole ? findUnsealed(this.#of, await this.#readView()) : undefined);
  }

  #readView() {
    this.#view ??= readView(this.#of);
    return this.#view;
  }

  async #suspectsAmong(kind: SealedKind, sealed: readonly Sealed[]): Promise<readonly Suspect[]> {
    const view = await this.#readView();
    const { evidence } = this.#of;
    const records = await findStored(
      evidence,
      SEALED_TABLES[kind],
      sealed.map(({ id }) => id),
    );
    const different = sealed.filter(({ id, seals }) => {
      const history = { seals, isNamed: true };
      return isFault(judgeStored({ kind, id }, history, records.get(id), view));
    });
    return WRITE_ONCE.has(kind) ? different : this.#withoutLaterSeal(kind, different, records);
  }

  /** Of records that change: those without a seal of after these entries. */
  async #withoutLaterSeal(
    kind: SealedKind,
    different: readonly Sealed[],
    records: ReadonlyMap<string, StoredRecord>,
  ): Promise<readonly Suspect[]> {
    const { evidence, isWhole } = this.#of;
    const readTo = Math.max(...different.map(({ seals }) => Date.parse(seals.at(-1)?.at ?? '')));
    const found = different.flatMap(({ id }) => records.get(id) ?? []);
    // `finish` compares these with the entry of the time that they say.
    const saysLater = ({ salts, at }: StoredRecord) => isWhole && salts?.facts != null && Number(at) > readTo;
    const rest = found.filter((record) => !saysLater(record));
    const entries = await entriesNear(evidence, kind, rest, { isSealed: true });
    const hasLater = ({ id, seals }: Sealed): boolean => {
      const record = records.get(id);
      if (record === undefined) return false;
      if (saysLater(record)) return true;
      const made = sealNow(kind, record);
      const newest = seals.at(-1)?.seq ?? 0;
      return entries.get(id)?.some(({ seq, seal }) => seq > newest && seal === made) === true;
    };
    return different.filter((one) => !hasLater(one));
  }
}

/** The seals of the records of a page. Undefined if the page is not there, or has another root. */
async function recordsOf(
  { evidence }: Compared,
  { root, ...entry }: PageNote,
): Promise<readonly SealNote[] | undefined> {
  const { kind } = entry;
  const page = await findPage(evidence, kind, root);
  if (page === undefined || !isPage(page.records)) return undefined;
  if (pageRoot({ kind, records: page.records }, sha256OfBytes) !== root) return undefined;
  return page.records.map(([id, seal]) => ({ ...entry, id, seal, isLater: true }));
}

/** What the chain says of all records. */
async function readView({ evidence, fromSeq, to }: Compared) {
  const notes = createChainNotes();
  for (let from = fromSeq; from <= to; from += MAX_SEARCHED) {
    const part = { from, to: Math.min(to, from + MAX_SEARCHED - 1) };
    for (const entry of await store.listAboutAll(evidence, part)) notes.read(entry);
  }
  return { ...notes.view, headBefore: to, headAfter: to };
}

/** A record with its seals in some entries. */
interface Sealed extends Suspect {
  readonly seals: ChainSeal[];
}

/** Each record once. */
function byKind(notes: readonly SealNote[]): readonly (readonly [SealedKind, readonly Sealed[]])[] {
  const kinds = new Map<SealedKind, Map<string, Sealed>>();
  for (const { kind, id, seal, ...entry } of notes) {
    if (seal === undefined) continue;
    const records = kinds.get(kind) ?? new Map<string, Sealed>();
    kinds.set(kind, records);
    const record = records.get(id);
    if (record) record.seals.push({ ...entry, seal });
    else records.set(id, { kind, id, seals: [{ ...entry, seal }] });
  }
  return [...kinds].map(([kind, records]) => [kind, [...records.values()]]);
}
