import {
  type ChainHistory,
  type ChainView,
  type Judgement,
  judgeRecord,
  type RecordFault,
  type RecordState,
} from './judge.js';
import { EXPORTED_KINDS, type ExportedKind } from './kinds.js';

/** What is read of a head of the chain. */
export interface NotedHead {
  readonly tenantId: string;
  readonly seq: number;
  readonly hash: string;
}

/** The last line of an export with `include=seal`. */
export interface RecordsEnd<Head extends NotedHead = NotedHead> {
  readonly kind: ExportedKind;
  readonly count: number;
  /** Pages of records that were sealed later, a line each, after the records. Absent for none. */
  readonly pages?: number;
  /** The head of the chain before the first record was read, and after the last. */
  readonly headBefore: Head;
  readonly headAfter: Head;
}

/** Whether a line is the last of an export. Without it, the export was cut off. */
export function isRecordsEnd(value: unknown): value is RecordsEnd {
  const end = value as Partial<RecordsEnd> | null;
  const isHead = (head: unknown) => Number.isSafeInteger((head as NotedHead | undefined)?.seq);
  return (
    typeof end === 'object' &&
    end !== null &&
    EXPORTED_KINDS.includes(end.kind as ExportedKind) &&
    isHead(end.headBefore) &&
    isHead(end.headAfter) &&
    Number.isSafeInteger(end.pages ?? 0)
  );
}

/** Why an export can't be compared with a chain. That is no fault of its records. */
export interface ChainDifference {
  readonly is: 'newer' | 'other chain';
  /** The entry that the chain has not, or has otherwise. */
  readonly seq: number;
}

/** Remembers the rows of a chain that the heads of exports name. */
export function createHeadCheck(ends: readonly RecordsEnd[]) {
  const hashes = new Map(
    ends.flatMap(({ headBefore, headAfter }) => [
      [headBefore.seq, ''],
      [headAfter.seq, ''],
    ]),
  );
  return {
    note({
      seq,
      hash,
      prevHash,
    }: {
      readonly seq: number;
      readonly hash: string;
      readonly prevHash: string;
    }) {
      if (hashes.has(seq)) hashes.set(seq, hash);
      if (seq === 1 && hashes.has(0)) hashes.set(0, prevHash);
    },
    /** Undefined if the chain that ends with `head` is the one that the export names. */
    differenceOf({ headBefore, headAfter }: RecordsEnd, head: NotedHead): ChainDifference | undefined {
      if (headAfter.seq > head.seq) return { is: 'newer', seq: headAfter.seq };
      // The hash of a row of this chain, which was checked, says more than a signature.
      const other = [headBefore, headAfter].find(
        ({ seq, hash, tenantId }) =>
          tenantId !== head.tenantId || (seq === head.seq ? head.hash : hashes.get(seq)) !== hash,
      );
      return other && { is: 'other chain', seq: other.seq };
    },
  };
}

/** A record that is not what the chain knows. */
export interface Finding {
  readonly id: string;
  readonly fault: RecordFault;
  /** The entry of the chain that the record differs from. */
  readonly seq?: number;
  readonly at?: string;
  /** How often the export has it, if that is not once at most. */
  readonly times?: number;
}

/** What was found of the records of one kind. */
export interface Tally {
  readonly sound: number;
  /** Sealed by the operator after they were written. What they said before that is not known. */
  readonly sealedLater: number;
  /** Without a seal, because they were last written before there were seals. */
  readonly notCovered: number;
  /** Not in the export, because of their age. */
  readonly deleted: number;
  readonly erased: number;
  /** Not in the export, because they were first sealed while it was written. Nothing is known of them. */
  readonly tooNew: number;
  readonly faults: number;
  /** The first of them. */
  readonly findings: readonly Finding[];
}

/** Judges the records of a kind one after another, and counts them. Lists at most `maxListed` findings. */
export function createTally(kind: ExportedKind, view: ChainView, maxListed: number) {
  const counts: Record<Exclude<Judgement['is'], RecordFault>, number> = {
    ...{ sound: 0, sealed_later: 0, not_covered: 0, deleted: 0, erased: 0, too_new: 0 },
  };
  const findings: Finding[] = [];
  let faults = 0;
  return {
    /** `states` has what each row of the export with this id says. There should be one at most. */
    add(id: string, history: ChainHistory, states: readonly RecordState[]): void {
      const [state, again] = states;
      const judged: Judgement =
        again === undefined ? judgeRecord({ kind, id }, history, state, view) : { is: 'record_unknown' };
      if (judged.is in counts) {
        // What entries only name is no record of the export.
        if (state !== undefined || judged.is !== 'sound') counts[judged.is as keyof typeof counts] += 1;
        return;
      }
      faults += 1;
      const { is: fault, ...entry } = judged as { is: RecordFault; seq?: number; at?: string };
      const times = again !== undefined && { times: states.length };
      if (findings.length < maxListed) findings.push({ id, fault, ...entry, ...times });
    },
    result(): Tally {
      const { not_covered: notCovered, too_new: tooNew, sealed_later: sealedLater, ...others } = counts;
      return { ...others, sealedLater, notCovered, tooNew, faults, findings };
    },
  };
}
