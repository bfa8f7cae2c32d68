import { readFile, stat } from 'node:fs/promises';
import { type RecordProof, type RecordVerdict, verifyRecord } from '@svc/sdk/receipts';
import { UsageError } from '../failure.js';
import { readHead, readKey } from './kept-head.js';

/** A record has 16 KiB of metadata, and texts. */
const MAX_BYTES = 256 * 1024;

export interface RecordVerifyOptions {
  readonly head?: string | undefined;
  readonly key?: readonly string[] | undefined;
}

/** What `svc record verify` prints: a sentence a line, or the code of the fault. @throws UsageError for files that can't be read */
export async function recordVerify(
  file: string,
  { head, key = [] }: RecordVerifyOptions = {},
): Promise<{ verdict: RecordVerdict; text: string }> {
  const options = {
    ...(head !== undefined && { head: await readHead(head) }),
    keys: Object.fromEntries(key.map(readKey)),
  };
  const verdict = await verifyRecord(await readProof(file), options);
  const text = verdict.ok
    ? [...verdict.checked, ...verdict.notChecked, ...verdict.restsOn].join('\n')
    : `${verdict.code}: ${verdict.message}`;
  return { verdict, text };
}

/** The proof as it was sent. What it is made of is checked later. */
async function readProof(path: string): Promise<RecordProof> {
  try {
    if ((await stat(path)).size > MAX_BYTES) throw new UsageError(`${path} is too large for a proof.`);
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
}
