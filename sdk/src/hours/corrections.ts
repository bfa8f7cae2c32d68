import type { AuditRow } from '@svc/zk/approvals/receipt';
import type { CorrectedTime } from '@svc/zk/time/correction';
import type { HoursCorrection, HoursHeader } from '@svc/zk/time/hours-file';
import { correctionFault } from './claims.js';
import type { Findings } from './fault.js';
import type { ProofCheck } from './proofs.js';

/** How long a person can take back their own event alone, with the time of a slow request. */
const TAKE_BACK_MS = 6 * 60_000;

interface Followed {
  readonly correction: HoursCorrection;
  readonly line: number;
  proposed?: AuditRow;
  ended?: AuditRow;
  /** The changes whose new event has been seen. */
  readonly made: Set<number>;
  /** The events that it voided. */
  readonly voided: Set<string>;
}

const ENDINGS: Readonly<Record<string, HoursCorrection['state']>> = {
  'attendance.correction_agreed': 'agreed',
  'attendance.correction_contested': 'contested',
  'attendance.correction_unanswered': 'unanswered',
  'attendance.correction_withdrawn': 'withdrawn',
};

/** The corrections of a file, compared with what the audit chain says of them. */
export class Corrections {
  readonly #all = new Map<string, Followed>();
  readonly #header: HoursHeader;
  readonly #findings: Findings;
  readonly #isInMonth: (time: string) => boolean;

  constructor(header: HoursHeader, findings: Findings, isInMonth: (time: string) => boolean) {
    this.#header = header;
    this.#findings = findings;
    this.#isInMonth = isInMonth;
  }

  get size(): number {
    return this.#all.size;
  }

  /** How many ended like this. */
  count(state: HoursCorrection['state']): number {
    return [...this.#all.values()].filter(({ correction }) => correction.state === state).length;
  }

  /** How many were agreed after an entry without a proof of the person's phone. */
  agreedByPin(after = 0): number {
    return [...this.#all.values()].filter(
      ({ correction: { state, personBy }, ended }) =>
        state === 'agreed' && personBy !== 'phone' && (ended?.seq ?? 0) > after,
    ).length;
  }

  async add(correction: HoursCorrection, { enrolments, proofs }: Provers, line: number): Promise<void> {
    const fault = correctionFault(correction, this.#header);
    if (fault !== undefined) this.#wrong(correction.id, fault, line);
    if (this.#all.has(correction.id)) return this.#wrong(correction.id, 'is in the file twice', line);
    this.#all.set(correction.id, { correction, line, made: new Set(), voided: new Set() });
    const { proved } = correction;
    if (proved) {
      enrolments.push({ sent: proved, userId: correction.userId, what: nameOf(correction.id), line });
      await proofs.add(proved, nameOf(correction.id), line);
    }
  }

  /** The person of a correction. */
  personOf(id: unknown): string | undefined {
    return this.#all.get(String(id))?.correction.userId;
  }

  note(entry: AuditRow, line: number): void {
    const { action, entityId, metadata } = entry;
    const followed = this.#all.get(entityId ?? '');
    if (followed === undefined) {
      this.#findings.add(
        'correction_missing',
        `Entry ${entry.seq} is about the correction ${entityId}, which is not in the file.`,
        line,
      );
      return;
    }
    const { userId, correctionSha256 } = followed.correction;
    const isOfIt =
      metadata.userId === userId &&
      (metadata.correctionSha256 === undefined || metadata.correctionSha256 === correctionSha256);
    if (!isOfIt) this.#wrong(entityId, `is another one than entry ${entry.seq} says`, line);
    if (action === 'attendance.correction_proposed') followed.proposed = entry;
    else if (ENDINGS[action] !== undefined) {
      if (followed.ended !== undefined) this.#wrong(entityId, 'ended twice', line);
      followed.ended = entry;
    }
  }

  /** Whether an agreed correction made this event. Of each change one event is made. */
  makes(id: unknown, record: Readonly<Record<string, unknown>>): boolean {
    const followed = this.#agreed(id);
    if (followed === undefined || followed.correction.userId !== record.userId) return false;
    const at = followed.correction.changes.findIndex(
      ({ new: next }, index) =>
        !followed.made.has(index) &&
        next !== null &&
        next.type === record.type &&
        next.reason === record.reason &&
        next.occurredAt === record.occurredAt,
    );
    if (at === -1) return false;
    followed.made.add(at);
    return true;
  }

  /** What an agreed correction says of an event of that person that it voids. Undefined if it does not. */
  voids(id: unknown, eventId: string, userId: string): CorrectedTime | undefined {
    const followed = this.#agreed(id);
    if (followed === undefined || followed.correction.userId !== userId) return undefined;
    const old = followed.correction.changes.find((each) => each.old?.id === eventId)?.old ?? undefined;
    if (old) followed.voided.add(eventId);
    return old;
  }

  #agreed(id: unknown): Followed | undefined {
    const followed = this.#all.get(String(id));
    return followed?.ended?.action === 'attendance.correction_agreed' ? followed : undefined;
  }

  /** Compares each with its entries, once all have been read. */
  end(): void {
    for (const [id, followed] of this.#all) {
      this.#findings.subject = { userId: followed.correction.userId };
      const fault = this.#endFault(followed);
      if (fault !== undefined) this.#wrong(id, fault, followed.line);
    }
  }

  #endFault(followed: Followed): string | undefined {
    const { correction, proposed, ended } = followed;
    const { state, personBy, proposedBy } = correction;
    if (proposed?.metadata.correctionSha256 !== correction.correctionSha256) return 'was never proposed';
    if (proposed.metadata.by !== proposedBy) return 'was proposed by the other side';
    if (proposedBy === 'member' && proposed.actorType !== 'member') return 'was proposed by no member';
    // Nobody answered it in time, and the job that notes it has not run yet.
    const isLate = state === 'unanswered' && ended === undefined;
    const is = ended === undefined ? 'proposed' : ENDINGS[ended.action];
    if (!isLate && is !== state) return `is ${is}, and the file says ${state}`;
    if (state !== 'agreed' || ended === undefined) return undefined;
    const byMember = proposedBy === 'member' || ended.actorType === 'member';
    if (personBy === null) return 'was agreed without the person';
    if (!byMember && !isTakenBack(correction, proposed)) return 'was agreed without a member';
    return this.#applyFault(followed);
  }

  /** The file has all events of the month. Those of other months can be in other files. */
  #applyFault({ correction: { changes }, made, voided }: Followed): string | undefined {
    for (const [at, { old, new: next }] of changes.entries()) {
      if (next !== null && this.#isInMonth(next.occurredAt) && !made.has(at))
        return 'was agreed, and not all of its events are in the file';
      if (old !== null && this.#isInMonth(old.occurredAt) && !voided.has(old.id))
        return 'was agreed, and not all events that it replaces are voided';
    }
    return undefined;
  }

  #wrong(id: string | null, why: string, line: number): void {
    this.#findings.add('correction_wrong', `${nameOf(id)} ${why}.`, line);
  }
}

/** Proofs whose people are known only later in the file. */
export interface Provers {
  readonly enrolments: {
    sent: NonNullable<HoursCorrection['proved']>;
    userId: string;
    what: string;
    line: number;
  }[];
  readonly proofs: ProofCheck;
}

const nameOf = (id: string | null): string => `The correction ${id}`;

function isTakenBack({ changes, personBy }: HoursCorrection, { createdAt }: AuditRow): boolean {
  const [change] = changes;
  const isOne = changes.length === 1 && change?.new === null && change.old !== null;
  return (
    isOne && personBy === 'phone' && Date.parse(createdAt) - Date.parse(change.old.occurredAt) <= TAKE_BACK_MS
  );
}
