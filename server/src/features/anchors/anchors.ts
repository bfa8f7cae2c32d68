import { ChainUnavailableError } from '@svc/chain/chain-error';
import type { Totals } from '@svc/chain/client';
import { IDENTITY, wordOf } from '@svc/chain/leaves';
import { didHash } from '@svc/zk/field';
import type { ParsedProof } from '@svc/zk/verifier/proof';
import { fail } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import type { Anchoring, Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, Write } from '../../ledger/write.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import * as store from './anchors.store.js';
import { hashOf } from './batches.js';

export { type AnchoredHead, checkAnchors } from './integrity.js';
export { proveHeadUpTo } from './proof.js';
export { createAnchoring } from './worker.js';

/** How long a registration waits for the hash of its transaction. */
const WAIT_MS = 1_500;
export const ANCHORING_INTERVAL_MS = 5_000;
const IDLE_CALLS = 3;

type LeafDeps = Pick<Deps, 'anchoring' | 'ids' | 'random'>;

/** Queues a new identity for anchoring, in the transaction that creates it, if the tenant's policy requires it. */
export async function anchorIdentity(
  w: Write,
  { anchoring, ids, random }: LeafDeps,
  identity: { readonly id: string; readonly did: string; readonly commitment: string },
  now: Date,
): Promise<void> {
  if (anchoring === undefined || w.scope.environment !== 'live') return;
  const { tenantId, environment } = w.scope;
  const first = wordOf(didHash(identity.did));
  const second = identity.commitment;
  const salt = random.bytes(32).toString('hex');
  const hash = hashOf({
    tenant_id: tenantId,
    environment,
    kind: IDENTITY,
    first_word: first,
    second_word: second,
    salt,
  });
  const leaf = { id: ids(), identityId: identity.id, first, second, salt, hash };
  await store.insertIdentityLeaf(w, leaf, now);
}

/** The anchoring part of a registration's response, if any. Waits a moment for the transaction to be signed. */
export async function anchorOf(
  { deps, read }: { readonly deps: Pick<Deps, 'anchoring' | 'timers'>; readonly read: Read },
  identityId: string,
): Promise<{ anchor_tx_hash: string } | { anchor_status: 'pending' } | undefined> {
  const { anchoring, timers } = deps;
  if (anchoring === undefined || read.scope.environment !== 'live') return undefined;
  const find = () => store.findIdentityAnchor(read, identityId);
  let anchor = await find();
  // While a batch is in flight or the blockchain is unavailable, the next transaction will not be signed soon.
  const { state, isInFlight } = anchoring.status();
  const isFree = (state === 'ok' && !isInFlight) || state === 'starting';
  if (anchor?.tx_hash === null && isFree) {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = timers.after(WAIT_MS, resolve);
    });
    await Promise.race([anchoring.run(), late]);
    cancel();
    anchor = await find();
  }
  if (anchor === undefined) return undefined;
  return anchor.tx_hash === null ? { anchor_status: 'pending' } : { anchor_tx_hash: `0x${anchor.tx_hash}` };
}

/** Whether the contract must verify the tenant's proofs as well. */
export const verifiesOnChain = (
  { anchoring }: Pick<Deps, 'anchoring'>,
  { plan, securityPolicy }: Tenant,
): boolean =>
  anchoring !== undefined &&
  PLAN_LIMITS[plan].onChainVerification &&
  securityPolicy.providers?.verification === 'onchain';

/**
 * The contract's verdict on a proof that our own verifier has accepted. Returns 503 if the contract cannot be reached. If
 * the two disagree, one of them is broken, and the proof is rejected.
 */
export async function agreesOnChain(
  { anchoring, log }: Pick<Deps, 'anchoring' | 'log'>,
  proof: ParsedProof,
): Promise<boolean> {
  if (!anchoring?.status().isTrusted)
    fail('chain_unavailable', { because: `the chain is ${anchoring?.status().state}` });
  try {
    const verdict = await anchoring.client.verifyProof(proof);
    if (!verdict) log.fatal('the contract rejects a proof that our verifier accepts');
    return verdict;
  } catch (error) {
    if (error instanceof ChainUnavailableError) fail('chain_unavailable', { because: error.message });
    throw error;
  }
}

/** The blockchain's state for the operator. Without the RPC URL, which may contain a key. */
export async function describeChain({ anchoring, db, clock }: Pick<Deps, 'anchoring' | 'db' | 'clock'>) {
  if (anchoring === undefined) return { configured: false };
  const { client, hub } = anchoring;
  const { state, message, readings } = anchoring.status();
  const outbox = await store.countOutbox(db, hub);
  return {
    configured: true,
    state,
    message,
    chainId: { expected: client.chainId, seen: readings?.chainId ?? null },
    contracts: { ...client.contracts },
    codeHashes: { ...client.codeHashes },
    relayer: { address: client.relayer, balanceWei: readings ? String(readings.relayerBalance) : null },
    blocks: { head: readings?.head ?? null, finalized: readings?.finalized ?? null },
    latencyMs: readings?.latencyMs ?? null,
    onChain: readings && totalsOf(readings.totals),
    outbox: {
      waiting: outbox?.waiting ?? 0,
      sent: outbox?.sent ?? 0,
      included: outbox?.included ?? 0,
      confirmed: outbox?.confirmed ?? 0,
      identities: outbox?.identities ?? 0,
      oldestAgeSeconds: outbox?.oldest_at
        ? Math.max(0, Math.floor((clock.now() - outbox.oldest_at.getTime()) / 1000))
        : null,
    },
  };
}

const totalsOf = ({ batches, leaves, identities }: Totals) => ({ batches, leaves, identities });

/** Limits periodic work on the blockchain to every third call, except while a batch waits for its block. */
export function whenChainIsDue(anchoring: Anchoring, work: () => Promise<void>): () => Promise<void> {
  let calls = 0;
  return async () => {
    const isDue = anchoring.status().isInFlight || calls % IDLE_CALLS === 0;
    calls += 1;
    if (isDue) await work();
  };
}

/** Removes what the leaves of these identities were computed from. Their hashes stay in their batches. */
export const eraseWords = (w: Write, identityIds: readonly string[]): Promise<void> =>
  store.eraseWords(w, identityIds);

/** Removes some of what an account that is deleted has in leaves, except the hashes of those in a batch. False if nothing was left. */
export const forgetLeaves = (
  w: UnauditedWrite<'closed accounts'>,
  tenantId: string,
  limit: number,
): Promise<boolean> => store.forgetLeaves(w, tenantId, limit);

export const hasLeaves = (db: Database, tenantId: string): Promise<boolean> => store.hasLeaves(db, tenantId);
