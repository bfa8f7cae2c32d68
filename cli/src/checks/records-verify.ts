import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AuditEvent, SignedHead } from '@svc/sdk';
import { createChainNotes, type NotedRecord } from '@svc/zk/records/chain-notes';
import { judgeRecord, type RecordFault, type SealedRow, stateOf } from '@svc/zk/records/judge';
import { SEALED_KINDS, type SealedKind } from '@svc/zk/records/kinds';
import { UsageError } from '../failure.js';
import { auditVerify, readEnd, readSavedHead, type Verdict, type VerifyOptions } from './audit-verify.js';
import { type Buckets, openBuckets } from './buckets.js';
import { LineError, readBlocks } from './lines.js';
import { byId, lineOfEntry, lineOfName, lineOfState } from './record-lines.js';

/** A record has 16 KiB of metadata, and texts. */
const MAX_LINE_BYTES = 256 * 1024;
/** Findings that are listed for each file. All are counted. */
const MAX_LISTED = 1_000;

export interface Finding {
  readonly id: string;
  readonly fault: RecordFault;
  /** The entry of the chain that the record differs from. */
  readonly seq?: number;
  readonly at?: string;
}

/** A device or person that was changed after the head that was kept. */
export interface LaterChange {
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
}

export interface FileReport {
  readonly file: string;
  readonly kind: SealedKind;
  readonly records: number;
  readonly sound: number;
  /** Without a seal, because they were last written before there were seals. */
  readonly notCovered: number;
  /** Not in the file, because of their age. */
  readonly deleted: number;
  readonly erased: number;
  readonly faults: number;
  /** The first of them. */
  readonly findings: readonly Finding[];
  readonly changedLater: number;
  readonly later: readonly LaterChange[];
}

interface End {
  readonly kind: SealedKind;
  readonly count: number;
  readonly headBefore: SignedHead;
  readonly headAfter: SignedHead;
}

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
  const heads = new Map(
    files.flatMap(({ headBefore, headAfter }) => [
      [headBefore.seq, ''],
      [headAfter.seq, ''],
    ]),
  );
  return {
    note(event: AuditEvent): void {
      if (heads.has(event.seq)) heads.set(event.seq, event.hash);
      if (event.seq === 1 && heads.has(0)) heads.set(0, event.prevHash);
      for (const record of notes.read(event))
        for (const file of files)
          if (file.kind === record.kind && record.seq <= file.headAfter.seq) addRecord(file, record);
    },
    async compare(verdict: Verdict & { holds: true }, since: number | undefined): Promise<FileReport[]> {
      for (const file of files) requireSameChain(file, verdict, heads);
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
  let end: End;
  try {
    end = JSON.parse(text.trimEnd().split('\n').at(-1) as string) as End;
  } catch {
    throw incomplete(path);
  }
  const isHead = (head: unknown) => Number.isSafeInteger((head as SignedHead | undefined)?.seq);
  if (!SEALED_KINDS.includes(end?.kind) || !isHead(end.headBefore) || !isHead(end.headAfter))
    throw incomplete(path);
  return end;
}

/** @throws UsageError if the file cannot be compared with this chain: that is no fault of its records */
function requireSameChain(
  { path, headBefore, headAfter }: OpenFile,
  { head }: Verdict & { holds: true },
  hashes: ReadonlyMap<number, string>,
): void {
  if (headAfter.seq > head.seq)
    throw new UsageError(
      `${path} was exported when the chain had ${headAfter.seq} rows, but this chain ends at row ${head.seq}. Export the chain after the records.`,
    );
  // The hash of a row of this chain, which was checked, says more than a signature.
  for (const { seq, hash: kept, tenantId } of [headBefore, headAfter])
    if (tenantId !== head.tenantId || (seq === head.seq ? head.hash : hashes.get(seq)) !== kept)
      throw new UsageError(
        `${path} belongs to another chain: row ${seq} differs. Export the records and the chain of the same environment.`,
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
  const counts = { sound: 0, not_covered: 0, deleted: 0, erased: 0 };
  const findings: Finding[] = [];
  const later: LaterChange[] = [];
  let faults = 0;
  let changedLater = 0;
  for (const lines of buckets.all()) {
    for (const [id, history] of byId(lines)) {
      const [state, again] = history.states;
      const judged = again
        ? ({ is: 'record_unknown' } as const)
        : judgeRecord({ kind, id }, history, state, view);
      if (judged.is in counts) counts[judged.is as keyof typeof counts] += 1;
      else {
        faults += 1;
        const { is: fault, ...entry } = judged as { is: RecordFault; seq?: number; at?: string };
        if (findings.length < MAX_LISTED) findings.push({ id, fault, ...entry });
      }
      for (const { seq, at, actor } of history.seals.slice(1)) {
        if (since === undefined || seq <= since) continue;
        changedLater += 1;
        if (later.length < MAX_LISTED) later.push({ id, seq, at, actor });
      }
    }
  }
  return {
    ...{ file: path, kind, records: count, sound: counts.sound, notCovered: counts.not_covered },
    ...{ deleted: counts.deleted, erased: counts.erased, faults, findings, changedLater, later },
  };
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
