import { fieldListsOf, type SealedKind } from './kinds.js';
import { type HexDigest, sealMade } from './seal.js';

/** What the chain says of one record. */
export interface ChainHistory {
  /** Its seals, oldest first, none of them after `headAfter`, and `UNSEALED` for each change without one. */
  readonly seals: readonly ChainSeal[];
  /** An entry names it, with a seal or, before all records had seals, without. */
  readonly isNamed: boolean;
  /** The first entry that has no seal of it, and must have one. */
  readonly lacking?: Omit<ChainSeal, 'seal'> | undefined;
}

/** A seal of a record in the audit chain. */
export interface ChainSeal {
  /** The number of the entry. */
  readonly seq: number;
  readonly seal: string;
  /** When the entry was written, in ISO 8601. */
  readonly at: string;
  /** The record is older than seals, and the entry has the root of a page with it. */
  readonly isLater?: true;
}

/** Instead of a seal, in an entry of a version that knew none: it changed the record, and nobody can say what it said then. */
export const UNSEALED = 'none';

/** A row of an export with `include=seal`: the record with what its seal is made of. */
export interface SealedRow {
  readonly record: Readonly<Record<string, unknown>>;
  /** Null for a record from before there were seals. */
  readonly n: number | null;
  readonly salts: { readonly facts: string | null; readonly text: string | null } | null;
  readonly T?: string | undefined;
}

/** What the judgement of a record depends on, of all that its row says. */
export interface RecordState {
  /** The first part of its seal that is not there: the number of its fields, the salt of the facts, that of the text. */
  readonly lacks: 'number' | 'facts' | 'text' | undefined;
  /** The seal of what it says. Undefined if it cannot have been sealed as it is. */
  readonly seal: string | undefined;
  /** The id of its person, if it has one. */
  readonly person: string | undefined;
  /** A person who has no text any more, and no salt of it. */
  readonly isEmpty: boolean;
}

/** What the chain says of all records, as far as the judgement of one depends on it. */
export interface ChainView {
  /** The number of the newest entry before the records were read, and after that. */
  readonly headBefore: number;
  readonly headAfter: number;
  /** The entry that says that the person was erased. Without an id, that somebody was. */
  erasureOf(userId: string | undefined): Omit<ChainSeal, 'seal'> | undefined;
  /** Whether an entry says that a record with this id, which was created then, was deleted because of its age. */
  isRetired(kind: SealedKind, id: string, createdAt: string): 'yes' | 'perhaps' | 'no';
}

/** Why a record is not what the chain knows. docs/audit.md explains each. */
export type RecordFault =
  | 'record_changed'
  | 'record_missing'
  | 'record_unknown'
  | 'record_resealed'
  | 'record_undeleted'
  | 'salt_missing'
  | 'seal_missing';

export type Judgement =
  | { readonly is: 'sound' }
  /** It says what it said when the operator sealed it. What it said before that is not known. */
  | { readonly is: 'sealed_later' }
  /** It was last written by a version without seals. */
  | { readonly is: 'not_covered' }
  /** It is not there, and may not be, or it is a person who was erased. */
  | { readonly is: 'deleted' | 'erased' }
  /** It is not there, and was first sealed while the records were read. */
  | { readonly is: 'too_new' }
  /** `seq` is the entry that it differs from, if there is one. */
  | { readonly is: RecordFault; readonly seq?: number; readonly at?: string };

/** Records that nobody changes. Their first seal counts. */
export const WRITE_ONCE: ReadonlySet<SealedKind> = new Set<SealedKind>([
  'verification',
  'attendance',
  'registration',
  'pairing',
]);

/** Records that are deleted some time after they have ended, some without an entry. So one that is missing is no fault. */
const KEPT_FOR_A_TIME: ReadonlySet<SealedKind> = new Set(['registration', 'pairing']);

/** Needs only the row, so rows need not be kept until the chain was read. */
export function stateOf(
  kind: SealedKind,
  { record, n, salts, T }: SealedRow,
  digest: HexDigest,
): RecordState {
  const userId = kind === 'user' ? record.id : (record.userId ?? record.user_id);
  const person = typeof userId === 'string' ? userId : undefined;
  if (n === null || salts === null || salts.facts === null) {
    const isEmpty = kind === 'user' && salts?.text === null && isErasedPerson(n, record);
    return { lacks: n === null ? 'number' : 'facts', seal: undefined, person, isEmpty };
  }
  const { facts, text } = salts;
  const lacks = text === null ? 'text' : undefined;
  const isMade = text !== null || isTextRemoved(kind, n, record);
  const seal = isMade ? sealMade({ kind, n, record, salts: { facts, text }, T }, digest) : undefined;
  return { lacks, seal, person, isEmpty: false };
}

/**
 * Judges one record by what the chain says of it. `state` is undefined if the export lacks it. A record that changed while it was read may have any seal that was the newest then.
 */
export function judgeRecord(
  { kind, id }: { readonly kind: SealedKind; readonly id: string },
  { seals, isNamed, lacking }: ChainHistory,
  state: RecordState | undefined,
  view: ChainView,
): Judgement {
  if (lacking !== undefined) return fault('seal_missing', lacking);
  const sealed = seals.filter(({ seal }) => seal !== UNSEALED);
  const [first, second] = sealed;
  if (state === undefined) {
    if (first === undefined) return { is: 'sound' };
    if (first.seq > view.headBefore) return { is: 'too_new' };
    if (KEPT_FOR_A_TIME.has(kind) || view.isRetired(kind, id, createdAt(id, first)) !== 'no')
      return { is: 'deleted' };
    return fault('record_missing', sealed.at(-1));
  }
  // The row of a record that has no seal yet may be read before its first seal is made.
  const isBefore = state.lacks === 'number' && isNamed && (first?.seq ?? Infinity) > view.headBefore;
  if (isBefore) return { is: 'not_covered' };
  if (first === undefined) return { is: 'record_unknown' };
  if (view.isRetired(kind, id, createdAt(id, first)) === 'yes') return fault('record_undeleted', first);
  if (WRITE_ONCE.has(kind) && second !== undefined) return fault('record_resealed', second);
  return judgeSeal(kind, seals, state, view);
}

const fault = (is: RecordFault, of: Omit<ChainSeal, 'seal'> | undefined): Judgement =>
  of === undefined ? { is } : { is, seq: of.seq, at: of.at };

function judgeSeal(
  kind: SealedKind,
  seals: readonly ChainSeal[],
  { lacks, seal: made, person, isEmpty }: RecordState,
  view: ChainView,
): Judgement {
  const newest = seals.findLast(({ seal }) => seal !== UNSEALED);
  // A registration that never had a person may have said their externalId.
  const mayBeOf = person !== undefined || kind === 'registration';
  const erasure = mayBeOf ? view.erasureOf(person) : undefined;
  if (lacks === 'number' || lacks === 'facts')
    return erasure && isEmpty ? { is: 'erased' } : fault('salt_missing', newest);
  // The row from before the erasure was put back.
  if (kind === 'user' && erasure && erasure.seq <= view.headBefore) return fault('record_changed', erasure);
  if (lacks === 'text' && !erasure) return fault('salt_missing', newest);
  const before = seals.findLastIndex(({ seq }) => seq <= view.headBefore);
  const current = WRITE_ONCE.has(kind) ? seals : seals.slice(Math.max(0, before));
  const found = current.find(({ seal }) => seal === made);
  if (found !== undefined) return { is: found.isLater ? 'sealed_later' : 'sound' };
  return current.some(({ seal }) => seal === UNSEALED)
    ? { is: 'not_covered' }
    : fault('record_changed', newest);
}

/** When a record was made, for which the time of its first seal stands. An id of version 7 begins with its time, in milliseconds. */
const createdAt = (id: string, { at, isLater }: ChainSeal): string =>
  isLater && id[14] === '7'
    ? new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString()
    : at;

/**
 * Whether a record says nothing of what its text has said. Nobody can check it without its salt, so there may be none. `reason` may be
 * one of the service's own codes.
 */
export const isTextRemoved = (kind: SealedKind, n: number, record: SealedRow['record']): boolean =>
  fieldListsOf(kind, n)?.text.every(
    (name) => record[name] == null || (name === 'reason' && /^[a-z_]{1,64}$/.test(String(record[name]))),
  ) === true;

/** An erased person's record has no salts any more, so all that it may say is nothing, and that it was erased. */
const isErasedPerson = (n: number | null, record: SealedRow['record']): boolean =>
  n !== null &&
  fieldListsOf('user', n)?.text.every((name) => record[name] === null || record[name] === '') === true &&
  record.status === 'inactive' &&
  typeof record.erasedAt === 'string';
