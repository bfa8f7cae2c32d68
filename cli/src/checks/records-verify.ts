import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AuditEvent, SignedHead } from '@svc/sdk';
import { createChainNotes, type NotedRecord, notesOfPages } from '@svc/zk/records/chain-notes';
import {
  type ChainDifference,
  createHeadCheck,
  createTally,
  isRecordsEnd,
  type RecordsEnd,
  type Tally,
} from '@svc/zk/records/compare';
import { type RecordFault, type SealedRow, stateOf } from '@svc/zk/records/judge';
import { EXPORTED_KINDS, type ExportedKind, type SealedKind } from '@svc/zk/records/kinds';
import { isPage, pageRoot, type SealedPage } from '@svc/zk/records/pages';
import { UsageError } from '../failure.js';
import { auditVerify, readEnd, readSavedHead, type Verdict, type VerifyOptions } from './audit-verify.js';
import { type Buckets, openBuckets } from './buckets.js';
import { LineError, readBlocks } from './lines.js';
import { byId, lineOfEntry, lineOfName, lineOfState } from './record-lines.js';

/** A record has 16 KiB of metadata, and texts. */
const MAX_LINE_BYTES = 256 * 1024;
/** Findings that are listed for each file. All are counted. */
const MAX_LISTED = 1_000;

/** A device or person that was changed after the head that was kept. */
export interface LaterChange {
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
}

export interface FileReport extends Tally {
  readonly file: string;
  readonly kind: ExportedKind;
  readonly records: number;
  /** The newest entries before the file was written, and after that. What was made between them may be missing. */
  readonly window: readonly [before: number, after: number];
  readonly changedLater: number;
  readonly later: readonly LaterChange[];
}

type End = RecordsEnd<SignedHead>;

interface OpenFile extends End {
  readonly path: string;
  readonly lines: Buckets;
  /** Ids that entries have named of late, of at most so many. The others name few records again and again. */
  readonly named: Set<string>;
}

const MAX_NAMED = 50_000;

/**
 * What `svc audit verify --records` prints. Compares exports of records with the chain, in memory that does not grow with their number.
 * @throws UsageError for a file that is incomplete or of another chain
 */
export async function verifyWithRecords(file: string, options: VerifyOptions, paths: readonly string[]) {
  const since = options.since === undefined ? undefined : await readSavedHead(options.since);
  const chainSize = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  const records = await openRecords(paths, chainSize);
  try {
    const { verdict, text } = await auditVerify(file, options, records.note);
    if (!verdict.holds)
      return { verdict, text: `${text}\nThe records were not compared with it.`, records: [] };
    const reports = await records.compare(verdict, since?.head.seq).catch((error: unknown) => {
      throw error instanceof UsageError ? new UsageError(`${text}\n${error.message}`) : error;
    });
    const missing = EXPORTED_KINDS.filter((kind) => reports.every((report) => report.kind !== kind));
    const notCompared =
      missing.length > 0
        ? [`Not compared, because no file has them: ${missing.map((kind) => PLURALS[kind]).join(', ')}.`]
        : [];
    return {
      verdict,
      text: [text, ...reports.map(describeRecords), ...notCompared].join('\n'),
      records: reports,
    };
  } finally {
    records.close();
  }
}

/** `chainSize` is in bytes, 0 if it is unknown. */
async function openRecords(paths: readonly string[], chainSize: number) {
  const files: OpenFile[] = [];
  for (const path of paths) {
    const end = await readLastLine(path);
    const { size } = await stat(path);
    files.push({ ...end, path, lines: openBuckets(size + chainSize), named: new Set() });
  }
  // With two exports of a kind, the earlier one: what came after it must accuse neither.
  const before = (kind: SealedKind) =>
    Math.min(...files.filter((file) => file.kind === kind).map(({ headBefore }) => headBefore.seq));
  const notes = createChainNotes(before);
  const heads = createHeadCheck(files);
  return {
    note(event: AuditEvent): void {
      heads.note(event);
      for (const record of notes.read(event))
        for (const file of files)
          if (file.kind === record.kind && record.seq <= file.headAfter.seq) addRecord(file, record);
    },
    async compare(verdict: Verdict & { holds: true }, since: number | undefined): Promise<FileReport[]> {
      for (const file of files) requireSameChain(file, verdict, heads.differenceOf(file, verdict.head));
      const reports: FileReport[] = [];
      for (const file of files) reports.push(await compareFile(file, notes, since));
      return reports;
    },
    close(): void {
      for (const { lines } of files) lines.close();
    },
  };
}

/** Most entries only name a record. */
function addRecord({ lines, named }: OpenFile, record: NotedRecord): void {
  const { id, seal, lacksSeal } = record;
  if (seal !== undefined || lacksSeal) lines.add(id, lineOfEntry(record));
  else if (!named.has(id)) {
    if (named.size === MAX_NAMED) named.clear();
    named.add(id);
    lines.add(id, lineOfName(id));
  }
}

const incomplete = (
  path: string,
  why = 'its last line is not that of an export with format=jsonl&include=seal',
) => new UsageError(`${path} is incomplete: ${why}. Export the records again.`);

/** For a line that the service cannot have written. */
const spoilt = (path: string, number: number, why: string) =>
  new UsageError(
    `${path} cannot be compared: line ${number} ${why}. If a new export has it too, somebody changed the record.`,
  );

async function readLastLine(path: string): Promise<End> {
  const text = await readEnd(path, '--records');
  try {
    const end: unknown = JSON.parse(text.trimEnd().split('\n').at(-1) as string);
    if (isRecordsEnd(end)) return end as End;
  } catch {
    // Half a line.
  }
  throw incomplete(path);
}

/** @throws UsageError if the file cannot be compared with this chain: that is no fault of its records */
function requireSameChain(
  { path }: OpenFile,
  { head }: Verdict & { holds: true },
  difference: ChainDifference | undefined,
): void {
  if (difference === undefined) return;
  const { is, seq } = difference;
  throw new UsageError(
    is === 'newer'
      ? `${path} was exported when the chain had ${seq} rows, but this chain ends at row ${head.seq}. Export the chain after the records.`
      : `${path} belongs to another chain: row ${seq} differs. Export the records and the chain of the same environment.`,
  );
}

async function compareFile(
  file: OpenFile,
  notes: ReturnType<typeof createChainNotes>,
  since: number | undefined,
): Promise<FileReport> {
  const { path, kind, count, headBefore, headAfter, lines: buckets } = file;
  const pages = await addRecords(file);
  const sealed = notesOfPages(pages, notes.pagesOf(kind, headAfter.seq), headBefore.seq);
  if (sealed === undefined)
    throw incomplete(path, 'its pages of records that were sealed later are not those of the chain');
  for (const record of sealed) buckets.add(record.id, lineOfEntry(record));
  const view = { ...notes.view, headBefore: headBefore.seq, headAfter: headAfter.seq };
  const tally = createTally(kind, view, MAX_LISTED);
  const later: LaterChange[] = [];
  let changedLater = 0;
  for (const lines of buckets.all()) {
    for (const [id, history] of byId(lines)) {
      tally.add(id, history, history.states);
      for (const { seq, at, actor } of history.seals.slice(1)) {
        if (since === undefined || seq <= since) continue;
        changedLater += 1;
        if (later.length < MAX_LISTED) later.push({ id, seq, at, actor });
      }
    }
  }
  const window = [headBefore.seq, headAfter.seq] as const;
  return { file: path, kind, records: count, window, ...tally.result(), changedLater, later };
}

const digest = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

/**
 * Adds what the rows of the file say to the seals of their ids, and returns its pages of records that were sealed later, one for each
 * thousand of them. @throws UsageError if the file lacks some
 */
async function addRecords(file: OpenFile): Promise<(SealedPage & { readonly root: string })[]> {
  const { path, kind, count, lines, pages: pageCount = 0 } = file;
  const pages: (SealedPage & { readonly root: string })[] = [];
  let number = 0;
  try {
    for await (const { texts } of readBlocks(createReadStream(path), MAX_LINE_BYTES))
      for (const text of texts) {
        number += 1;
        if (number > count) {
          if (number <= count + pageCount) pages.push(readPage(file, number, text));
          continue;
        }
        const record = readRecord(file, number, text);
        const { n = null, salts = null, T } = record;
        lines.add(record.id, lineOfState(record.id, stateOf(kind, { record, n, salts, T }, digest)));
      }
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw spoilt(path, number + 1, error.message.replace(/^line \d+ /, ''));
  }
  if (number !== count + pageCount + 1) throw wrongCount(file, number - 1);
  return pages;
}

const wrongCount = ({ path, count, pages = 0 }: OpenFile, found: number) =>
  incomplete(
    path,
    `its last line says that it has ${count} records${pages > 0 ? ` and ${pages} pages` : ''}, and it has ${found}`,
  );

/** @throws UsageError unless the line has a page of records that were sealed later */
function readPage({ path, kind }: OpenFile, number: number, text: string) {
  let records: unknown;
  try {
    records = JSON.parse(text)?.sealedLater;
  } catch {
    throw spoilt(path, number, 'is not JSON');
  }
  if (!isPage(records)) throw spoilt(path, number, 'has no page of records');
  return { kind, records, root: pageRoot({ kind, records }, digest) };
}

type Line = SealedRow['record'] & Partial<SealedRow> & { readonly id: string };

/** @throws UsageError unless the line has one record, spelled as the service does */
function readRecord(file: OpenFile, number: number, text: string): Line {
  const { path } = file;
  let record: Line | null;
  try {
    record = JSON.parse(text);
  } catch {
    throw spoilt(path, number, 'is not JSON');
  }
  // A value has one spelling, because two programs could read a repeated name differently.
  if (isWrittenOtherwise(record, text)) throw spoilt(path, number, 'is not written as the service writes it');
  if (isRecordsEnd(record)) throw wrongCount(file, number - 1);
  if (typeof record?.id !== 'string') throw spoilt(path, number, 'has no record');
  return record;
}

function isWrittenOtherwise(record: unknown, text: string): boolean {
  try {
    return JSON.stringify(record) !== text;
  } catch {
    // Too deep to be written, so it has no seal either.
    return false;
  }
}

const PLURALS: Readonly<Record<ExportedKind, string>> = {
  device: 'devices',
  user: 'people',
  verification: 'verifications',
  attendance: 'check-ins',
};

const SENTENCES: Readonly<Record<RecordFault, string>> = {
  record_changed: 'says something else than when it was sealed',
  record_missing: 'is in the chain, and not in the file',
  record_unknown: 'is in the file, and no entry of the chain has sealed it',
  record_resealed: 'can be sealed once, and was sealed again',
  record_undeleted: 'is there although the chain says that it was deleted because of its age',
  salt_missing: 'cannot be checked: the salt of its seal is gone, and nobody was erased',
  seal_missing: 'was written without a seal after the chain said that each record has one',
};

/** What was found in a file, a sentence a line. */
function describeRecords(report: FileReport): string {
  const {
    file,
    kind,
    records,
    sound,
    sealedLater,
    notCovered,
    deleted,
    erased,
    tooNew,
    faults,
    findings,
    window,
  } = report;
  const others = [
    [sealedLater, 'as sealed later by the operator, which does not show what they said before'],
    [notCovered, 'from before there were seals'],
    [erased, 'of erased people'],
    [deleted, 'deleted because of their age'],
    [
      tooNew,
      `not there, because they were made while the file was written (rows ${window[0]} to ${window[1]})`,
    ],
  ] as const;
  const rest = others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [
    ...findings.map(
      ({ id, fault, seq, at, times }) =>
        `${fault}: ${kind} ${id} ${times ? `is in the file ${times} times` : SENTENCES[fault]}${seq === undefined ? '' : ` (row ${seq}, ${at})`}.`,
    ),
    ...(faults > findings.length ? [`… and ${faults - findings.length} more.`] : []),
    ...report.later.map(
      ({ id, seq, at, actor }) =>
        `${kind} ${id} was changed after your head, by ${actor}, at row ${seq} (${at}).`,
    ),
    `${file}: ${[`${records} records`, `${sound} as sealed`, ...rest, `${faults} not as in the chain`].join(', ')}.`,
  ].join('\n');
}
