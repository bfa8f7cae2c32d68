import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { AUDIT_HEAD, tagOf } from '@svc/chain/leaves';
import { genesisHash } from '@svc/server/ledger/audit-chain';
import { UsageError } from '../failure.js';
import { leadsToRoot, readAnchor, type ShownAnchor, seqOf, toAnchor } from './anchor.js';
import { checkAnchor, describeBlock, type RootSource } from './anchor-check.js';
import { createChainCheck, isSigned, type ShownEvent, type ShownHead } from './audit-check.js';
import { LineError, readLines } from './lines.js';

/** Rows of ours are far below: metadata holds identifiers. */
const LONGEST_LINE_BYTES = 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/** A head that was kept from an earlier export or answer. */
export interface KeptHead {
  readonly environment: 'live' | 'test' | undefined;
  readonly head: ShownHead;
}

export type Verdict =
  | {
      readonly holds: true;
      readonly environment: string;
      readonly head: ShownHead;
      readonly notes: string[];
    }
  | { readonly holds: false; readonly fault: string };

const broken = (fault: string): Verdict => ({ holds: false, fault });

function isHead(value: unknown): value is ShownHead {
  const head = value as ShownHead | null;
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
function toKeptHead(value: unknown): KeptHead | undefined {
  const { environment, head = value } = (value ?? {}) as { environment?: unknown; head?: unknown };
  if (!isHead(head)) return undefined;
  return { environment: environment === 'live' || environment === 'test' ? environment : undefined, head };
}

function parseHead(text: string): KeptHead | undefined {
  try {
    return toKeptHead(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * A kept head: JSON as text, a file of JSON, or an earlier export, whose last line it is.
 * @throws UsageError when it is none of them, or when its own signature is wrong
 */
export async function readKeptHead(source: string): Promise<KeptHead> {
  const text = source.trimStart().startsWith('{') ? source : await readEnd(source);
  const kept = parseHead(text) ?? parseHead(text.trimEnd().split('\n').at(-1) as string);
  if (kept === undefined)
    throw new UsageError('--since holds no head: give one as JSON, or an earlier export.');
  const { environment, head } = kept;
  if (environment !== undefined && head.publicKey !== null && !isSigned(head, environment))
    throw new UsageError('--since is no head of the service: its own signature is wrong.');
  return kept;
}

/** The last part of a file; all of it when it is small. */
async function readEnd(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= LONGEST_LINE_BYTES) return await readFile(path, 'utf8');
    const file = await open(path);
    try {
      const { buffer } = await file.read(
        Buffer.alloc(LONGEST_LINE_BYTES),
        0,
        LONGEST_LINE_BYTES,
        size - LONGEST_LINE_BYTES,
      );
      return buffer.toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new UsageError(`--since cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Checks an export offline and in constant memory: every row, the head, its signature, and, with a head kept earlier,
 * that the chain extends it, and with an anchor, that it is of a row of this chain. Answers the first thing that does not hold.
 */
export async function verifyExport(
  bytes: AsyncIterable<Buffer>,
  since?: KeptHead,
  anchor?: ShownAnchor,
): Promise<Verdict> {
  const check = createChainCheck();
  let end: { environment: 'live' | 'test'; head: ShownHead } | undefined;
  let hashAtKept: string | undefined;
  const anchored = anchor && { seq: seqOf(anchor), hash: anchor.leaf.second.slice(2) };
  try {
    for await (const { number, text } of readLines(bytes, LONGEST_LINE_BYTES)) {
      if (end !== undefined) return broken(`line ${number} comes after the head`);
      const line = readLine(text);
      if (typeof line === 'string') return broken(`line ${number} ${line}`);
      if ('head' in line) {
        end = line;
        continue;
      }
      const fault = check.row(line);
      if (fault !== undefined) return broken(`line ${number}: ${fault}`);
      if (line.seq === since?.head.seq) hashAtKept = line.hash;
      if (line.seq === anchored?.seq && line.hash !== anchored.hash)
        return broken(`line ${number}: row ${line.seq} is another one than was anchored`);
    }
  } catch (error) {
    if (error instanceof LineError) return broken(error.message);
    throw error;
  }
  if (end === undefined) return broken('the file ends without a head: it was cut off');
  const { environment, head } = withKeyOf(end, since);
  if (head.publicKey === null)
    return broken('the head’s signature cannot be checked: the service no longer publishes its key');
  const fault =
    check.end(head, environment) ??
    (since && checkExtends(end, since, hashAtKept)) ??
    (anchor && checkHolds(end, anchor));
  return fault === undefined
    ? { holds: true, environment, head, notes: notesOn(head, since) }
    : broken(fault);
}

/** A row or the head; a sentence for what is neither. */
function readLine(text: string): ShownEvent | { environment: 'live' | 'test'; head: ShownHead } | string {
  let value: unknown;
  let again: string;
  try {
    value = JSON.parse(text);
    again = JSON.stringify(value);
  } catch {
    return 'is not JSON';
  }
  // One value has one spelling: a name given twice would be read in two ways by two programs.
  if (again !== text) return 'is not written as the service writes it';
  if (typeof value !== 'object' || value === null) return 'is no row and no head';
  if ('head' in value) {
    const { environment, head } = toKeptHead(value) ?? {};
    return environment && head ? { environment, head } : 'is not a signed head';
  }
  const { id, seq, createdAt, prevHash, hash } = value as ShownEvent;
  const isRow =
    typeof id === 'string' &&
    Number.isSafeInteger(seq) &&
    typeof createdAt === 'string' &&
    HASH.test(prevHash) &&
    HASH.test(hash);
  return isRow ? (value as ShownEvent) : 'is no row and no head';
}

type End = { environment: 'live' | 'test'; head: ShownHead };

/** A key that the service has given up since is still known from the kept head that it signed. */
function withKeyOf(end: End, since: KeptHead | undefined): End {
  const known = since !== undefined && since.head.keyId === end.head.keyId ? since.head.publicKey : null;
  return { ...end, head: { ...end.head, publicKey: end.head.publicKey ?? known } };
}

function checkExtends(
  { environment, head }: End,
  since: KeptHead,
  hashAtKept: string | undefined,
): string | undefined {
  const kept = since.head;
  if (kept.tenantId !== head.tenantId || (since.environment ?? environment) !== environment)
    return 'the kept head is of another chain';
  if (kept.seq > head.seq)
    return `the chain ends at row ${head.seq}, and the kept head is at row ${kept.seq}: rows were removed`;
  const found = kept.seq === 0 ? genesisHash(head.tenantId, environment) : hashAtKept;
  if (found !== kept.hash)
    return `the chain was rewritten at or before row ${kept.seq}, which the kept head names`;
  const sameKey = kept.keyId !== undefined && kept.keyId === head.keyId;
  if (sameKey && kept.publicKey !== null && head.publicKey !== null && kept.publicKey !== head.publicKey)
    return 'the head is signed with another key than the kept head under the same name';
  return undefined;
}

/** The row itself was compared when it went by. */
function checkHolds({ environment, head }: End, anchor: ShownAnchor): string | undefined {
  if (anchor.leaf.kind !== AUDIT_HEAD || anchor.leaf.tag !== `0x${tagOf(head.tenantId, environment)}`)
    return 'the anchor is of another chain';
  return seqOf(anchor) > head.seq
    ? `the chain ends at row ${head.seq}, and row ${seqOf(anchor)} was anchored: rows were removed`
    : undefined;
}

function notesOn(head: ShownHead, since: KeptHead | undefined): string[] {
  if (since === undefined) return [];
  const notes = [`It extends the kept head at row ${since.head.seq}.`];
  if (since.head.keyId !== head.keyId)
    notes.push('The signing key is another one than the kept head’s: it was changed.');
  return notes;
}

export interface VerifyOptions extends RootSource {
  readonly since?: string | undefined;
  /** A proof that was kept; without it the one on the export's last line is taken. */
  readonly anchor?: string | undefined;
  readonly contract?: string | undefined;
}

/** What `svc audit verify` answers. */
export async function auditVerify(
  file: string,
  options: VerifyOptions = {},
): Promise<{ verdict: Verdict; text: string }> {
  const since = options.since === undefined ? undefined : await readKeptHead(options.since);
  const anchor = options.anchor === undefined ? await lastAnchor(file) : await readAnchor(options.anchor);
  if (options.anchor !== undefined && anchor?.leaf.kind !== AUDIT_HEAD)
    throw new UsageError(
      `${options.anchor} is the proof of an identity, and one of an audit head is needed: \`svc anchors prove\` without --did.`,
    );
  const bytes: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  try {
    const offline = await verifyExport(bytes, since, anchor);
    const verdict = await withChain(offline, anchor, options, file);
    return { verdict, text: describe(verdict) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The proof on the last line of a file. Standard input shows it when its row has gone by. */
async function lastAnchor(file: string): Promise<ShownAnchor | undefined> {
  if (file === '-') return undefined;
  const text = await readEnd(file).catch(() => '');
  try {
    return toAnchor(JSON.parse(text.trimEnd().split('\n').at(-1) as string));
  } catch {
    return undefined;
  }
}

/** Adds what the chain says of the anchor, where one was named. */
async function withChain(
  verdict: Verdict,
  anchor: ShownAnchor | undefined,
  { rpcUrl, block, contract }: VerifyOptions,
  file: string,
): Promise<Verdict> {
  if (!verdict.holds) return verdict;
  const isAsked = rpcUrl !== undefined || block !== undefined;
  if (anchor === undefined) {
    if (!isAsked) return verdict;
    throw new UsageError(
      file === '-'
        ? 'Standard input does not show its anchored row in time: name a file, or a proof with --anchor.'
        : `No row of ${file} was anchored when it was exported. Heads are anchored every ten minutes: export it again later, or name a proof with --anchor.`,
    );
  }
  const place = `Row ${seqOf(anchor)} is in batch ${anchor.batchId} of the contract ${anchor.contract}`;
  if (!isAsked) {
    const note = `${place} on chain ${anchor.chainId}, as it says. Compare that with --rpc-url or --block.`;
    return leadsToRoot(anchor)
      ? { ...verdict, notes: [...verdict.notes, note] }
      : broken('the anchor does not lead to the root that it names');
  }
  const found = await checkAnchor(anchor, { rpcUrl, block }, contract);
  if (!found.holds) return broken(`the anchor of row ${seqOf(anchor)}: ${found.fault}`);
  return { ...verdict, notes: [...verdict.notes, `${place}.`, `${describeBlock(found.block)}.`] };
}

function describe(verdict: Verdict): string {
  if (!verdict.holds) return `The chain does not hold: ${verdict.fault}.`;
  const { environment, head, notes } = verdict;
  return [
    `The chain holds: ${head.seq} rows of tenant ${head.tenantId} (${environment}), up to ${head.at}.`,
    `Signed with key ${head.keyId ?? '(unnamed)'}, ${head.publicKey}.`,
    ...notes,
  ].join('\n');
}
