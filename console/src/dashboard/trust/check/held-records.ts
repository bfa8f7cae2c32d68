import type { SealedPageLine, SealedRecord } from '@svc/sdk';
import { sha256, toHex } from '@svc/zk/prover/sha256';
import { type NotedPage, type NotedRecord, notesOfPages } from '@svc/zk/records/chain-notes';
import { createTally, type RecordsEnd, type Tally } from '@svc/zk/records/compare';
import { type ChainSeal, type ChainView, type RecordState, stateOf, WRITE_ONCE } from '@svc/zk/records/judge';
import type { ExportedKind } from '@svc/zk/records/kinds';
import { isPage, pageRoot, type SealedPage } from '@svc/zk/records/pages';

/** What was found of the records of a kind. */
export interface KindReport extends Tally {
  readonly kind: ExportedKind;
  /** In the export. */
  readonly records: number;
  /** Of those, how many had no room in this browser. */
  readonly notChecked: number;
}

/** How many more records there is room for: those of the exports, and those that only the audit log has. */
export interface Room {
  records: number;
  others: number;
  /** Entries with a seal that had no room. */
  entriesLeftOut: number;
}

/** What the export and the chain say of one record. */
interface Held {
  readonly states: RecordState[];
  readonly seals: ChainSeal[];
  isNamed: boolean;
  lacking?: Omit<ChainSeal, 'seal'>;
}

/** Findings that are listed for each kind. All are counted. */
const MAX_LISTED = 1_000;

/** The records of one kind. What is kept of each does not grow with the number of its changes. */
export function createHeldRecords(kind: ExportedKind, room: Room) {
  const held = new Map<string, Held>();
  let end: RecordsEnd | undefined;
  let records = 0;
  let retired = 0;
  const pages: (SealedPage & { readonly root: string })[] = [];
  /** The first id that had no room. From there on, nothing is judged. */
  let endsBefore: string | undefined;
  const isInside = (id: string) => endsBefore === undefined || id < endsBefore;

  /** Undefined if there is no room for it. */
  function placeOf(id: string, share: 'records' | 'others'): Held | undefined {
    const known = held.get(id);
    if (known !== undefined || room[share] === 0) return known;
    room[share] -= 1;
    const made: Held = { states: [], seals: [], isNamed: false };
    held.set(id, made);
    return made;
  }

  return {
    kind,
    /** A line of the export, in which the records come by their ids. */
    addRecord({ n, salts, T, ...record }: SealedRecord): void {
      records += 1;
      const { id } = record as { id: string };
      const place = placeOf(id, 'records');
      if (place === undefined) endsBefore = isInside(id) ? id : endsBefore;
      else place.states.push(stateOf(kind, { record, n, salts, T }, digest));
    },
    /** A line with records that were sealed later. These lines come after all records. */
    addPage({ sealedLater }: SealedPageLine): void {
      if (!isPage(sealedLater)) return;
      const root = pageRoot({ kind, records: sealedLater }, digest);
      const hasRoom = (id: string) => placeOf(id, 'others') !== undefined || leaveOut(room);
      pages.push({ kind, root, records: sealedLater.filter(([id]) => isInside(id) && hasRoom(id)) });
    },
    close(line: RecordsEnd): void {
      end = line;
    },
    /** What an entry of the chain says of a record. Entries come oldest first, after all exports. */
    addEntry({ id, seq, at, seal, lacksSeal, isLater }: NotedRecord): void {
      if (end === undefined || seq > end.headAfter.seq || !isInside(id)) return;
      const known = held.get(id);
      const isSealed = seal !== undefined || lacksSeal;
      // What entries only name is judged only if the export has it.
      if (known === undefined && !isSealed) return;
      const place = known ?? placeOf(id, 'others');
      if (place === undefined) return void leaveOut(room);
      place.isNamed = true;
      if (lacksSeal) place.lacking ??= { seq, at };
      if (seal !== undefined)
        addSeal(place.seals, { seq, seal, at, ...(isLater && { isLater }) }, kind, end.headBefore.seq);
    },
    /** After the last entry: adds the seals of the pages. False if the export has others than the chain. */
    addPagesOf(inChain: readonly NotedPage[]): boolean {
      const sealed = notesOfPages(pages, inChain, end?.headBefore.seq ?? 0);
      for (const record of sealed ?? []) this.addEntry(record);
      return sealed !== undefined;
    },
    /** Makes room: drops those that the chain says were deleted because of their age, and counts them. */
    dropRetired(view: Pick<ChainView, 'isRetired'>): void {
      for (const [id, { states, seals, lacking }] of held) {
        const [first] = seals;
        if (states.length > 0 || first === undefined || lacking !== undefined) continue;
        if (first.seq > (end?.headBefore.seq ?? 0) || view.isRetired(kind, id, first.at) === 'no') continue;
        held.delete(id);
        retired += 1;
        room.others += 1;
      }
    },
    report(view: Omit<ChainView, 'headBefore' | 'headAfter'>): KindReport {
      const { headBefore, headAfter } = end as RecordsEnd;
      const whole = { ...view, headBefore: headBefore.seq, headAfter: headAfter.seq };
      const tally = createTally(kind, whole, MAX_LISTED);
      let checked = 0;
      for (const [id, { states, ...history }] of held) {
        if (!isInside(id)) continue;
        checked += states.length;
        tally.add(id, history, states);
      }
      const result = tally.result();
      return {
        ...{ ...result, kind, records, notChecked: records - checked, deleted: result.deleted + retired },
      };
    },
  };
}

/** For an entry with a seal that has no room. Returns false. */
function leaveOut(room: Room): boolean {
  room.entriesLeftOut += 1;
  return false;
}

const digest = (bytes: Uint8Array): string => toHex(sha256(bytes));

/**
 * Keeps of the seals of a record what its judgement depends on: the first, for what nobody changes the second, the newest from before the
 * export, and all that came while it was read.
 */
export function addSeal(seals: ChainSeal[], seal: ChainSeal, kind: ExportedKind, headBefore: number): void {
  // Those of pages come last.
  if (seal.isLater) {
    seals.push(seal);
    seals.sort((left, right) => left.seq - right.seq);
    return;
  }
  const first = WRITE_ONCE.has(kind) ? 2 : 1;
  if (seals.length > first && seal.seq <= headBefore) seals.pop();
  seals.push(seal);
}
