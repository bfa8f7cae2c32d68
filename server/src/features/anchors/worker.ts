import { randomUUID } from 'node:crypto';
import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import type { BatchCall, ChainClient, Fees } from '@svc/chain/client';
import { AUDIT_HEAD, IDENTITY, wordOf } from '@svc/chain/leaves';
import { sharingRuns } from '../../base/sharing.js';
import type { Anchoring, AnchoringStatus, Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import * as store from './anchors.store.js';
import { hashOf, rootOfLeaves } from './batches.js';

/** Renewed before each step. If the owner dies, other nodes wait this long. Registrations do not wait. */
const LEASE_MS = 20_000;
/** Leaves in one batch. The others follow in the next. Building a proof from all leaves of a batch takes some milliseconds. */
const MAX_LEAVES = 4_096;
const MAX_SETTLED = 1_000;
/** High, so that a blockchain that lost its newest batches gets them back in few runs. */
const MAX_STEPS = 50;
const CHECK_INTERVAL_MS = 15_000;
const HEADS_INTERVAL_MS = 10 * 60_000;
/** A transaction without a block for this long is replaced with a higher fee. */
const BUMP_AFTER_MS = 60_000;
/** A reverted transaction costs as much as a successful one, so the next is sent only after this time. */
const RETRY_REVERTED_MS = 60 * 60_000;
/** Nodes require at least 10 % more for a replacement. */
const bump = (fee: bigint) => fee + fee / 8n + 1n;
/** A transaction at four times the suggested fee that is in no block would not be at any fee: the blockchain has stopped. */
const MAX_FEE_FACTOR = 4n;
/** 500 gwei: about 0.03 ether per batch. If the blockchain requires more, batches wait. */
const MAX_FEE = 500_000_000_000n;
/** 0.075 ether: the maximum cost of a batch on any blockchain, however much gas its node estimates. */
const MAX_COST = 75_000_000_000_000_000n;

type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'log'>;

/** States that are about the blockchain itself and last from one run to the next. */
const DISTRUSTED = ['wrong_chain_id', 'wrong_code'];
/** The root of a batch that does not exist. */
const NO_ROOT = '0'.repeat(64);

/**
 * Anchors leaves on the blockchain, in batches numbered as in the contract. The blockchain decides: a batch that it has is
 * included, the next one is sent, and a batch that it lost is sent again. A lease allows one run at a time over all nodes.
 * Should two run anyway, the contract still accepts each batch only once.
 */
export function createAnchoring(deps: WorkerDeps, client: ChainClient): Anchoring {
  const { db, clock, log } = deps;
  const w = unaudited(db, 'anchoring');
  const hub = `${client.chainId}:${client.contracts.anchorHub.toLowerCase()}`;
  const holder = randomUUID();
  let status: AnchoringStatus = {
    state: 'starting',
    message: null,
    isTrusted: false,
    isInFlight: false,
    readings: null,
  };
  let probing: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** On each node, also without the lease, because on-chain verification calls the contract too. */
  async function checkNowAndThen(): Promise<void> {
    if (status.state === 'ok' && clock.now() - checkedAt < CHECK_INTERVAL_MS) return;
    await client.check();
    checkedAt = clock.now();
    status = { ...status, isTrusted: true };
  }

  /** Returns true if the batch it sent is on the blockchain already, so that the next can follow. */
  async function step(): Promise<boolean> {
    // Read the nonce first: a transaction that is mined between the two reads is then counted and not sent again.
    const nonce = await client.minedNonce();
    const { batches: latest } = await client.totals('latest');
    const { batches: finalized } = await client.totals('finalized');
    await settle(latest, finalized);
    const next = (await store.findBatch(db, hub, latest + 1)) ?? (await build(latest + 1));
    if (next === undefined) {
      status = { ...status, isInFlight: false };
      return false;
    }
    await send(store.toCall(next), nonce);
    const isMined = (await client.totals('latest')).batches > latest;
    status = { ...status, isInFlight: !isMined };
    return isMined;
  }

  /** Reads from the blockchain what became of the batches. */
  async function settle(latest: number, finalized: number): Promise<void> {
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
      await store.noteIncluded(w, hub, batch.batch_id, await minedHash(batch.batch_id), now);
    }
    const lost = await store.noteFinality(w, hub, { latest, finalized }, now);
    if (lost > 0) log.warn({ batches: lost }, 'the blockchain lost batches, which are sent again');
  }

  async function minedHash(batchId: number): Promise<string | undefined> {
    for (const { tx_hash } of await store.listTransactions(db, hub, batchId))
      if ((await client.outcomeOf(`0x${tx_hash}`)) === 'success') return tx_hash;
    return undefined;
  }

  async function gatherHeads(): Promise<void> {
    const now = clock.now();
    if (!(await store.claimHeads(w, hub, new Date(now), new Date(now - HEADS_INTERVAL_MS)))) return;
    const heads = await store.listGrownHeads(db, hub);
    const leaves = heads.map(({ hash, ...head }) => {
      const words = {
        first_word: wordOf(head.seq),
        second_word: hash,
        salt: deps.random.bytes(32).toString('hex'),
      };
      return { ...head, ...words, id: deps.ids(), hash: hashOf({ ...head, ...words, kind: AUDIT_HEAD }) };
    });
    if (leaves.length > 0) await store.insertHeadLeaves(w, leaves, new Date(now));
  }

  /** Creates a batch of the waiting leaves. It is in the database before any of it is sent. */
  async function build(batchId: number): Promise<store.BatchRow | undefined> {
    await gatherHeads();
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

  /** Sends the same bytes again while they may still be mined. Signs a new transaction if they were pending for too long or a node rejects them. */
  async function send(call: BatchCall, nonce: number): Promise<void> {
    const sent = await store.listTransactions(db, hub, call.batchId);
    const last = sent.find((tx) => tx.nonce === nonce);
    if (last === undefined) await requireNotReverted(sent[0]);
    const rejection = last && !isOverdue(last) ? await rejectionOf(last) : undefined;
    if (last && rejection === undefined && !isOverdue(last)) return;
    if (rejection && last?.taken_at && rejection.state !== 'fees_too_high') throw rejection;
    const [gas, suggested] = await Promise.all([client.gasFor(call), client.suggestFees()]);
    const fees = offer(suggested, last?.taken_at ? last : undefined, MAX_COST / gas);
    if (last && isAlike(fees.maxFeePerGas, BigInt(last.max_fee))) {
      if (rejection) throw rejection;
      return submit(last);
    }
    const { hash, raw } = await client.sign(call, nonce, fees, gas);
    const tx = { tx_hash: hash.slice(2), signed: raw };
    await store.saveTransaction(w, {
      ...tx,
      hub,
      batchId: call.batchId,
      nonce,
      max_fee: String(fees.maxFeePerGas),
      priority_fee: String(fees.maxPriorityFeePerGas),
      now: new Date(clock.now()),
    });
    await submit({ ...tx, taken_at: null });
  }

  const isOverdue = ({ taken_at, created_at }: store.TransactionRow) =>
    taken_at !== null && clock.now() - created_at.getTime() >= BUMP_AFTER_MS;

  async function submit(tx: Pick<store.TransactionRow, 'tx_hash' | 'signed' | 'taken_at'>): Promise<void> {
    await client.send(tx.signed);
    if (tx.taken_at === null) await store.noteTaken(w, hub, tx.tx_hash, new Date(clock.now()));
  }

  /** Sends the transaction and returns the node's error, if it rejects it. @throws errors that say nothing about the transaction */
  async function rejectionOf(tx: store.TransactionRow): Promise<ChainStateError | undefined> {
    try {
      await submit(tx);
      return undefined;
    } catch (error) {
      if (error instanceof ChainStateError) return error;
      throw error;
    }
  }

  /** Throws if the contract has reverted this batch lately, because it would revert again, for lack of gas, the relayer or the number. */
  async function requireNotReverted(newest: store.TransactionRow | undefined): Promise<void> {
    if (newest === undefined || clock.now() - newest.created_at.getTime() >= RETRY_REVERTED_MS) return;
    if ((await client.outcomeOf(`0x${newest.tx_hash}`)) === 'reverted')
      throw new ChainStateError(
        'refused',
        `The contract reverted the transaction 0x${newest.tx_hash}, which was paid for. The next is sent an hour after it.`,
      );
  }

  async function readOnce(): Promise<void> {
    const startedAt = performance.now();
    const readings = await client.read().catch(() => null);
    const latencyMs = Math.round(performance.now() - startedAt);
    status = { ...status, readings: readings && { ...readings, latencyMs, at: clock.now() } };
  }

  function takeLease(): Promise<boolean> {
    const now = clock.now();
    return store.takeLease(w, { hub, holder, now: new Date(now), until: new Date(now + LEASE_MS) });
  }

  async function runOnce(): Promise<void> {
    try {
      await checkNowAndThen();
      try {
        for (let i = 0; i < MAX_STEPS && (await takeLease()) && (await step()); i++);
      } finally {
        await store.releaseLease(w, hub, holder, new Date(clock.now()));
      }
      status = { ...status, state: 'ok', message: null };
    } catch (err) {
      const state =
        err instanceof ChainStateError
          ? err.state
          : err instanceof ChainUnavailableError
            ? 'unavailable'
            : 'failed';
      if (status.state !== state) log.error({ err, state }, 'anchoring has stopped');
      status = {
        ...status,
        state,
        message: err instanceof Error && state !== 'failed' ? err.message : null,
        // Even if this relayer may not anchor, the contracts are the right ones.
        isTrusted: state === 'not_the_relayer' || (status.isTrusted && !DISTRUSTED.includes(state)),
      };
    }
  }

  return {
    client,
    hub,
    status: () => status,
    // The current run may have read the state too early.
    run: sharingRuns(runOnce),
    probe() {
      probing ??= readOnce().finally(() => {
        probing = undefined;
      });
      return probing;
    },
  };
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** The suggested fee, or an eighth more than the fee of a pending transaction, limited by the caps. */
function offer(suggested: Fees, taken: store.TransactionRow | undefined, affordable: bigint): Fees {
  if (min(MAX_FEE, suggested.maxFeePerGas) > affordable)
    throw new ChainStateError(
      'gas_too_high',
      `A batch would cost more than ${Number(MAX_COST) / 1e18} ether: the blockchain requires too much gas at its current price. Nothing was sent.`,
    );
  const cap = min(min(MAX_FEE, affordable), suggested.maxFeePerGas * MAX_FEE_FACTOR);
  const maxFee = taken ? max(suggested.maxFeePerGas, bump(BigInt(taken.max_fee))) : suggested.maxFeePerGas;
  const priority = taken
    ? max(suggested.maxPriorityFeePerGas, bump(BigInt(taken.priority_fee)))
    : suggested.maxPriorityFeePerGas;
  const maxFeePerGas = min(maxFee, cap);
  return { maxFeePerGas, maxPriorityFeePerGas: min(priority, maxFeePerGas) };
}

/** Whether the difference is less than a step, so that signing another transaction is not worthwhile. */
const isAlike = (a: bigint, b: bigint) => a < bump(b) && b < bump(a);
