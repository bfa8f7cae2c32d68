import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import { hashOfRoots } from '@svc/chain/leaves';
import type { Anchoring, Deps } from '../../kernel/deps.js';
import * as store from './anchors.store.js';
import { hashOf, rootOfLeaves } from './batches.js';

const ROOTS_AT_ONCE = 1_000;
const LEAVES_AT_ONCE = 10_000;
/** A check of the newest rows looks into so many of the newest batches. */
const NEWEST = 100;

/** A head that a batch holds, beside the audit row that stands in its place now. */
export type AnchoredHead = store.HeadRow;

export interface AnchorVerdict {
  /** `unavailable`: the chain did not answer, so heads were compared with what the database says is anchored. */
  readonly status: 'pass' | 'fail' | 'unavailable';
  readonly reason?: 'chain_ahead' | 'root_differs' | 'leaves_altered' | 'identity_altered';
  readonly batchId?: number;
  readonly identityId?: string;
  /** How many were compared with their leaves. */
  readonly batches: number;
}

type Found = Omit<AnchorVerdict, 'batches'>;

/**
 * Compares what the database says is anchored with the chain, which its owner cannot rewrite: were leaves or batches removed
 * or altered, or the whole database put back to an older state, the roots are others than there, or fewer.
 */
export async function checkAnchors(
  { db, anchoring }: Pick<Deps, 'db' | 'anchoring'>,
  onlyNewest: boolean,
): Promise<{ readonly verdict: AnchorVerdict; readonly heads: readonly AnchoredHead[] } | undefined> {
  if (anchoring === undefined) return undefined;
  const { hub } = anchoring;
  const heads = await store.listAnchoredHeads(db, hub);
  const newest = await store.newestBatch(db, hub);
  const from = onlyNewest ? Math.max(1, newest - NEWEST + 1) : 1;
  const altered = await findAlteredBatch(db, hub, from);
  const identityId = await store.findAlteredIdentity(db, hub);
  const found: Found =
    altered !== undefined
      ? { status: 'fail', reason: 'leaves_altered', batchId: altered }
      : identityId !== undefined
        ? { status: 'fail', reason: 'identity_altered', identityId }
        : await compareWithChain(db, anchoring);
  return { heads, verdict: { ...found, batches: newest - from + 1 } };
}

/** The first batch whose leaves do not make its root. */
async function findAlteredBatch(db: Deps['db'], hub: string, from: number): Promise<number | undefined> {
  for (;;) {
    const some = await store.listRoots(db, hub, from, ROOTS_AT_ONCE);
    const batches = firstFew(some);
    const last = batches.at(-1);
    if (last === undefined) return undefined;
    const hashes = new Map<number, string[]>(batches.map(({ batch_id }) => [batch_id, []]));
    for (const leaf of await store.listLeaves(db, hub, from, last.batch_id))
      hashes.get(leaf.batch_id)?.push(hashOf(leaf));
    const altered = batches.find(({ batch_id, root }) => {
      const own = hashes.get(batch_id) as string[];
      return own.length === 0 || rootOfLeaves(own) !== root;
    });
    if (altered) return altered.batch_id;
    from = last.batch_id + 1;
  }
}

/** As many as have no more leaves together than are held at once, one at the least. */
function firstFew(batches: readonly store.RootRow[]): readonly store.RootRow[] {
  let leaves = 0;
  const end = batches.findIndex((batch, i) => {
    leaves += batch.leaves;
    return i > 0 && leaves > LEAVES_AT_ONCE;
  });
  return end === -1 ? batches : batches.slice(0, end);
}

async function compareWithChain(db: Deps['db'], { client, hub }: Anchoring): Promise<Found> {
  try {
    await client.check();
    const { batches, rootsHash } = await client.totals('latest');
    if (batches > (await store.newestBatch(db, hub))) return { status: 'fail', reason: 'chain_ahead' };
    // Those above are of blocks that a reorganisation took away, or on their way: they are sent again.
    if (rootsHash === (await hashOfOurRoots(db, hub, batches))) return { status: 'pass' };
    const batchId = await findOtherRoot(db, { client, hub }, batches);
    return { status: 'fail', reason: 'root_differs', ...(batchId && { batchId }) };
  } catch (error) {
    if (error instanceof ChainUnavailableError || error instanceof ChainStateError)
      return { status: 'unavailable' };
    throw error;
  }
}

async function hashOfOurRoots(db: Deps['db'], hub: string, upTo: number): Promise<string> {
  let hash = hashOfRoots([]);
  for (let from = 1; from <= upTo; from += ROOTS_AT_ONCE) {
    const count = Math.min(ROOTS_AT_ONCE, upTo - from + 1);
    const roots = await store.listRoots(db, hub, from, count);
    hash = hashOfRoots(
      roots.map(({ root }) => root),
      hash,
    );
  }
  return hash;
}

/** The newest batch that is another one on chain, or that is not here. Looked for among the newest alone: each is a question. */
async function findOtherRoot(
  db: Deps['db'],
  { client, hub }: Pick<Anchoring, 'client' | 'hub'>,
  batches: number,
): Promise<number | undefined> {
  const from = Math.max(1, batches - NEWEST + 1);
  const ours = new Map(
    (await store.listRoots(db, hub, from, NEWEST)).map(({ batch_id, root }) => [batch_id, root]),
  );
  for (let batchId = batches; batchId >= from; batchId -= 1)
    if ((await client.rootOf(batchId)) !== ours.get(batchId)) return batchId;
  return undefined;
}
