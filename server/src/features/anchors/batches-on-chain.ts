import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import type { ChainClient } from '@svc/chain/client';
import { AUDIT_HEAD, IDENTITY, wordOf } from '@svc/chain/leaves';
import type { Deps } from '../../http/deps.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import * as store from './anchors.store.js';
import { hashOf, rootOfLeaves } from './batches.js';

/** Leaves in one batch. The others follow in the next. Building a proof from all leaves of a batch takes some milliseconds. */
const MAX_LEAVES = 4_096;
const MAX_SETTLED = 1_000;
const HEADS_INTERVAL_MS = 10 * 60_000;
/** The root of a batch that does not exist. */
const NO_ROOT = '0'.repeat(64);

/** The batches of a contract: those in the database and those on the blockchain. */
export interface AnchorLedger extends Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'log'> {
  readonly client: ChainClient;
  /** The blockchain's id and the contract's address. */
  readonly hub: string;
  readonly w: UnauditedWrite<'anchoring'>;
}

/** Reads from the blockchain what became of the batches. */
export async function settle(ledger: AnchorLedger, latest: number, finalized: number): Promise<void> {
  const { client, clock, db, hub, log, w } = ledger;
  const now = new Date(clock.now());
  const newest = await store.newestBatch(db, hub);
  if (latest > newest)
    throw new ChainStateError(
      'chain_ahead',
      `The blockchain has ${latest} batches, but this database has ${newest}: it is an older copy, or another service uses the same contract.`,
    );
  for (const batch of await store.listUnsettled(db, hub, latest, MAX_SETTLED)) {
    const root = await client.rootOf(batch.batch_id);
    if (root === NO_ROOT)
      throw new ChainUnavailableError(`it counts batch ${batch.batch_id} but does not return its root yet`);
    if (root !== batch.root)
      throw new ChainStateError(
        'root_differs',
        `Batch ${batch.batch_id} has another root on the blockchain than in this database.`,
      );
    if (batch.included_at !== null) continue;
    await store.noteIncluded(w, hub, batch.batch_id, await minedIn(ledger, batch.batch_id), now);
  }
  const lost = await store.noteFinality(w, hub, { latest, finalized }, now);
  if (lost > 0) log.warn({ batches: lost }, 'the blockchain lost batches, which are sent again');
}

async function minedIn(
  { client, db, hub }: AnchorLedger,
  batchId: number,
): Promise<store.MinedTransaction | undefined> {
  for (const { tx_hash } of await store.listTransactions(db, hub, batchId)) {
    const mined = await client.outcomeOf(`0x${tx_hash}`);
    if (mined?.status === 'success') return { hash: tx_hash, block: mined.block };
  }
  return undefined;
}

async function gatherHeads({ clock, db, hub, ids, random, w }: AnchorLedger): Promise<void> {
  const now = clock.now();
  if (!(await store.claimHeads(w, hub, new Date(now), new Date(now - HEADS_INTERVAL_MS)))) return;
  const heads = await store.listGrownHeads(db, hub);
  const leaves = heads.map(({ hash, ...head }) => {
    const words = {
      first_word: wordOf(head.seq),
      second_word: hash,
      salt: random.bytes(32).toString('hex'),
    };
    return { ...head, ...words, id: ids(), hash: hashOf({ ...head, ...words, kind: AUDIT_HEAD }) };
  });
  if (leaves.length > 0) await store.insertHeadLeaves(w, leaves, new Date(now));
}

/** Creates a batch of the waiting leaves. It is in the database before any of it is sent. */
export async function build(ledger: AnchorLedger, batchId: number): Promise<store.BatchRow | undefined> {
  const { clock, db, hub, w } = ledger;
  await gatherHeads(ledger);
  const waiting = await store.listWaiting(db, MAX_LEAVES);
  if (waiting.length === 0) return undefined;
  const call = {
    batchId,
    root: rootOfLeaves(waiting.map(({ hash }) => hash)),
    leaves: waiting.length,
    identities: waiting.filter(({ kind }) => kind === IDENTITY).length,
  };
  await store.insertBatch(w, hub, call, waiting, new Date(clock.now()));
  return store.findBatch(db, hub, batchId);
}
