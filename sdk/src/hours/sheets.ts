import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { AuditRow } from '@svc/zk/approvals/receipt';
import { rootOf } from '@svc/zk/records/pages';
import type { HexDigest } from '@svc/zk/records/seal';
import type { CorrectedTime } from '@svc/zk/time/correction';
import type { HoursHeader } from '@svc/zk/time/hours-file';
import { type SheetOptions, sheetOf } from '@svc/zk/time/sheet';
import { zonedMonth } from '@svc/zk/time/zone';
import { fromHex } from '../codecs/audit-chain.js';
import { canonicalOrNot } from './chain.js';
import type { KeptEvent, PersonTime } from './events.js';
import type { Findings, HoursSubject } from './fault.js';
import { RULES_VERSION } from './form.js';

/** Events of the month that count, by how they are known. */
export interface EventCounts {
  proved: number;
  declared: number;
  agreed: number;
  asserted: number;
  contested: number;
}

export type ClosingState =
  | { readonly is: 'none' }
  | { readonly is: 'unknown_rules' | 'sound' | 'wrong'; readonly entry: AuditRow };

const utf8 = new TextEncoder();

/** Computes sheets again, and the root of the newest closing. */
export class SheetCheck {
  readonly counts: EventCounts = { proved: 0, declared: 0, agreed: 0, asserted: 0, contested: 0 };
  people = 0;
  minutes = 0;
  minutesWithAsserted = 0;
  /** Events of the month that count, were recorded after what was kept, and have no proof of a phone. */
  unprovedAfterKept = 0;
  readonly #findings: Findings;
  readonly #digest: HexDigest;
  readonly #userId: string | null;
  readonly #options: SheetOptions<number>;
  readonly #from: number;
  readonly #to: number;
  readonly #leaves = new Map<string, { readonly salt: string; hash: string | undefined }>();
  #closing: AuditRow | undefined;

  constructor(header: HoursHeader, findings: Findings, digest: HexDigest) {
    const { site, month, rules, rulesVersion: version, userId } = header;
    this.#findings = findings;
    this.#userId = userId;
    this.#digest = digest;
    this.#options = { zone: site.timeZone, month, rules, version };
    const { days } = zonedMonth(site.timeZone, month);
    this.#from = (days[0]?.from ?? 0) * 60_000;
    this.#to = (days.at(-1)?.to ?? 0) * 60_000;
  }

  addLeaf({ userId, salt }: { readonly userId: string; readonly salt: string }): void {
    this.#leaves.set(userId, { salt, hash: undefined });
  }

  noteClosing(entry: AuditRow): void {
    this.#closing = entry;
  }

  /** Compares what the file says of a person with what their events say. `kept` is the number of the newest entry that was kept. */
  check(person: PersonTime, kept = Number.POSITIVE_INFINITY): void {
    const { userId, events, sheets } = person;
    this.#findings.subject = { userId };
    this.#compareMarks(person);
    this.#findDoubles(events);
    this.#findings.subject = { userId };
    const counted = events.map((event) => ({ ...event, voided: person.voided.has(event.id) }));
    this.#count(counted, kept);
    const [sheet, second] = sheets;
    if (second !== undefined) this.#wrong(`The person ${userId} has two sheets.`, second.line);
    if (sheet !== undefined && this.#userId !== null && this.#userId !== userId)
      this.#wrong(`The file is of one person, and has a sheet of ${userId}.`, sheet.line);
    const isOfMonth = events.some(({ occurredAt }) => this.isInMonth(occurredAt));
    if (sheet === undefined) {
      if (isOfMonth) this.#wrong(`The person ${userId} has events in the month, and no sheet.`);
    } else {
      const own = sheetOf(counted, this.#options);
      this.people += 1;
      this.minutes += own.totals.minutes;
      this.minutesWithAsserted += own.totals.minutesWithAsserted;
      if (canonicalJson(own) !== canonicalOrNot(sheet.shown.sheet))
        this.#wrong(`The sheet of ${userId} is not what their events say.`, sheet.line);
    }
    this.#closePerson(userId, counted, person);
  }

  /** Compares the root of the newest closing. */
  end(): ClosingState {
    this.#findings.subject = undefined;
    const entry = this.#closing;
    if (entry === undefined) return { is: 'none' };
    const { root, sheets } = entry.metadata;
    if (entry.metadata.rulesVersion !== RULES_VERSION) return { is: 'unknown_rules', entry };
    if (!this.#isClosedAlike(entry)) {
      this.#findings.add(
        'closing_wrong',
        `The file has another time zone or other rules than entry ${entry.seq}, which closed the month.`,
      );
      return { is: 'wrong', entry };
    }
    for (const [userId, leaf] of this.#leaves) leaf.hash ??= this.#leafOf(userId, leaf.salt, []);
    const hashes = [...this.#leaves.values()].map(({ hash }) => hash as string);
    const isRight = hashes.length === sheets && rootOf(hashes, this.#digest) === root;
    if (!isRight)
      this.#findings.add(
        'closing_wrong',
        `The events do not give the sheets that entry ${entry.seq} closed, at ${entry.createdAt}.`,
      );
    return { is: isRight ? 'sound' : 'wrong', entry };
  }

  #closePerson(
    userId: string,
    events: readonly (KeptEvent & { voided: boolean })[],
    person: PersonTime,
  ): void {
    const leaf = this.#leaves.get(userId);
    const closing = this.#closing;
    if (leaf === undefined || closing === undefined || !this.#isClosedAlike(closing)) return;
    const { seq: closedAt } = closing;
    const then = events
      .filter(({ seq }) => seq < closedAt)
      .map((event) => ({ ...event, voided: (person.voided.get(event.id)?.seq ?? closedAt) < closedAt }));
    leaf.hash = this.#leafOf(userId, leaf.salt, then);
  }

  /** A month that was closed keeps its zone and its rules. */
  #isClosedAlike({ metadata }: AuditRow): boolean {
    return metadata.timeZone === this.#options.zone && metadata.rules === this.#options.rules;
  }

  #leafOf(userId: string, salt: string, events: readonly KeptEvent[]): string {
    const text = utf8.encode(canonicalJson({ userId, sheet: sheetOf(events, this.#options) }));
    const bytes = new Uint8Array(17 + text.length);
    bytes.set(fromHex(salt, 16) as Uint8Array, 1);
    bytes.set(text, 17);
    return this.#digest(bytes);
  }

  /** What a row says of having been voided or contested is not in its seal, so its entries say it. */
  #compareMarks({ userId, events, voided, contested }: PersonTime): void {
    const ids = new Set(events.map(({ id }) => id));
    for (const event of events) {
      const { id, voidedBy, isContested, line } = event;
      const mark = voided.get(id);
      const by = mark?.by ?? null;
      const about = { userId, eventId: id, at: event.occurredAt };
      const isSame = ({ type, reason, occurredAt }: CorrectedTime) =>
        type === event.type && reason === event.reason && occurredAt === event.occurredAt;
      if (mark?.old && !isSame(mark.old))
        this.#findings.add(
          'correction_wrong',
          `The correction ${by} says something else of the event ${id} than the event.`,
          line,
          about,
        );
      if (voidedBy !== by)
        this.#changed(
          by === null
            ? `The event ${id} says that a correction voided it, and no entry does.`
            : `The event ${id} was voided by the correction ${by}, and does not say so.`,
          line,
          about,
        );
      if (isContested !== contested.has(id))
        this.#changed(
          isContested
            ? `The event ${id} says that the person contested it, and no entry does.`
            : `The person contested the event ${id}, and it does not say so.`,
          line,
          about,
        );
    }
    for (const { id, line } of [...voided.values(), ...contested.values()])
      if (!ids.has(id))
        this.#changed(`The event ${id} is not of the person that the file names.`, line, {
          userId,
          eventId: id,
        });
  }

  #findDoubles(events: readonly KeptEvent[]): void {
    const ids = new Set<string>();
    const punches = new Set<string>();
    for (const { id, evidence, type, reason, occurredAt, line } of events) {
      this.#findings.subject = { ...this.#findings.subject, eventId: id, at: occurredAt };
      if (ids.has(id))
        this.#findings.add('record_resealed', `The event ${id} is recorded by two entries.`, line);
      ids.add(id);
      if (evidence !== 'proved') continue;
      const punch = `${type} ${reason} ${occurredAt}`;
      if (punches.has(punch))
        this.#findings.add('punch_reused', `The event ${id} has the proof of another event.`, line);
      punches.add(punch);
    }
  }

  #count(events: readonly (KeptEvent & { voided: boolean })[], kept: number): void {
    for (const { voided, result, occurredAt, evidence, isContested, seq } of events) {
      if (voided || result === 'rejected' || !this.isInMonth(occurredAt)) continue;
      this.counts[evidence] += 1;
      if (isContested) this.counts.contested += 1;
      if (seq > kept && (evidence === 'declared' || evidence === 'asserted')) this.unprovedAfterKept += 1;
    }
  }

  isInMonth(time: string): boolean {
    const at = Date.parse(time);
    return this.#from <= at && at < this.#to;
  }

  #wrong(message: string, line?: number): void {
    this.#findings.add('sheet_wrong', message, line);
  }

  #changed(message: string, line: number, about?: HoursSubject): void {
    this.#findings.add('record_changed', message, line, about);
  }
}
