import { consistencyRanges, inclusionRanges } from '@svc/zk/approvals/merkle';
import type { Scope } from '../../../ledger/audit-store.js';
import { type Read, reader } from '../../../ledger/write.js';
import { type SigningDeps, type Step, signNext } from './signing.js';
import { rootsOf } from './tiles.js';
import * as store from './tree.store.js';

/** How long a request waits for the tree over a row. */
const WAIT_MS = 2_000;

/** A tree over the first rows of an audit chain, signed as a receipt has it. Hashes and the signature in hex. */
export interface SignedTree {
  /** The number of rows that it covers. */
  readonly size: number;
  readonly root: string;
  /** The chain's hash at `seq = size`. */
  readonly hash: string;
  /** ISO 8601. */
  readonly at: string;
  readonly signature: string;
  readonly keyId: string;
}

const serialize = (row: store.TreeRow): SignedTree => ({
  size: row.size,
  root: row.root,
  hash: row.hash,
  at: row.signed_at.toISOString(),
  signature: row.signature,
  keyId: row.key_id,
});

/** The newest signed tree of a chain. Undefined before the first. */
export async function readTree(read: Read): Promise<SignedTree | undefined> {
  const row = await store.findTree(read);
  return row && serialize(row);
}

/**
 * The newest signed tree that covers a row. Signs it if the job has not done so yet, for at most two seconds: the chain may be long,
 * from before there were trees. Null if there is none by then, or no such row.
 */
export async function awaitTree(deps: SigningDeps, scope: Scope, seq: number): Promise<SignedTree | null> {
  const read = reader(deps.db, scope);
  const end = deps.clock.now() + WAIT_MS;
  let step: Step = 'more';
  for (;;) {
    const tree = await readTree(read);
    if (tree && tree.size >= seq) return tree;
    if (step !== 'more' || deps.clock.now() >= end) return null;
    [step = 'done'] = await signNext(deps, [scope]);
  }
}

/** The leaf of a row, SHA-256(0x00 ‖ row hash), and the hashes that prove that it is in the tree of `size` rows (RFC 9162, 2.1.3). In hex. */
export async function proofOf(
  read: Read,
  seq: number,
  size: number,
): Promise<{ readonly leaf: string; readonly inclusion: string[] }> {
  const own = { from: seq - 1, to: seq };
  const [leaf = '', ...inclusion] = await rootsOf(read, [own, ...inclusionRanges(seq - 1, size)]);
  return { leaf, inclusion };
}

/** The hashes that prove that a row is in the tree of `size` rows, which is at most the size of the signed tree. */
export const inclusionOf = async (read: Read, seq: number, size: number): Promise<string[]> =>
  (await proofOf(read, seq, size)).inclusion;

/** The hashes that prove that the tree of `to` rows begins with the one of `from` rows (RFC 9162, 2.1.4). In hex. */
export const consistencyOf = (read: Read, from: number, to: number): Promise<string[]> =>
  rootsOf(read, consistencyRanges(from, to));
