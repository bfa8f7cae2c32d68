import { randomUUID } from 'node:crypto';
import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import type { BatchCall, ChainClient, Fees } from '@svc/chain/client';
import { AUDIT_HEAD, IDENTITY, wordOf } from '@svc/chain/leaves';
import type { Anchoring, AnchoringStatus, Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import * as store from './anchors.store.js';
import { hashOf, rootOfLeaves } from './batches.js';

/** Taken anew before each step. A process that died holds the next one back for so long, and no registration. */
const LEASE_MS = 20_000;
/** One tree for all that is waiting; the rest comes in the next. A proof is made of its whole tree, in some milliseconds. */
const MOST_LEAVES = 4_096;
const MOST_SETTLED = 1_000;
/** A chain that lost its tail gets it back in as few runs as may be. */
const MOST_STEPS = 50;
const CHECK_EVERY_MS = 15_000;
const HEADS_EVERY_MS = 10 * 60_000;
/** A transaction that no block took for so long is offered more for. */
const BUMP_AFTER_MS = 60_000;
/** One that was mined and refused cost as much as one that was not: another is not sent at once. */
const REFUSED_FOR_MS = 60 * 60_000;
/** Nodes take a replacement for 10 % more at the least. */
const bump = (fee: bigint) => fee + fee / 8n + 1n;
/** Whom no block takes at four times what the chain asks, it takes at no price: its blocks have stopped. */
const MOST_TIMES_ASKED = 4n;
/** 500 gwei: some 0.03 ether a batch. A chain that wants more has to wait. */
const MOST_FEE = 500_000_000_000n;
/** 0.075 ether: what a batch may cost on any chain, however much gas its node asks for. */
const MAX_COST = 75_000_000_000_000_000n;

type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'log'>;

/** What stands between two runs about the chain itself. */
const DISTRUSTED = ['wrong_chain_id', 'wrong_code'];
/** The root of a batch that is not there. */
const NO_ROOT = '0'.repeat(64);

/**
 * Brings leaves to the chain, in batches numbered as the contract numbers them. What the chain says decides: a batch that
 * it has is included, the next one is sent, and whatever it lost is sent again. One run at a time over all nodes, by a
 * lease; were there two, the contract would take a batch once all the same.
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
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  let probing: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Of each node, whoever works: verifications on chain ask the contract too. */
  async function checkNowAndThen(): Promise<void> {
    if (status.state === 'ok' && clock.now() - checkedAt < CHECK_EVERY_MS) return;
    await client.check();
    checkedAt = clock.now();
    status = { ...status, isTrusted: true };
  }

  /** Answers true when what it sent is on chain already, so that the next batch can follow. */
  async function step(): Promise<boolean> {
    // The nonce first: what is mined between the two readings then shows in the count, and is not sent again.
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

  /** Learns from the chain what became of the batches. */
  async function settle(latest: number, finalized: number): Promise<void> {
    const now = new Date(clock.now());
    const newest = await store.newestBatch(db, hub);
    if (latest > newest)
      throw new ChainStateError(
        'chain_ahead',
        `The chain has ${latest} batches, and this database ${newest}: it is an older copy, or another service uses the same contract.`,
      );
    for (const batch of await store.listUnsettled(db, hub, latest, MOST_SETTLED)) {
      const root = await client.rootOf(batch.batch_id);
      if (root === NO_ROOT)
        throw new ChainUnavailableError(`it counts batch ${batch.batch_id}, and does not know its root yet`);
      if (root !== batch.root)
        throw new ChainStateError(
          'root_differs',
          `Batch ${batch.batch_id} has another root on chain than in this database.`,
        );
      if (batch.included_at !== null) continue;
      await store.noteIncluded(w, hub, batch.batch_id, await minedHash(batch.batch_id), now);
    }
    const gone = await store.noteFinality(w, hub, { latest, finalized }, now);
    if (gone > 0) log.warn({ batches: gone }, 'the chain lost batches; they are sent again');
  }

  async function minedHash(batchId: number): Promise<string | undefined> {
    for (const { tx_hash } of await store.listTransactions(db, hub, batchId))
      if ((await client.outcomeOf(`0x${tx_hash}`)) === 'success') return tx_hash;
    return undefined;
  }

  async function gatherHeads(): Promise<void> {
    const now = clock.now();
    if (!(await store.claimHeads(w, hub, new Date(now), new Date(now - HEADS_EVERY_MS)))) return;
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

  /** A batch of what waits, in the database before anything of it is sent. */
  async function build(batchId: number): Promise<store.BatchRow | undefined> {
    await gatherHeads();
    const waiting = await store.listWaiting(db, MOST_LEAVES);
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

  /** The same bytes again while they may still be mined; another offer when a node has had them for too long, or takes none. */
  async function send(call: BatchCall, nonce: number): Promise<void> {
    const sent = await store.listTransactions(db, hub, call.batchId);
    const last = sent.find((tx) => tx.nonce === nonce);
    if (last === undefined) await requireNoRefusal(sent[0]);
    const refusal = last && !isOverdue(last) ? await refusalOf(last) : undefined;
    if (last && refusal === undefined && !isOverdue(last)) return;
    if (refusal && last?.taken_at && refusal.state !== 'fees_too_high') throw refusal;
    const [gas, asked] = await Promise.all([client.gasFor(call), client.suggestFees()]);
    const fees = offer(asked, last?.taken_at ? last : undefined, MAX_COST / gas);
    if (last && isAlike(fees.maxFeePerGas, BigInt(last.max_fee))) {
      if (refusal) throw refusal;
      return hand(last);
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
    await hand({ ...tx, taken_at: null });
  }

  const isOverdue = ({ taken_at, created_at }: store.TransactionRow) =>
    taken_at !== null && clock.now() - created_at.getTime() >= BUMP_AFTER_MS;

  async function hand(tx: Pick<store.TransactionRow, 'tx_hash' | 'signed' | 'taken_at'>): Promise<void> {
    await client.send(tx.signed);
    if (tx.taken_at === null) await store.noteTaken(w, hub, tx.tx_hash, new Date(clock.now()));
  }

  /** Why it is not taken, if it is not. @throws what says nothing about the transaction */
  async function refusalOf(tx: store.TransactionRow): Promise<ChainStateError | undefined> {
    try {
      await hand(tx);
      return undefined;
    } catch (error) {
      if (error instanceof ChainStateError) return error;
      throw error;
    }
  }

  /** A batch whose turn it is, and that the contract has refused, is refused again: for gas, for its relayer, for its number. */
  async function requireNoRefusal(newest: store.TransactionRow | undefined): Promise<void> {
    if (newest === undefined || clock.now() - newest.created_at.getTime() >= REFUSED_FOR_MS) return;
    if ((await client.outcomeOf(`0x${newest.tx_hash}`)) === 'reverted')
      throw new ChainStateError(
        'refused',
        `The contract refused the transaction 0x${newest.tx_hash}, which was paid for. The next is sent an hour after it.`,
      );
  }

  async function look(): Promise<void> {
    const asked = performance.now();
    const readings = await client.read().catch(() => null);
    const latencyMs = Math.round(performance.now() - asked);
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
        for (let i = 0; i < MOST_STEPS && (await takeLease()) && (await step()); i++);
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
        // Whoever may anchor there, the contracts are ours.
        isTrusted: state === 'not_the_relayer' || (status.isTrusted && !DISTRUSTED.includes(state)),
      };
    }
  }

  /** A run that begins now, or right after the one that is under way: that one may have looked too early. */
  function run(): Promise<void> {
    if (running) {
      queued ??= running.then(() => {
        queued = undefined;
        return run();
      });
      return queued;
    }
    running = runOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    client,
    hub,
    status: () => status,
    run,
    probe() {
      probing ??= look().finally(() => {
        probing = undefined;
      });
      return probing;
    },
  };
}

const most = (a: bigint, b: bigint) => (a > b ? a : b);
const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** What the chain asks, or an eighth more than a node has taken before, and never above the caps. */
function offer(asked: Fees, taken: store.TransactionRow | undefined, affordable: bigint): Fees {
  if (least(MOST_FEE, asked.maxFeePerGas) > affordable)
    throw new ChainStateError(
      'gas_too_high',
      `A batch would cost more than ${Number(MAX_COST) / 1e18} ether: the chain asks for too much gas at its present price. Nothing was sent.`,
    );
  const cap = least(least(MOST_FEE, affordable), asked.maxFeePerGas * MOST_TIMES_ASKED);
  const maxFee = taken ? most(asked.maxFeePerGas, bump(BigInt(taken.max_fee))) : asked.maxFeePerGas;
  const priority = taken
    ? most(asked.maxPriorityFeePerGas, bump(BigInt(taken.priority_fee)))
    : asked.maxPriorityFeePerGas;
  const maxFeePerGas = least(maxFee, cap);
  return { maxFeePerGas, maxPriorityFeePerGas: least(priority, maxFeePerGas) };
}

/** Nearer than a step: no reason to sign another transaction. */
const isAlike = (a: bigint, b: bigint) => a < bump(b) && b < bump(a);
