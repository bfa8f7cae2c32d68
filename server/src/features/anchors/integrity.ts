import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import type { Anchoring, Deps } from '../../kernel/deps.js';
import * as store from './anchors.store.js';
import { hashOf, rootOfLeaves } from './batches.js';

/** A cut-off tail shows in the newest batches; those that hold a chain's last head are looked at besides. */
const NEWEST = 100;

/** A head that is on chain, beside the audit row that stands in its place now. */
export type AnchoredHead = store.HeadRow;

export interface AnchorVerdict {
  /** `unavailable`: the chain did not answer, so heads were compared with what the database says is anchored. */
  readonly status: 'pass' | 'fail' | 'unavailable';
  readonly reason?: 'chain_ahead' | 'root_differs' | 'leaves_altered';
  readonly batchId?: number;
  readonly batches: number;
}

/**
 * Compares what the database says is anchored with the chain, which its owner cannot rewrite: were batches removed, altered,
 * or the whole database put back to an older state, the chain has more batches or other roots.
 */
export async function checkAnchors({
  db,
  anchoring,
}: Pick<Deps, 'db' | 'anchoring'>): Promise<
  { readonly verdict: AnchorVerdict; readonly heads: readonly AnchoredHead[] } | undefined
> {
  if (anchoring === undefined) return undefined;
  const heads = await store.listAnchoredHeads(db, anchoring.hub);
  const batches = await store.listBatches(
    db,
    anchoring.hub,
    NEWEST,
    heads.map(({ batch_id }) => batch_id),
  );
  for (const { batch_id: batchId, root } of batches) {
    const leaves = await store.listLeaves(db, anchoring.hub, batchId);
    if (leaves.length === 0 || rootOfLeaves(leaves.map(hashOf)) !== root)
      return {
        heads,
        verdict: { status: 'fail', reason: 'leaves_altered', batchId, batches: batches.length },
      };
  }
  return { heads, verdict: { batches: batches.length, ...(await compare(db, anchoring, batches)) } };
}

async function compare(
  db: Deps['db'],
  { client, hub }: Anchoring,
  batches: readonly store.BatchRow[],
): Promise<Omit<AnchorVerdict, 'batches'>> {
  try {
    await client.check();
    const { batches: onChain } = await client.totals('latest');
    if (onChain > (await store.newestBatch(db, hub))) return { status: 'fail', reason: 'chain_ahead' };
    // One that a reorganisation took away is not altered: it is sent again.
    for (const { batch_id: batchId, root } of batches)
      if (batchId <= onChain && (await client.rootOf(batchId)) !== root)
        return { status: 'fail', reason: 'root_differs', batchId };
    return { status: 'pass' };
  } catch (error) {
    if (error instanceof ChainUnavailableError || error instanceof ChainStateError)
      return { status: 'unavailable' };
    throw error;
  }
}
