import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type ReceiptCheckOptions,
  type ReceiptVerdict,
  type TreeHead,
  verifyReceipt,
} from '@svc/sdk/receipts';
import { UsageError } from '../failure.js';
import { framedText } from '../statement.js';
import { plain } from '../terminal.js';
import { readEnd, rowsOf, toSavedHead } from './audit-verify.js';

/** One byte more than a receipt may have, so that a longer file fails the check. */
const MAX_BYTES = 256 * 1024 + 1;

export interface ReceiptVerifyOptions {
  readonly audit?: string | undefined;
  readonly head?: string | undefined;
  readonly key?: readonly string[] | undefined;
  readonly acceptOperatorEnrolment?: boolean | undefined;
  readonly allowDevelopmentKeys?: boolean | undefined;
}

/** What `svc receipt verify` prints: a sentence a line, or the code of the fault. @throws UsageError for files that can't be read */
export async function receiptVerify(
  file: string,
  { audit, head, key = [], ...allowed }: ReceiptVerifyOptions = {},
): Promise<{ verdict: ReceiptVerdict; text: string }> {
  const options: ReceiptCheckOptions = {
    ...allowed,
    ...(head !== undefined && { head: await readHead(head) }),
    ...(audit !== undefined && { rows: exported(audit) }),
    keys: Object.fromEntries(key.map(readKey)),
  };
  try {
    const verdict = await verifyReceipt(await readStart(file), options);
    return { verdict, text: describe(verdict) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`A file cannot be read: ${(error as Error).message}`);
  }
}

/** Opens the file when the rows are needed: a receipt with an earlier fault does not need them. */
async function* exported(path: string): ReturnType<typeof rowsOf> {
  yield* rowsOf(createReadStream(path));
}

const UNCHECKED = 'No rows show whether an identity was revoked before. Pass an export with --audit.';

/** What was asked for, and a sentence a line about what was found. The same as `examples/verify_receipt.py`. */
function describe(verdict: ReceiptVerdict): string {
  if (!verdict.ok) return `${verdict.code}: ${verdict.message}`;
  const { code, statement, checked, notChecked, restsOn } = verdict;
  const { company, approvalId, tenantId, environment } = statement;
  return [
    `${plain(company)} asked for this, with the approval ${approvalId} of the account ${tenantId} (${environment}):`,
    ...framedText(statement),
    ...[...checked, ...notChecked, ...restsOn],
    ...(code === 'valid' ? [] : [`${code}: ${UNCHECKED}`]),
  ].join('\n');
}

async function readStart(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(MAX_BYTES);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, MAX_BYTES - length);
      length += bytesRead;
      if (bytesRead === 0) return buffer.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

function readKey(text: string): [string, string] {
  const [keyId = '', publicKey = ''] = text.split('=');
  if (keyId === '' || !/^[0-9a-f]{64}$/.test(publicKey))
    throw new UsageError('--key must be KEYID=KEY, with the 64 lower-case hex digits of a public key.');
  return [keyId, publicKey];
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Kept = NonNullable<ReceiptCheckOptions['head']>;

/** A head of the chain as `--since` of `svc audit verify` takes it, or a tree: alone, of `GET /v1/audit/proof`, or of an earlier receipt. */
async function readHead(source: string): Promise<Kept> {
  const text = source.trimStart().startsWith('{') ? source : await readEnd(source, '--head');
  const value = parse(text) ?? parse(text.trimEnd().split('\n').at(-1) as string);
  const kept = treeOf(value) ?? toSavedHead(value)?.head;
  if (kept === undefined)
    throw new UsageError(
      '--head contains no head. Pass a tree or a head as JSON, a file with one, an earlier receipt or an earlier export.',
    );
  return kept;
}

interface WithTree {
  readonly tree?: object | null;
  /** Of `GET /v1/audit/proof`, and of a receipt. */
  readonly publicKey?: string | null;
  readonly head?: { readonly keyId?: string; readonly publicKey?: string | null };
}

/** With the key that stands beside it. */
function treeOf(value: unknown): Kept | undefined {
  const { tree, publicKey, head } = (value ?? {}) as WithTree;
  const kept = (tree ?? value) as Partial<TreeHead> | undefined;
  if (kept?.root === undefined || kept.size === undefined) return undefined;
  const key = publicKey ?? (head?.keyId === kept.keyId ? head?.publicKey : undefined);
  return { ...(kept as TreeHead), ...(key && { publicKey: key }) };
}
