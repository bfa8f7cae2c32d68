import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type HoursVerdict, type PersonStore, verifyHours } from '@svc/sdk/hours';
import { createVerifier } from '@svc/zk/verifier/create-verifier';
import { UsageError } from '../failure.js';
import { plain } from '../terminal.js';
import { openBuckets } from './buckets.js';
import { readHead, readKey } from './kept-head.js';
import { openProofThreads, type ProofThreads } from './proof-threads.js';

export interface TimeVerifyOptions {
  readonly head?: string | undefined;
  readonly key?: readonly string[] | undefined;
  readonly allowDevelopmentKeys?: boolean | undefined;
}

/** A smaller file has a few hundred proofs, which take less time than starting threads. */
const MIN_SIZE_FOR_THREADS = 1024 * 1024;

/** What `svc time verify` prints: a sentence a line, the last of which says what it comes to. @throws UsageError for files that can't be read */
export async function timeVerify(
  file: string,
  { head, key = [], ...allowed }: TimeVerifyOptions = {},
  onProgress?: (part: number) => void,
): Promise<{ verdict: HoursVerdict; text: string }> {
  const named = head !== undefined || key.length > 0;
  const kept = head === undefined ? undefined : await readHead(head);
  let threads: ProofThreads | undefined;
  try {
    const { size } = await stat(file);
    const verdict = await verifyHours(createReadStream(file), {
      ...allowed,
      ...(kept && { head: kept }),
      ...(named && { keys: Object.fromEntries(key.map(readKey)) }),
      digest: (bytes) => hash('sha256', bytes, 'hex'),
      async createVerifier(vkey) {
        if (size < MIN_SIZE_FOR_THREADS) return createVerifier(vkey);
        threads = await openProofThreads(vkey);
        return threads;
      },
      store: storeOnDisk(size),
      onProgress: (read) => onProgress?.(size === 0 ? 1 : Math.min(1, read / size)),
    });
    return { verdict, text: describe(verdict) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    await threads?.close();
  }
}

/** The events of a person are a third of what the file says of them. */
function storeOnDisk(size: number): PersonStore {
  const buckets = openBuckets(size / 3);
  return {
    add: (userId, text) => buckets.add(userId, text),
    all: () => buckets.all(),
    close: () => buckets.close(),
  };
}

/** The same as `examples/verify_time.py`. */
function describe(verdict: HoursVerdict): string {
  const findings = verdict.findings.map(
    ({ code, message, line }) => `${code}: ${message}${line === undefined ? '' : ` (line ${line})`}`,
  );
  if (!('conclusion' in verdict))
    return [...findings, `${verdict.code}: ${verdict.message}`].map(plain).join('\n');
  const more = verdict.faults - findings.length;
  return [
    ...[...findings, ...(more > 0 ? [`… and ${more} more.`] : [])],
    ...[...verdict.checked, ...verdict.notChecked, ...verdict.restsOn, verdict.conclusion],
  ]
    .map(plain)
    .join('\n');
}
