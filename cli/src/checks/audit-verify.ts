import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { AUDIT_HEAD, tagOf } from '@svc/chain/leaves';
import {
  type AuditEvent,
  type AuditExportEnd,
  type AuditVerdict,
  type SignedHead,
  verifyAuditChain,
  verifySignedHead,
} from '@svc/sdk';
import { UsageError } from '../failure.js';
import { leadsToRoot, readAnchor, type ShownAnchor, seqOf, toAnchor } from './anchor.js';
import { checkAnchor, describeBlock, type RootSource } from './anchor-check.js';
import { LineError, readBlocks } from './lines.js';

/** Far more than a row needs, because metadata contains only identifiers. */
const MAX_LINE_BYTES = 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/** A head saved from an earlier export or response. */
export interface SavedHead {
  readonly environment: 'live' | 'test' | undefined;
  readonly head: SignedHead;
}

export type Verdict =
  | {
      readonly holds: true;
      readonly environment: string;
      readonly head: SignedHead;
      readonly notes: string[];
    }
  | { readonly holds: false; readonly fault: string; readonly restored?: RestoredAt };

/** The event that says that the database was restored from a backup. */
export interface RestoredAt {
  /** The number of the event. */
  readonly row: number;
  readonly at: string;
  /** The last event of the backup. Those after it, up to the saved head, are lost. */
  readonly seq: number;
}

const broken = (fault: string): Verdict => ({ holds: false, fault });

function isHead(value: unknown): value is SignedHead {
  const head = value as SignedHead | null;
  return (
    typeof head === 'object' &&
    head !== null &&
    typeof head.tenantId === 'string' &&
    Number.isSafeInteger(head.seq) &&
    HASH.test(String(head.hash)) &&
    !Number.isNaN(Date.parse(head.at)) &&
    (head.publicKey === null || HASH.test(head.publicKey)) &&
    /^[0-9a-f]{128}$/.test(head.signature)
  );
}

/** The export's last line, the reply of GET /v1/audit, or a head alone. */
export function toSavedHead(value: unknown): SavedHead | undefined {
  const { environment, head = value } = (value ?? {}) as { environment?: unknown; head?: unknown };
  if (!isHead(head)) return undefined;
  return { environment: environment === 'live' || environment === 'test' ? environment : undefined, head };
}

function parseHead(text: string): SavedHead | undefined {
  try {
    return toSavedHead(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * A saved head: JSON as text, a file of JSON, or the last line of an earlier export.
 * @throws UsageError for anything else, and for a wrong signature
 */
export async function readSavedHead(source: string): Promise<SavedHead> {
  const text = source.trimStart().startsWith('{') ? source : await readEnd(source);
  const kept = parseHead(text) ?? parseHead(text.trimEnd().split('\n').at(-1) as string);
  if (kept === undefined)
    throw new UsageError(
      '--since contains no head. Pass a head as JSON, a file with one, or an earlier export.',
    );
  const { environment, head } = kept;
  const signature =
    environment === undefined || head.publicKey === null
      ? 'unchecked'
      : await verifySignedHead(head, environment);
  if (signature === 'wrong')
    throw new UsageError(
      '--since is not a head of the service, because its signature is wrong. Pass an unchanged head.',
    );
  return kept;
}

/** The last part of a file; a small file as a whole. @throws UsageError that names the option */
export async function readEnd(path: string, option = '--since'): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_LINE_BYTES) return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
    const file = await open(path);
    try {
      const { buffer } = await file.read(
        Buffer.alloc(MAX_LINE_BYTES),
        0,
        MAX_LINE_BYTES,
        size - MAX_LINE_BYTES,
      );
      return buffer.toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new UsageError(`${option} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Checks an export offline and in constant memory: every row, the head and its signature. With a saved head, also that
 * the chain extends it; with an anchor, also that it is of a row of this chain. Returns the first fault.
 */
export async function verifyExport(
  bytes: AsyncIterable<Buffer>,
  since?: SavedHead,
  anchor?: ShownAnchor,
  note: (row: AuditEvent) => void = () => {},
): Promise<Verdict> {
  const reader = new ExportReader(bytes, since, anchor, note);
  const verdict = await verifyAuditChain(reader.rows());
  const { end } = reader;
  if (!verdict.holds) return broken(reader.fault(verdict));
  const differs = since && checkExtends(end as End, since, reader.hashAtSaved);
  if (differs?.isOfChain && reader.restored !== undefined)
    return { holds: false, fault: differs.fault, restored: reader.restored };
  const fault = differs?.fault ?? (anchor && checkAnchored(end as End, anchor));
  return fault === undefined
    ? {
        holds: true,
        environment: (end as End).environment,
        head: verdict.head,
        notes: notesOn(verdict.head, since),
      }
    : broken(fault);
}

type Row = AuditEvent | AuditExportEnd;
type Broken = Extract<AuditVerdict, { holds: false }>;
type End = Pick<AuditExportEnd, 'environment' | 'head'>;

/** Reads an export line by line, and remembers what only the lines show. */
class ExportReader {
  end: End | undefined;
  /** The hash of the row that the saved head names. */
  hashAtSaved: string | undefined;
  /** The last restore to a time at or before that row. */
  restored: RestoredAt | undefined;
  /** The first line that can't be part of a chain. The rows before it are still checked. */
  #problem: string | undefined;
  #lastRow: AuditEvent | undefined;
  readonly #bytes: AsyncIterable<Buffer>;
  readonly #since: SavedHead | undefined;
  readonly #anchored: { readonly seq: number; readonly hash: string } | undefined;
  readonly #each: (row: AuditEvent) => void;

  constructor(
    bytes: AsyncIterable<Buffer>,
    since: SavedHead | undefined,
    anchor: ShownAnchor | undefined,
    each: (row: AuditEvent) => void,
  ) {
    this.#each = each;
    this.#bytes = bytes;
    this.#since = since;
    this.#anchored = anchor && { seq: seqOf(anchor), hash: anchor.leaf.second.slice(2) };
  }

  /** Ends without a head at the first problem. The head comes last, when nothing follows it. */
  async *rows(): AsyncGenerator<Row> {
    try {
      for await (const { first, texts } of readBlocks(this.#bytes, MAX_LINE_BYTES))
        for (const [at, text] of texts.entries()) {
          const number = first + at;
          const line = readLine(text);
          if (this.end !== undefined) this.#problem = `line ${number} comes after the head`;
          else if (typeof line === 'string') this.#problem = `line ${number} ${line}`;
          else if ('head' in line) this.end = withKeyOf(line, this.#since);
          else {
            yield line;
            this.#note(line, number);
            this.#each(line);
          }
          if (this.#problem !== undefined) return;
        }
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      this.#problem = error.message;
      return;
    }
    if (this.end !== undefined) yield this.end;
  }

  #note(row: AuditEvent, line: number): void {
    this.#lastRow = row;
    const saved = this.#since?.head.seq;
    if (row.seq === saved) this.hashAtSaved = row.hash;
    if (row.seq === 1 && saved === 0) this.hashAtSaved = row.prevHash;
    // It names the head that it follows.
    const names = row.metadata?.seq === row.seq - 1 && row.metadata.hash === row.prevHash;
    if (row.action === 'chain.restored' && names && this.#mayHaveLost(row))
      this.restored = { row: row.seq, at: row.createdAt, seq: row.seq - 1 };
    if (row.seq === this.#anchored?.seq && row.hash !== this.#anchored.hash)
      this.#problem = `line ${line}: row ${row.seq} is not the row that was anchored`;
  }

  /** Whether a restore came after the saved head was signed, and to a row before it. */
  #mayHaveLost({ seq, createdAt }: AuditEvent): boolean {
    const saved = this.#since?.head;
    return saved !== undefined && seq - 1 <= saved.seq && Date.parse(createdAt) >= Date.parse(saved.at);
  }

  /** The fault in a sentence. Row n is on line n if all rows before it are valid. */
  fault({ fault, row, rows }: Broken): string {
    if (row !== undefined) {
      const text = {
        row_missing: `has sequence ${row.seq}, not ${rows + 1}`,
        link_broken: `does not follow ${rows === 0 ? 'the start of this chain' : 'the row before it'}`,
        hash_wrong: 'was altered',
        time_decreases: 'is older than the row before it',
      }[fault as string];
      return `line ${rows + 1}: row ${row.id} ${text ?? fault}`;
    }
    switch (fault) {
      case 'head_missing':
        return this.#problem ?? 'the file ends without a head: it was cut off';
      case 'head_differs':
        return this.#lastRow?.hash === this.end?.head.hash && this.#lastRow?.seq === this.end?.head.seq
          ? 'the head does not have the last row’s time'
          : 'the head does not match the last row';
      default:
        return this.end?.head.publicKey === null
          ? 'the head’s signature cannot be checked: the service no longer publishes its key'
          : 'the head’s signature is wrong';
    }
  }
}

/** The rows of an export and its head. Ends at the first line that can't be one of them. */
export const rowsOf = (bytes: AsyncIterable<Buffer>): AsyncGenerator<Row> =>
  new ExportReader(bytes, undefined, undefined, () => {}).rows();

/** A row or the head; a sentence for any other line. */
function readLine(text: string): Row | string {
  let value: unknown;
  let again: string;
  try {
    value = JSON.parse(text);
    again = JSON.stringify(value);
  } catch {
    return 'is not JSON';
  }
  // A value has one spelling, because two programs could read a repeated name differently.
  if (again !== text) return 'is not written as the service writes it';
  if (typeof value !== 'object' || value === null) return 'is neither a row nor a head';
  if ('head' in value) {
    const { environment, head } = toSavedHead(value) ?? {};
    return environment && head ? { environment, head } : 'is not a signed head';
  }
  const { id, seq, createdAt, prevHash, hash } = value as AuditEvent;
  const isRow =
    typeof id === 'string' &&
    Number.isSafeInteger(seq) &&
    typeof createdAt === 'string' &&
    HASH.test(prevHash) &&
    HASH.test(hash);
  return isRow ? (value as AuditEvent) : 'is neither a row nor a head';
}

/** If the service no longer publishes the key, the saved head that it signed still names it. */
function withKeyOf({ environment, head }: End, since: SavedHead | undefined): End {
  const known = since !== undefined && since.head.keyId === head.keyId ? since.head.publicKey : null;
  return { environment, head: { ...head, publicKey: head.publicKey ?? known } };
}

function checkExtends(
  { environment, head }: End,
  since: SavedHead,
  hashAtSaved: string | undefined,
): { readonly fault: string; readonly isOfChain: boolean } | undefined {
  const saved = since.head;
  if (saved.tenantId !== head.tenantId || (since.environment ?? environment) !== environment)
    return { fault: 'the saved head belongs to another chain', isOfChain: false };
  if (saved.seq > head.seq) {
    const fault = `the chain ends at row ${head.seq}, but the saved head is at row ${saved.seq}: rows were removed`;
    return { fault, isOfChain: true };
  }
  // An empty chain's head has the hash that the first row follows.
  if ((head.seq === 0 ? head.hash : hashAtSaved) !== saved.hash) {
    const fault = `the chain was rewritten at or before row ${saved.seq}, which the saved head names`;
    return { fault, isOfChain: true };
  }
  const isSameKey = saved.keyId !== undefined && saved.keyId === head.keyId;
  if (isSameKey && saved.publicKey !== null && saved.publicKey !== head.publicKey) {
    const fault = 'the head and the saved head have the same key id, but different keys';
    return { fault, isOfChain: false };
  }
  return undefined;
}

/** The row itself was compared when it was read. */
function checkAnchored({ environment, head }: End, anchor: ShownAnchor): string | undefined {
  if (anchor.leaf.kind !== AUDIT_HEAD || anchor.leaf.tag !== `0x${tagOf(head.tenantId, environment)}`)
    return 'the anchor belongs to another chain';
  return seqOf(anchor) > head.seq
    ? `the chain ends at row ${head.seq}, but row ${seqOf(anchor)} was anchored: rows were removed`
    : undefined;
}

function notesOn(head: SignedHead, since: SavedHead | undefined): string[] {
  if (since === undefined) return [];
  const notes = [`It extends the saved head at row ${since.head.seq}.`];
  if (since.head.keyId !== head.keyId) notes.push('The signing key has changed since the saved head.');
  return notes;
}

export interface VerifyOptions extends RootSource {
  readonly since?: string | undefined;
  /** A file with a saved proof. Default: the proof on the export's last line. */
  readonly anchor?: string | undefined;
  readonly contract?: string | undefined;
}

/** What `svc audit verify` prints. `note` gets each row. */
export async function auditVerify(
  file: string,
  options: VerifyOptions = {},
  note?: (row: AuditEvent) => void,
): Promise<{ verdict: Verdict; text: string }> {
  const since = options.since === undefined ? undefined : await readSavedHead(options.since);
  const anchor = options.anchor === undefined ? await lastAnchor(file) : await readAnchor(options.anchor);
  if (options.anchor !== undefined && anchor?.leaf.kind !== AUDIT_HEAD)
    throw new UsageError(
      `${options.anchor} is the proof of an identity, but the proof of an audit head is needed. Fetch it with \`svc anchors prove\` without --did.`,
    );
  const bytes: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  try {
    const offline = await verifyExport(bytes, since, anchor, note);
    const verdict = await withChain(offline, anchor, options, file);
    return { verdict, text: describe(verdict) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The proof on the last line of a file. On standard input it comes after its row, which is too late. */
async function lastAnchor(file: string): Promise<ShownAnchor | undefined> {
  if (file === '-') return undefined;
  const text = await readEnd(file).catch(() => '');
  try {
    return toAnchor(JSON.parse(text.trimEnd().split('\n').at(-1) as string));
  } catch {
    return undefined;
  }
}

/** Compares the anchor with the blockchain, if one was named. */
async function withChain(
  verdict: Verdict,
  anchor: ShownAnchor | undefined,
  { rpcUrl, block, contract }: VerifyOptions,
  file: string,
): Promise<Verdict> {
  if (!verdict.holds) return verdict;
  const comparesChain = rpcUrl !== undefined || block !== undefined;
  if (anchor === undefined) {
    if (!comparesChain) return verdict;
    throw new UsageError(
      file === '-'
        ? 'Standard input has the anchor only after its row, which is too late to compare them. Name a file, or pass a proof with --anchor.'
        : `No row of ${file} was anchored when it was exported. Heads are anchored every ten minutes. Export the chain again later, or pass a proof with --anchor.`,
    );
  }
  const place = `Row ${seqOf(anchor)} is in batch ${anchor.batchId} of the contract ${anchor.contract}`;
  if (!comparesChain) {
    const note = `${place} on chain ${anchor.chainId}, according to the proof. Check that with --rpc-url or --block.`;
    return leadsToRoot(anchor)
      ? { ...verdict, notes: [...verdict.notes, note] }
      : broken('the anchor does not lead to its root');
  }
  const found = await checkAnchor(anchor, { rpcUrl, block }, contract);
  if (!found.holds) return broken(`the anchor of row ${seqOf(anchor)}: ${found.fault}`);
  return { ...verdict, notes: [...verdict.notes, `${place}.`, `${describeBlock(found.block)}.`] };
}

function describe(verdict: Verdict): string {
  if (!verdict.holds && verdict.restored !== undefined) {
    const { row, at, seq } = verdict.restored;
    return [
      `The chain is restored: it does not extend the saved head, because the database was restored from a backup (row ${row}, ${at}).`,
      `The backup ended at row ${seq}. The rows after it that the saved head knows are lost. All other rows and the signature are valid.`,
      'Whether there was a restore, only the operator of the service can say.',
    ].join('\n');
  }
  if (!verdict.holds) return `The chain is not valid: ${verdict.fault}.`;
  const { environment, head, notes } = verdict;
  return [
    `The chain is valid: ${head.seq} rows of tenant ${head.tenantId} (${environment}), up to ${head.at}.`,
    `Signed with key ${head.keyId ?? '(unnamed)'}, ${head.publicKey}.`,
    ...notes,
  ].join('\n');
}
