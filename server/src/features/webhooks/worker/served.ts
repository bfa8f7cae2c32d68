import type { Slots } from '../../../base/concurrency/slots.js';
import type { Deps } from '../../../http/deps.js';
import type { ChangeSignal } from '../../../http/transport/sse.js';
import { openSigner, type Signer } from '../secrets.js';
import type { AttemptRow } from '../webhooks.store.js';
import { type Chain, forget } from './chain.js';
import {
  type DeliveryWrite,
  type Progress,
  progressOf,
  type Round,
  readServed,
  recordRound,
  type ServedRow,
} from './deliveries.store.js';
import type { Position } from './message.js';
import { type Chunk, type Subscription, subscriptionOf, summaryAt } from './plan.js';
import { emptyRound } from './settle.js';

export const LEASE_MS = 20_000;

/** What all webhooks of a node share. */
export interface Node {
  readonly deps: Pick<
    Deps,
    'db' | 'clock' | 'timers' | 'ids' | 'isWriting' | 'log' | 'random' | 'sealer' | 'outbound' | 'write'
  >;
  readonly id: string;
  readonly w: DeliveryWrite;
  readonly slots: Slots;
  /** Aborted when nothing more is to be sent. */
  readonly stopping: AbortSignal;
  /** Aborted when requests in flight must end. */
  readonly aborting: AbortSignal;
  /** Counts what has something to do. */
  work(by: 1 | -1): void;
  onAttempt(status: AttemptRow['status']): void;
}

/** A webhook that this node serves. */
export interface Served {
  readonly chain: Chain;
  /** Set when the chain may have changed. */
  readonly changes: ChangeSignal;
  /** As it was last read. */
  row: ServedRow;
  subscription: Subscription;
  signer: Signer | undefined;
  /** How far it has come, and the cursor that is stored. They differ while it selects no event. */
  progress: Progress;
  stored: Position;
  leaseUntil: number;
  recordedAt: number;
  /** What was read and is still to be sent. */
  live: Chunk | undefined;
  replay: Chunk | undefined;
  /** A replay and new events take turns. */
  isReplayNext: boolean;
  /** It was read again and not compared with the chain since. */
  isReadAgain: boolean;
  /** Fewer requests at a time until then. */
  slowUntil: number;
  idleSince: number | undefined;
  isBusy: boolean;
  /** Of the chain, when it was last read. */
  wakes: number;
}

export const createServed = (chain: Chain, row: ServedRow, changes: ChangeSignal, now: number): Served => ({
  chain,
  changes,
  ...stateOf(chain, row),
  recordedAt: now,
  isReplayNext: true,
  isReadAgain: false,
  slowUntil: 0,
  idleSince: undefined,
  isBusy: true,
  wakes: chain.wakes,
});

function stateOf({ scope }: Chain, row: ServedRow) {
  const progress = progressOf(row);
  return {
    row,
    subscription: subscriptionOf(row, scope),
    signer: undefined,
    progress,
    stored: progress.cursor,
    leaseUntil: row.lease_until.getTime(),
    live: undefined,
    replay: undefined,
  };
}

/** Reads a webhook again. Returns false if this node no longer serves it. What is still to be sent stays unless a tenant changed the webhook. */
export async function reread({ w, id, deps }: Node, served: Served): Promise<boolean> {
  const { chain, live, replay, row: before } = served;
  const row = await readServed(w, chain.scope, before.id, id);
  if (row === undefined) return false;
  Object.assign(served, stateOf(chain, row));
  if (row.version === before.version) Object.assign(served, { live, replay });
  else forget(chain);
  served.recordedAt = deps.clock.now();
  return true;
}

/** Records a round and extends the lease. Returns false if the webhook must be read again. */
export async function record(node: Node, served: Served, round?: Round): Promise<boolean> {
  const { row, stored, progress, chain } = served;
  const recorded = round ?? emptyRound(row, progress);
  const now = node.deps.clock.now();
  const until = new Date(now + LEASE_MS);
  const due = summaryAt(recorded.progress);
  const [current] = await node.w.mutate<{ version: number }>(
    recordRound(
      chain.scope,
      { nodeId: node.id, until, row, stored, summaryAt: due === undefined ? null : new Date(due) },
      recorded,
    ),
  );
  if (current?.version !== row.version) return false;
  served.progress = recorded.progress;
  served.stored = recorded.progress.cursor;
  served.row = {
    ...row,
    last_success_at: recorded.lastSuccessAt,
    last_failure_at: recorded.lastFailureAt,
    consecutive_failures: recorded.consecutiveFailures,
  };
  served.leaseUntil = until.getTime();
  served.recordedAt = now;
  return true;
}

/** The secrets of the webhook, without one whose grace has ended. */
export async function signerOf({ deps }: Node, served: Served): Promise<Signer> {
  const { signer, row, chain } = served;
  const now = deps.clock.now();
  const isExpired = signer && signer.secrets.length > 1 && now >= (row.previous_secret_until?.getTime() ?? 0);
  if (signer && !isExpired) return signer;
  served.signer = await openSigner(deps.sealer, chain.scope, row, now);
  return served.signer;
}

/** A webhook is busy unless it waits for an event or for a time. */
export function setBusy(node: Node, served: Served, isBusy: boolean): void {
  if (served.isBusy === isBusy) return;
  served.isBusy = isBusy;
  node.work(isBusy ? 1 : -1);
}
