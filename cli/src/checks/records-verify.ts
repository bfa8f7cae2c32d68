import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AuditEvent, SignedHead } from '@svc/sdk';
import { createChainNotes, type NotedRecord } from '@svc/zk/records/chain-notes';
import {
  type ChainDifference,
  createHeadCheck,
  createTally,
  isRecordsEnd,
  type RecordsEnd,
  type Tally,
} from '@svc/zk/records/compare';
import { type RecordFault, type SealedRow, stateOf } from '@svc/zk/records/judge';
import type { SealedKind } from '@svc/zk/records/kinds';
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
  readonly kind: SealedKind;
  readonly records: number;
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
    const reports = verdict.holds ? await records.compare(verdict, since?.head.seq) : [];
    return { verdict, text: [text, ...reports.map(describeRecords)].join('\n'), records: reports };
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
  const notes = createChainNotes();
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

const incomplete = (path: string) =>
  new UsageError(
    `${path} is incomplete: its last line is not that of an export with format=jsonl&include=seal. Export the records again.`,
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
  await addRecords(file);
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
  return { file: path, kind, records: count, ...tally.result(), changedLater, later };
}

const digest = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

/** Adds what the rows of the file say to the seals of their ids. @throws UsageError if the file lacks some */
async function addRecords({ path, kind, count, lines }: OpenFile): Promise<void> {
  let number = 0;
  try {
    for await (const { texts } of readBlocks(createReadStream(path), MAX_LINE_BYTES))
      for (const text of texts) {
        number += 1;
        if (number > count) continue;
        const record = JSON.parse(text) as (SealedRow['record'] & Partial<SealedRow>) | null;
        if (typeof record?.id !== 'string') throw incomplete(path);
        const { n = null, salts = null, T } = record;
        lines.add(record.id, lineOfState(record.id, stateOf(kind, { record, n, salts, T }, digest)));
      }
  } catch (error) {
    if (error instanceof LineError || error instanceof SyntaxError) throw incomplete(path);
    throw error;
  }
  if (number !== count + 1) throw incomplete(path);
}

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
  const { file, kind, records, sound, notCovered, deleted, erased, faults, findings } = report;
  const others = [
    [notCovered, 'from before there were seals'],
    [erased, 'of erased people'],
    [deleted, 'deleted because of their age'],
  ] as const;
  const rest = others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [
    ...findings.map(
      ({ id, fault, seq, at }) =>
        `${fault}: ${kind} ${id} ${SENTENCES[fault]}${seq === undefined ? '' : ` (row ${seq}, ${at})`}.`,
    ),
    ...(faults > findings.length ? [`… and ${faults - findings.length} more.`] : []),
    ...report.later.map(
      ({ id, seq, at, actor }) =>
        `${kind} ${id} was changed after your head, by ${actor}, at row ${seq} (${at}).`,
    ),
    `${file}: ${[`${records} records`, `${sound} as sealed`, ...rest, `${faults} not as in the chain`].join(', ')}.`,
  ].join('\n');
}
