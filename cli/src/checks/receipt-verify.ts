import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ReceiptCheckOptions, type ReceiptVerdict, verifyReceipt } from '@svc/sdk/receipts';
import { UsageError } from '../failure.js';
import { framedText } from '../statement.js';
import { plain } from '../terminal.js';
import { rowsOf } from './audit-verify.js';
import { readHead, readKey } from './kept-head.js';

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
