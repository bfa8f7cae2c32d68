import { randomUUID } from 'node:crypto';
import { ChainStateError, ChainUnavailableError } from '@svc/chain/chain-error';
import type { ChainClient } from '@svc/chain/client';
import { sharingRuns } from '../../base/concurrency/sharing.js';
import type { Anchoring, AnchoringStatus, Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import * as store from './anchors.store.js';
import { build, settle } from './batches-on-chain.js';
import { send } from './sending.js';

/** Renewed before each step. If the owner dies, other nodes wait this long. Registrations do not wait. */
const LEASE_MS = 20_000;
/** High, so that a blockchain that lost its newest batches gets them back in few runs. */
const MAX_STEPS = 50;
const CHECK_INTERVAL_MS = 15_000;

type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'log'>;

/** States that are about the blockchain itself and last from one run to the next. */
const DISTRUSTED = ['wrong_chain_id', 'wrong_code'];

/**
 * Anchors leaves on the blockchain, in batches numbered as in the contract. The blockchain decides: a batch that it has is
 * included, the next one is sent, and a batch that it lost is sent again. A lease allows one run at a time over all nodes.
 * Should two run anyway, the contract still accepts each batch only once.
 */
export function createAnchoring(deps: WorkerDeps, client: ChainClient): Anchoring {
  const { db, clock, log } = deps;
  const w = unaudited(db, 'anchoring');
  const hub = `${client.chainId}:${client.contracts.anchorHub.toLowerCase()}`;
  const ledger = { ...deps, client, hub, w };
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
    await settle(ledger, latest, finalized);
    const next = (await store.findBatch(db, hub, latest + 1)) ?? (await build(ledger, latest + 1));
    if (next === undefined) {
      status = { ...status, isInFlight: false };
      return false;
    }
    await send(ledger, store.toCall(next), nonce);
    const isMined = (await client.totals('latest')).batches > latest;
    status = { ...status, isInFlight: !isMined };
    return isMined;
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
      const state = stateOf(err);
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

function stateOf(err: unknown): AnchoringStatus['state'] {
  if (err instanceof ChainStateError) return err.state;
  return err instanceof ChainUnavailableError ? 'unavailable' : 'failed';
}
