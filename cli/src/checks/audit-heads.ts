import { createReadStream } from 'node:fs';
import { Failure, UsageError } from '../failure.js';
import type { Ask } from '../operator.js';
import { type SavedHead, toSavedHead } from './audit-verify.js';
import { LineError, readLines } from './lines.js';

/** Far more than a head needs. */
const MAX_LINE_BYTES = 64 * 1024;
/** The server compares no more in one request. */
const HEADS_AT_ONCE = 100;

/** The heads of all chains as JSON Lines. The last line says how many there are, so a file without it is incomplete. */
export async function* exportHeads(ask: Ask): AsyncGenerator<string> {
  let chains = 0;
  let after: { tenantId: string; environment: unknown } | undefined;
  for (;;) {
    const { heads } = await ask<{ heads: SavedHead[] }>({ command: 'audit heads', input: { after } });
    const last = heads.at(-1);
    if (last === undefined) break;
    yield heads.map((head) => `${JSON.stringify(head)}\n`).join('');
    chains += heads.length;
    after = { tenantId: last.head.tenantId, environment: last.environment };
  }
  yield `${JSON.stringify({ chains })}\n`;
}

/** A chain that does not extend its exported head. */
export interface Difference {
  readonly tenantId: string;
  readonly environment: string;
  /** The row that the exported head names. */
  readonly seq: number;
  /** How many rows the chain has. */
  readonly length: number;
  readonly reason: string;
}

/**
 * Compares the chains with a file of `exportHeads`, in constant memory. Returns how many chains the file has.
 * @throws UsageError for another file, Failure for one that was cut off
 */
export async function compareHeads(
  ask: Ask,
  file: string,
  onDifference: (difference: Difference) => void,
): Promise<number> {
  let chains = 0;
  for await (const heads of pagesOf(file)) {
    const { differences } = await ask<{ differences: Difference[] }>({
      command: 'audit compare',
      input: { heads },
    });
    for (const difference of differences) onDifference(difference);
    chains += heads.length;
  }
  return chains;
}

async function* pagesOf(file: string): AsyncGenerator<SavedHead[]> {
  let heads: SavedHead[] = [];
  let count = 0;
  let chains: number | undefined;
  try {
    for await (const { number, text } of readLines(createReadStream(file), MAX_LINE_BYTES)) {
      const line = chains === undefined ? readLine(text) : undefined;
      if (line === undefined)
        throw new UsageError(
          `${file} is no export of \`svc audit heads\`: line ${number} is not part of one.`,
        );
      if (typeof line === 'number') {
        chains = line;
        continue;
      }
      count += 1;
      heads.push(line);
      if (heads.length < HEADS_AT_ONCE) continue;
      yield heads;
      heads = [];
    }
  } catch (error) {
    if (error instanceof LineError) throw new UsageError(`${file}: ${error.message}.`);
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (heads.length > 0) yield heads;
  if (chains !== count)
    throw new Failure(
      'refused',
      `${file} is incomplete: heads are missing from it. Compare with another export.`,
    );
}

/** A head, or the number of chains on the last line. */
function readLine(text: string): SavedHead | number | undefined {
  try {
    const value = JSON.parse(text);
    if (Number.isSafeInteger(value?.chains)) return value.chains;
    const saved = toSavedHead(value);
    return saved?.environment === undefined ? undefined : saved;
  } catch {
    return undefined;
  }
}

const rows = (from: number, to: number) => (from === to ? `row ${to} is` : `rows ${from} to ${to} are`);

/** What is missing, in a sentence. */
export function describeDifference({ tenantId, environment, seq, length, reason }: Difference): string {
  const what: Readonly<Record<string, string>> = {
    head_key_unknown:
      'the exported head is signed with another secret. Set SVC_SECRET_PREVIOUS to the secret of that time, and repeat',
    head_signature: 'the signature of the exported head is wrong, so the file was changed',
    head_missing: seq === 0 ? 'the chain is missing' : `the chain is missing: ${rows(1, seq)} lost`,
    tail_missing: `${rows(length + 1, seq)} missing`,
    kept_head_differs: `row ${seq} is missing, or is not the row of the exported head`,
  };
  return `Tenant ${tenantId} (${environment}): ${what[reason] ?? reason}.`;
}
