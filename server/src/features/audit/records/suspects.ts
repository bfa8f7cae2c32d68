import { createChainNotes } from '@svc/zk/records/chain-notes';
import {
  type ChainHistory,
  type ChainSeal,
  type ChainView,
  judgeRecord,
  type RecordFault,
  stateOf,
} from '@svc/zk/records/judge';
import type { SealedKind } from '@svc/zk/records/kinds';
import { isUuid } from '../../../base/crypto/random.js';
import { MAX_SEARCHED } from '../../../ledger/read-events.js';
import { sha256OfBytes } from '../../../ledger/record-seal.js';
import type { Read } from '../../../ledger/write.js';
import { pagedSeals } from '../../../records/seals/sealed-pages.js';
import { findStored, type StoredRecord } from '../../../records/seals/sealed-rows.js';
import * as store from './records.store.js';
import { SEALED_TABLES } from './sealed-tables.js';

/** The part of a chain that is checked, and where it and the records are read. */
export interface Compared {
  /** May be a replica that has the chain up to `to`. */
  readonly evidence: Read;
  readonly primary: Read;
  readonly fromSeq: number;
  readonly to: number;
  /** Each record in the database is compared, too. */
  readonly isWhole: boolean;
}

/** A record that is perhaps not what the chain says. */
export interface Suspect {
  readonly kind: SealedKind;
  readonly id: string;
}

/** A record that is not. */
export interface UnequalRecord {
  readonly reason: RecordFault;
  /** The entry that it differs from. */
  readonly brokenRowId?: string;
  readonly recordKind: SealedKind;
  readonly recordId?: string;
}

const nameOf = ({ kind, id }: Suspect) => `${kind} ${id}`;

/** Records by their names, as they are now. */
async function readRecords(read: Read, suspects: readonly Suspect[]) {
  const found = new Map<string, StoredRecord>();
  for (const kind of new Set(suspects.map((suspect) => suspect.kind))) {
    const ids = suspects.flatMap((suspect) => (suspect.kind === kind ? [suspect.id] : []));
    for (const [id, record] of await findStored(read, SEALED_TABLES[kind], ids))
      found.set(nameOf({ kind, id }), record);
  }
  return found;
}

/**
 * The first suspect that is not what the part of the chain says of it, as everybody can judge an export. Reads each entry since
 * then, also those that were written during the check, from the server that has them all.
 */
export async function judgeSuspects(
  { primary: read, fromSeq: from }: Compared,
  suspects: readonly Suspect[],
): Promise<UnequalRecord | undefined> {
  if (suspects.length === 0) return undefined;
  const headBefore = await store.readHead(read);
  const records = await readRecords(read, suspects);
  const headAfter = await store.readHead(read);
  const histories = new Map(suspects.map((suspect): [string, History] => [nameOf(suspect), newHistory()]));
  const part = { from, to: headAfter };
  const view = await readHistories(read, histories, records, part);
  await addPaged(read, histories, suspects, part);
  for (const suspect of suspects) {
    const name = nameOf(suspect);
    const history = histories.get(name) ?? newHistory();
    const whole = { ...view, headBefore, headAfter };
    const judged = judgeStored(suspect, history, records.get(name), whole);
    if (!isFault(judged)) continue;
    const brokenRowId = judged.seq === undefined ? undefined : await store.findEntryId(read, judged.seq);
    return {
      ...{ reason: judged.is, recordKind: suspect.kind },
      ...(brokenRowId && { brokenRowId }),
      ...(isUuid(suspect.id) && { recordId: suspect.id }),
    };
  }
  return undefined;
}

/** Undefined if the database lacks the record. */
export const judgeStored = (
  suspect: Suspect,
  history: ChainHistory,
  record: StoredRecord | undefined,
  view: ChainView,
) => judgeRecord(suspect, history, record && stateOf(suspect.kind, record, sha256OfBytes), view);

type Judgement = ReturnType<typeof judgeRecord>;

const FINE: ReadonlySet<Judgement['is']> = new Set([
  'sound',
  'sealed_later',
  'not_covered',
  'deleted',
  'erased',
]);

export const isFault = (judged: Judgement): judged is Extract<Judgement, { is: RecordFault }> =>
  !FINE.has(judged.is);

interface History extends ChainHistory {
  readonly seals: ChainSeal[];
  isNamed: boolean;
  lacking?: ChainHistory['lacking'];
}

const newHistory = (): History => ({ seals: [], isNamed: false });

/** Adds the seals of those that were sealed later. */
async function addPaged(
  read: Read,
  histories: ReadonlyMap<string, History>,
  suspects: readonly Suspect[],
  { from, to }: store.Part,
): Promise<void> {
  for (const kind of new Set(suspects.map((suspect) => suspect.kind))) {
    const ids = suspects.flatMap(({ kind: each, id }) => (each === kind && isUuid(id) ? [id] : []));
    for (const [id, paged] of await pagedSeals(read, kind, ids)) {
      const history = histories.get(nameOf({ kind, id })) ?? newHistory();
      const inPart = paged.filter(({ seq }) => seq >= from && seq <= to);
      const seals = inPart.map(({ seq, at, seal }) => ({
        seq,
        at: at.toISOString(),
        seal,
        isLater: true as const,
      }));
      history.isNamed ||= seals.length > 0;
      history.seals.push(...seals);
      history.seals.sort((left, right) => left.seq - right.seq);
    }
  }
}

/** Whose erasure may have removed the text of these records. A registration that never had a person may be anybody's. */
function erasuresFor(records: ReadonlyMap<string, StoredRecord>): readonly string[] | 'anybody' {
  const people: string[] = [];
  for (const [name, { id, record }] of records) {
    const person = record.userId ?? record.user_id;
    if (typeof person === 'string') people.push(person);
    else if (name.startsWith('registration ')) return 'anybody';
    else people.push(id);
  }
  return people;
}

/** Adds what the entries say of the records, and returns what they say of all. */
async function readHistories(
  read: Read,
  histories: ReadonlyMap<string, History>,
  records: ReadonlyMap<string, StoredRecord>,
  { from, to }: store.Part,
) {
  const notes = createChainNotes();
  const ids = [...histories.keys()].map((name) => name.slice(name.indexOf(' ') + 1));
  const erased = erasuresFor(records);
  for (let start = from; start <= to; start += MAX_SEARCHED) {
    const part = { from: start, to: Math.min(to, start + MAX_SEARCHED - 1) };
    for (const entry of await store.listAbout(read, part, ids, erased)) {
      for (const { seq, seal, at, lacksSeal, ...record } of notes.read(entry)) {
        const history = histories.get(nameOf(record));
        if (history === undefined) continue;
        history.isNamed = true;
        if (seal !== undefined) history.seals.push({ seq, seal, at });
        else if (lacksSeal) history.lacking ??= { seq, at };
      }
    }
  }
  return notes.view;
}
