import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import { hashOfRoots, IDENTITY, wordOf } from '@svc/chain/leaves';
import type { Anchoring, Deps } from '../../http/deps.js';
import * as store from './anchors.store.js';
import { contractOf, hashOf, rootOfLeaves } from './batches.js';

const ROOTS_AT_ONCE = 1_000;
const LEAVES_AT_ONCE = 4_096;
/** A check of the newest rows covers this many of the newest batches. */
const NEWEST = 100;

/** A head in a batch, and the audit row that is at its position now. */
export type AnchoredHead = store.HeadRow;

export interface AnchorVerdict {
  /** `unavailable`: the blockchain could not be reached, so heads were compared with what the database says is anchored. */
  readonly status: 'pass' | 'fail' | 'unavailable';
  readonly reason?: 'chain_ahead' | 'root_differs' | 'leaves_altered' | 'identity_altered';
  readonly batchId?: number;
  /** The batch of this head. */
  readonly contract?: string;
  readonly identityId?: string;
  /** The number of batches that were compared with their leaves. */
  readonly batches: number;
  /** The number of leaves among them that have only a hash, because their person was deleted. */
  readonly erased: number;
}

type Found = Omit<AnchorVerdict, 'batches' | 'erased'>;

/**
 * Compares what the database says is anchored with the blockchain, which its owner cannot rewrite. If leaves or batches
 * were removed or changed, or the whole database was restored from an older state, roots on the blockchain differ or are
 * missing here.
 */
export async function checkAnchors(
  { db, anchoring }: Pick<Deps, 'db' | 'anchoring'>,
  onlyNewest: boolean,
): Promise<{ readonly verdict?: AnchorVerdict; readonly heads: readonly AnchoredHead[] }> {
  // Count these even if no blockchain is configured any more.
  const heads = await store.listAnchoredHeads(db);
  if (anchoring === undefined) return { heads };
  const onChain = await compareWithChain(db, anchoring);
  const { altered, batches, erased } = await checkLeaves(db, onlyNewest);
  const identityId = await store.findAlteredIdentity(db);
  const found: Found =
    onChain.status === 'fail'
      ? onChain
      : altered !== undefined
        ? { status: 'fail', reason: 'leaves_altered', ...altered }
        : identityId !== undefined
          ? { status: 'fail', reason: 'identity_altered', identityId }
          : onChain;
  return { heads, verdict: { ...found, batches, erased } };
}

/** For every contract that has batches: a new contract does not make the old one less true. */
async function checkLeaves(db: Deps['db'], onlyNewest: boolean) {
  let batches = 0;
  let erased = 0;
  /** The first batch whose leaves do not give its root, or whose leaves do not match their own columns. */
  let altered: { readonly batchId: number; readonly contract: string } | undefined;
  for (const hub of await store.listHubs(db)) {
    const newest = await store.newestBatch(db, hub);
    const from = onlyNewest ? Math.max(1, newest - NEWEST + 1) : 1;
    const checked = await checkBatches(db, hub, from);
    batches += newest - from + 1;
    erased += checked.erased;
    if (checked.batchId !== undefined) altered ??= { batchId: checked.batchId, contract: contractOf(hub) };
  }
  return { batches, erased, altered };
}

async function checkBatches(db: Deps['db'], hub: string, from: number) {
  let erased = 0;
  for (;;) {
    const some = await store.listRoots(db, hub, from, ROOTS_AT_ONCE);
    const batches = firstFew(some);
    const last = batches.at(-1);
    if (last === undefined) return { erased, batchId: undefined };
    const leaves = new Map<number, store.KeptLeaf[]>(batches.map(({ batch_id }) => [batch_id, []]));
    for (const leaf of await store.listLeaves(db, hub, from, last.batch_id)) {
      leaves.get(leaf.batch_id)?.push(leaf);
      if (leaf.salt === null) erased += 1;
    }
    const altered = batches.find(({ batch_id, root }) => {
      const own = leaves.get(batch_id) as store.KeptLeaf[];
      return own.length === 0 || !own.every(isItself) || rootOfLeaves(own.map(({ hash }) => hash)) !== root;
    });
    if (altered) return { erased, batchId: altered.batch_id };
    from = last.batch_id + 1;
  }
}

/** Whether the hash matches the columns. An erased leaf has nothing else to compare. */
function isItself(leaf: store.KeptLeaf): boolean {
  const { first_word, second_word, salt, seq, kind, hash } = leaf;
  if (first_word === null || second_word === null || salt === null) return kind === IDENTITY;
  const isPlace = kind === IDENTITY || first_word === wordOf(seq as number);
  return isPlace && hashOf({ ...leaf, first_word, second_word, salt }) === hash;
}

/** As many batches as have together no more leaves than fit into memory, and at least one. */
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
    await client.check().catch(ignoreRelayer);
    const { batches, rootsHash } = await client.totals('latest');
    if (batches > (await store.newestBatch(db, hub))) return { status: 'fail', reason: 'chain_ahead' };
    // Later batches were in blocks that a reorganization removed, or are in flight. They are sent again.
    if (rootsHash === (await hashOfOurRoots(db, hub, batches))) return { status: 'pass' };
    const batchId = await findOtherRoot(db, { client, hub }, batches);
    const which = batchId && { batchId, contract: contractOf(hub) };
    return { status: 'fail', reason: 'root_differs', ...which };
  } catch (error) {
    if (error instanceof ChainUnavailableError || error instanceof ChainStateError)
      return { status: 'unavailable' };
    throw error;
  }
}

/** The state of the relayer makes no difference to what is on the blockchain. */
function ignoreRelayer(error: unknown): void {
  if (!(error instanceof ChainStateError && error.state === 'not_the_relayer')) throw error;
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

/** The newest batch that differs on the blockchain or is missing here. Only the newest are checked, because each is a request. */
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
