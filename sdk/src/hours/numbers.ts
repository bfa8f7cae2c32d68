import type { AuditRow } from '@svc/zk/approvals/receipt';
import type { HoursHeader } from '@svc/zk/time/hours-file';
import type { Findings } from './fault.js';

/** An entry about the month. */
export interface Numbered {
  readonly seq: number;
  readonly at: string;
}

/** Follows the numbers of the entries about the month. Without a gap, none of them is hidden among those of other kinds. */
export class NumberCheck {
  /** The number of the last one. */
  last = 0;
  /** How many are hidden. */
  missing = 0;
  /** The last one. Nothing shows whether more of them follow. */
  lastEntry: Numbered | undefined;
  /** The last one that what was kept vouches for. */
  lastKept: Numbered | undefined;
  readonly #header: HoursHeader;
  readonly #kept: number;
  readonly #findings: Findings;

  /** `kept` is the number of the newest entry that was kept, of any kind. */
  constructor(header: HoursHeader, kept: number, findings: Findings) {
    this.#header = header;
    this.#kept = kept;
    this.#findings = findings;
  }

  note({ seq, createdAt: at, metadata }: AuditRow, line: number): void {
    const { siteId, period, number } = metadata;
    const { site, month, userId } = this.#header;
    if (siteId !== site.id || period !== month || number === undefined) return;
    const expected = this.last + 1;
    const own = typeof number === 'number' ? number : 0;
    this.last = own;
    this.lastEntry = { seq, at };
    if (seq <= this.#kept) this.lastKept = this.lastEntry;
    if (own === expected || (userId !== null && own > expected)) return;
    this.missing += Math.max(1, own - expected);
    this.#findings.add(
      'entry_missing',
      `Entry ${seq} has the number ${number} in the month, not ${expected}: entries between them are hidden.`,
      line,
    );
  }

  /** Whether an entry about an event has a number in a month, which may be one of those beside this one. */
  isNumbered({ metadata: { siteId, period, number } }: AuditRow): boolean {
    return siteId === this.#header.site.id && typeof period === 'string' && Number.isSafeInteger(number);
  }
}
