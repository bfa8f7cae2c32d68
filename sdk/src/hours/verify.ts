import { sha256, toHex } from '@svc/zk/prover/sha256';
import { recordsIn } from '@svc/zk/records/chain-notes';
import { type HexDigest, sealMade } from '@svc/zk/records/seal';
import type { TimeEvent } from '@svc/zk/time/events';
import {
  type HoursEnd,
  type HoursEntry,
  type HoursHeader,
  type HoursLine,
  type HoursRecord,
  hoursMessage,
  nextDigest,
} from '@svc/zk/time/hours-file';
import { verifyEd25519 } from '../codecs/audit-chain.js';
import { NamedKeys } from '../receipts/chain/keys.js';
import { ReceiptFault } from '../receipts/fault.js';
import { pinnedKey } from '../receipts/setup.js';
import { ChainCheck, type KeptOptions, keptSeq } from './chain.js';
import { punchFault } from './claims.js';
import { Corrections, type Provers } from './corrections.js';
import { Enrolments } from './enrolments.js';
import { keep, type PersonStore, peopleIn, storeInMemory } from './events.js';
import { Findings, HoursFault, type HoursFaultCode, type HoursFinding, type HoursSubject } from './fault.js';
import { headerOf, isEvent, lineOf, placeOf } from './form.js';
import { type Pieces, type ReadLine, readLines } from './lines.js';
import { NumberCheck } from './numbers.js';
import { type CreateVerifier, ProofCheck } from './proofs.js';
import { type HoursReport, report } from './report.js';
import { SheetCheck } from './sheets.js';

export interface HoursCheckOptions extends KeptOptions {
  /** Takes proofs under development keys, which their maker can forge. */
  readonly allowDevelopmentKeys?: boolean | undefined;
  /** SHA-256 in hex. Default: one that runs everywhere, and takes ten times as long as that of Node. */
  readonly digest?: HexDigest | undefined;
  /** Default: one that runs everywhere, and takes twice as long as the fastest. */
  readonly createVerifier?: CreateVerifier | undefined;
  /** Where events are kept until the sheets are computed. Default: in memory. */
  readonly store?: PersonStore | undefined;
  /** Called after some lines, with the number of characters read so far, and with the entries of the audit chain, which are most of a file. */
  readonly onProgress?:
    | ((read: number, entries: { readonly read: number; readonly of: number }) => void)
    | undefined;
}

export type HoursVerdict =
  /** The file was read to its end. `ok` is false if something in it is wrong. */
  | (HoursReport & {
      readonly ok: boolean;
      readonly faults: number;
      readonly findings: readonly HoursFinding[];
    })
  /** It cannot be checked: cut off, altered, of another chain, or not such a file. */
  | {
      readonly ok: false;
      readonly code: HoursFaultCode;
      readonly message: string;
      readonly findings: readonly HoursFinding[];
    };

/**
 * Checks the file of a month (`format=svc-hours`) without the service: that nobody has changed, added or removed an event since it was
 * recorded, that the phones of the people proved what it says they proved, and that the sheets are what the events say.
 *
 * @example
 * const verdict = await verifyHours(lines, { head: keptTree });
 * for (const { message } of verdict.findings) console.error(message);
 * if ('conclusion' in verdict) console.log(verdict.conclusion);
 */
export async function verifyHours(pieces: Pieces, options: HoursCheckOptions = {}): Promise<HoursVerdict> {
  const findings = new Findings();
  const store = options.store ?? storeInMemory();
  try {
    return await check(pieces, { ...options, store }, findings);
  } catch (error) {
    if (!(error instanceof HoursFault || error instanceof ReceiptFault)) throw error;
    const code = error.code as HoursFaultCode;
    return { ok: false, code, message: error.message, findings: findings.listed };
  } finally {
    store.close();
  }
}

async function check(
  pieces: Pieces,
  options: HoursCheckOptions & { readonly store: PersonStore },
  findings: Findings,
): Promise<HoursVerdict> {
  let file: FileCheck | undefined;
  let read = 0;
  for await (const line of readLines(pieces)) {
    file ??= openFile(headerOf(line), options, findings);
    await file.read(line);
    read += line.text.length + 1;
    if (line.number % 256 === 0) options.onProgress?.(read, file.entries);
  }
  if (file) options.onProgress?.(read, file.entries);
  if (file === undefined) throw new HoursFault('incomplete', 'The file is empty.');
  const facts = await file.end();
  return { ok: findings.count === 0, faults: findings.count, findings: findings.listed, ...facts };
}

function openFile(
  header: HoursHeader,
  options: HoursCheckOptions & { readonly store: PersonStore },
  findings: Findings,
) {
  try {
    return new FileCheck(header, options, findings);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new HoursFault('malformed', 'Line 1 names a month or a time zone that there is not.');
  }
}

const hexOf = (bytes: Uint8Array): string => toHex(sha256(bytes));
const utf8 = new TextEncoder();
/** A phone has two minutes for its proof, and the clocks of two nodes may differ by an hour. */
const MAX_DELAY_MS = 65 * 60_000;

/** Reads a file line by line. */
class FileCheck {
  readonly #header: HoursHeader;
  readonly #options: HoursCheckOptions & { readonly store: PersonStore };
  readonly #findings: Findings;
  readonly #digest: HexDigest;
  readonly #chain: ChainCheck;
  readonly #proofs: ProofCheck;
  readonly #enrolments: Enrolments;
  readonly #corrections: Corrections;
  readonly #sheets: SheetCheck;
  readonly #decisions: Provers['enrolments'] = [];
  /** People without an enrolment, with their events. They may have been erased. */
  readonly #unknown = new Map<string, { count: number; readonly line: number; readonly did: string }>();
  readonly #erased = new Set<string>();
  readonly #numbers: NumberCheck;
  #lines = 0;
  #linesDigest = '';
  /** The place of the last line among the kinds of lines. */
  #place = 0;
  /** Events that are in the month, and were recorded in another one, or the other way round. */
  #displaced = 0;
  #closingNumber = 0;
  #end: HoursEnd | undefined;

  constructor(
    header: HoursHeader,
    options: HoursCheckOptions & { readonly store: PersonStore },
    findings: Findings,
  ) {
    this.#header = header;
    this.#options = options;
    this.#findings = findings;
    this.#digest = options.digest ?? hexOf;
    this.#chain = new ChainCheck(header, options.head, this.#digest);
    this.#proofs = new ProofCheck(pinnedKey(header.setup, options), findings, options.createVerifier);
    this.#enrolments = new Enrolments(header, findings);
    this.#sheets = new SheetCheck(header, findings, this.#digest);
    this.#corrections = new Corrections(header, findings, (time) => this.#sheets.isInMonth(time));
    this.#numbers = new NumberCheck(header, keptSeq(options.head) ?? 0, findings);
  }

  /** @throws HoursFault, ReceiptFault */
  async read(line: ReadLine): Promise<void> {
    if (this.#end !== undefined)
      throw new HoursFault('malformed', `Line ${line.number} comes after the end.`);
    const value = line.number === 1 ? undefined : lineOf(line);
    if (value !== undefined && 'end' in value) {
      this.#end = value.end;
      return;
    }
    const place = value === undefined ? 0 : placeOf(value);
    if (place < this.#place) throw new HoursFault('malformed', `Line ${line.number} is in the wrong place.`);
    this.#place = place;
    this.#lines += 1;
    this.#linesDigest = nextDigest(this.#linesDigest, line.text, (text) => this.#digest(utf8.encode(text)));
    if (value !== undefined) await this.#take(value, line.number);
  }

  get entries(): { readonly read: number; readonly of: number } {
    return this.#chain.progress;
  }

  async #take(value: HoursLine, number: number): Promise<void> {
    this.#findings.subject = subjectOf(value);
    if ('digest' in value) this.#chain.hide(value, number);
    else if ('entry' in value) await this.#entry(value, number);
    else if ('correction' in value)
      await this.#corrections.add(
        value.correction,
        { enrolments: this.#decisions, proofs: this.#proofs },
        number,
      );
    else if ('enrolment' in value) await this.#enrolments.add(value, this.#proofs, number);
    else if ('leaf' in value) this.#sheets.addLeaf(value.leaf);
    else if ('unsealed' in value)
      this.#findings.add(
        'record_unknown',
        `The event ${value.unsealed.record.id} is in the file, and no entry of the chain has sealed it.`,
        number,
      );
    else if ('sheet' in value)
      keep(this.#options.store, { is: 'sheet', userId: value.userId, shown: value, line: number });
  }

  async #entry(line: HoursEntry, number: number): Promise<void> {
    const { entry } = line;
    const { action, metadata, entityType, entityId } = entry;
    this.#chain.show(entry, number);
    this.#numbers.note(entry, number);
    if (action === 'user.erased' && entityId !== null) this.#erased.add(entityId);
    if (entityType === 'attendance_correction') this.#corrections.note(entry, number);
    const { site, month, userId } = this.#header;
    const isOfMonth =
      metadata.siteId === site.id && metadata.period === month && this.#numbers.isNumbered(entry);
    if (action === 'attendance.month_closed' && isOfMonth && userId === null) {
      this.#sheets.noteClosing(entry);
      this.#closingNumber = Number(metadata.number);
    }
    if (entityType !== 'attendance' || entityId === null) return;
    if (action === 'attendance.created') await this.#created(line, entityId, number);
    else this.#marked(line, entityId, number);
  }

  async #created(line: HoursEntry, id: string, number: number): Promise<void> {
    const { entry, record, n = null, salts = null, T } = line;
    if (record === undefined)
      return this.#findings.add(
        'record_missing',
        `The event ${id}, which entry ${entry.seq} recorded at ${entry.createdAt}, is gone.`,
        number,
      );
    const said: HoursRecord = { record, n, salts, ...(T !== undefined && { T }) };
    const isSealed = this.#checkSeal(said, line, id, number);
    const { userId, siteId, evidence } = record;
    const asked = this.#header.userId;
    if (typeof userId !== 'string' || siteId !== this.#header.site.id || (asked !== null && userId !== asked))
      return this.#findings.add('record_changed', `The event ${id} is of another site or person.`, number);
    if (!isSealed) return;
    if (!isEvent(record))
      return this.#findings.add('record_changed', `The event ${id} is none that sheets can have.`, number);
    if (!this.#numbers.isNumbered(entry))
      this.#findings.add(
        'entry_missing',
        `Entry ${entry.seq}, which recorded the event ${id}, has no number in a month.`,
        number,
      );
    await this.#checkEvidence(line, id, userId, number);
    const { type, reason, occurredAt, result, voidedBy, contestedAt } = record;
    const event = {
      ...({ id, type, reason: reason ?? 'work', occurredAt, result } as TimeEvent),
      evidence: (evidence ?? 'asserted') as TimeEvent['evidence'],
      ...{ seq: entry.seq, line: number },
      voidedBy: typeof voidedBy === 'string' ? voidedBy : null,
      isContested: contestedAt != null,
    };
    const isInMonth = this.#sheets.isInMonth(event.occurredAt);
    if ((entry.metadata.period === this.#header.month) !== isInMonth) this.#displaced += 1;
    keep(this.#options.store, { is: 'event', userId, event });
  }

  #checkSeal({ record, n, salts, T }: HoursRecord, { entry }: HoursEntry, id: string, line: number): boolean {
    const facts = salts?.facts ?? null;
    const text = salts?.text ?? null;
    if (n === null || facts === null || (text === null && T === undefined)) {
      this.#findings.add(
        'salt_missing',
        `The event ${id} cannot be checked: the salt of its seal is gone.`,
        line,
      );
      return false;
    }
    const made = sealMade({ kind: 'attendance', n, record, salts: { facts, text }, T }, this.#digest);
    const sealed = recordsIn(entry).find((each) => each.kind === 'attendance' && each.id === id)?.seal;
    const isSealed = made !== undefined && made === sealed && record.id === id;
    if (!isSealed)
      this.#findings.add(
        'record_changed',
        `The event ${id} says something else than when entry ${entry.seq} recorded it, at ${entry.createdAt}.`,
        line,
      );
    return isSealed;
  }

  async #checkEvidence(
    { record = {}, punch, entry }: HoursEntry,
    id: string,
    userId: string,
    line: number,
  ): Promise<void> {
    const wrong = (why: string) => this.#findings.add('punch_wrong', `The event ${id} ${why}.`, line);
    const { evidence, correctionId } = record;
    if (evidence === 'agreed' && !this.#corrections.makes(correctionId, record))
      this.#findings.add('correction_missing', `The event ${id} is agreed, and no correction made it.`, line);
    if (evidence !== 'proved' && punch !== undefined) wrong('has a proof, and is none of a phone');
    const delay = Math.abs(Date.parse(entry.createdAt) - Date.parse(String(record.occurredAt)));
    if ((evidence === 'proved' || evidence === 'declared') && delay > MAX_DELAY_MS)
      wrong(`was made at ${record.occurredAt}, and entry ${entry.seq} recorded it at ${entry.createdAt}`);
    if (evidence !== 'proved') return;
    if (punch === undefined) return wrong('is that of a phone, and its proof is gone');
    const fault = punchFault(punch, record, this.#header);
    if (fault !== undefined) return wrong(fault);
    await this.#proofs.add(punch, `The event ${id}`, line);
    const owner = this.#enrolments.ownerOf(punch);
    if (owner === undefined) this.#noteUnknown(userId, punch.did, line);
    else if (owner.userId !== userId) wrong(`is of ${userId}, and the phone is that of ${owner.userId}`);
    else if (owner.seq >= entry.seq) wrong('was proved before its phone was enrolled');
  }

  #noteUnknown(userId: string, did: string, line: number): void {
    const known = this.#unknown.get(userId);
    if (known) known.count += 1;
    else this.#unknown.set(userId, { count: 1, line, did });
  }

  #marked({ entry, userId }: HoursEntry, id: string, line: number): void {
    const { store } = this.#options;
    const { action, seq, metadata } = entry;
    const by = String(metadata.correctionId);
    if (userId === undefined)
      this.#findings.add('record_missing', `The event ${id}, which entry ${seq} is about, is gone.`, line);
    else if (action === 'attendance.contested') keep(store, { is: 'contested', userId, id, line });
    else if (action === 'attendance.voided') {
      const old = this.#corrections.voids(by, id, userId) ?? null;
      if (old === null)
        this.#findings.add(
          'correction_missing',
          `The event ${id} was voided, and no correction says so.`,
          line,
        );
      keep(store, { is: 'voided', userId, id, by, old, seq, line });
    }
  }

  /** What needs the whole file. @throws HoursFault, ReceiptFault */
  async end(): Promise<HoursReport> {
    const end = this.#end;
    if (end === undefined)
      throw new HoursFault('incomplete', 'The file was cut off: its last line is missing.');
    const { head, keys = {}, store } = this.#options;
    const named = head !== undefined || Object.keys(keys).length > 0;
    await this.#checkSignature(end, named);
    const known = {
      ...(named ? keys : { [this.#header.tree.keyId]: this.#header.publicKey ?? end.publicKey }),
    };
    const chainKeys = new NamedKeys({ head, keys: known }, this.#header);
    const kept = await this.#chain.end(chainKeys);
    for (const { sent, userId, what, line } of this.#decisions) this.#checkDecider(sent, userId, what, line);
    this.#corrections.end();
    await this.#proofs.flush();
    for await (const texts of store.all())
      for (const person of peopleIn(texts)) this.#sheets.check(person, kept?.seq);
    const erased = this.#judgeUnknown();
    return report({
      ...{
        header: this.#header,
        kept,
        named,
        erased,
        displaced: this.#displaced,
        proofs: this.#proofs.count,
      },
      ...{ numbers: this.#numbers, sheets: this.#sheets, closing: this.#sheets.end() },
      ...{ corrections: this.#corrections, closingNumber: this.#closingNumber, faults: this.#findings },
      newEnrolments: this.#enrolments.newerThan(kept?.hasTree ? kept.seq : 0),
    });
  }

  #checkDecider(
    sent: Provers['enrolments'][number]['sent'],
    userId: string,
    what: string,
    line: number,
  ): void {
    const owner = this.#enrolments.ownerOf(sent);
    if (owner === undefined) this.#noteUnknown(userId, sent.did, line);
    else if (owner.userId !== userId)
      this.#findings.add('correction_wrong', `${what} was decided by the phone of somebody else.`, line);
  }

  /** @returns how many events and decisions are of people who were erased */
  #judgeUnknown(): number {
    let erased = 0;
    for (const [userId, { count, line, did }] of this.#unknown)
      if (this.#erased.has(userId)) erased += count;
      else
        this.#findings.add('enrolment_missing', `Nothing shows that ${did} is the phone of ${userId}.`, line);
    return erased;
  }

  /** @throws HoursFault `altered` unless the file is the one that was signed */
  async #checkSignature(end: HoursEnd, named: boolean): Promise<void> {
    const isWhole = end.lines === this.#lines && end.sha256 === this.#linesDigest;
    const known = new Map(Object.entries({ ...this.#options.keys, ...keyOf(this.#options.head) }));
    const key = known.get(end.keyId);
    if (named && key === undefined)
      throw new HoursFault(
        'key_unknown',
        `The file is signed with the key ${end.keyId}, which you did not name. Pass a head that you kept, or this key.`,
      );
    if (key !== undefined && key !== end.publicKey)
      throw new HoursFault('key_unknown', `The file has another key ${end.keyId} than you named.`);
    const signature = await verifyEd25519(hoursMessage(this.#header, end), end.signature, end.publicKey);
    if (signature === 'unchecked')
      throw new HoursFault('signature_unsupported', 'This platform cannot check signatures of Ed25519.');
    if (!isWhole || signature === 'wrong')
      throw new HoursFault(
        'altered',
        'The file is not the one that the service signed: somebody changed it afterwards.',
      );
  }
}

function subjectOf(value: HoursLine): HoursSubject | undefined {
  if ('correction' in value) return { userId: value.correction.userId };
  if ('unsealed' in value) return subjectIn(value.unsealed.record);
  if (!('entry' in value)) return undefined;
  const { entry, record, userId } = value;
  if (entry.entityType === 'attendance_correction') return subjectIn(entry.metadata, null);
  if (entry.entityType !== 'attendance' || entry.entityId === null) return undefined;
  const found = record === undefined ? { ...entry.metadata, ...(userId && { userId }) } : record;
  return { at: entry.createdAt, ...subjectIn(found, entry.entityId) };
}

function subjectIn(
  { id, userId, occurredAt }: Readonly<Record<string, unknown>>,
  eventId: unknown = id,
): HoursSubject {
  return {
    ...(typeof userId === 'string' && { userId }),
    ...(typeof eventId === 'string' && { eventId }),
    ...(typeof occurredAt === 'string' && { at: occurredAt }),
  };
}

const keyOf = (head: KeptOptions['head']): Readonly<Record<string, string>> =>
  head?.publicKey ? { [head.keyId]: head.publicKey } : {};
