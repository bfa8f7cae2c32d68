import type { Timers } from '../base/clock.js';
import type { Random } from '../base/crypto/random.js';
import { Failure, fail } from '../base/errors.js';
import { runFor } from '../base/telemetry/request-context.js';
import { DatabaseUnavailableError, type RawDatabase, type Transaction } from '../db/db.js';
import type { ChainDeps } from './audit-append.js';
import { chainName, type Scope } from './audit-store.js';
import { commitBatch } from './batch.js';
import { idempotencyName } from './idempotency.js';
import { createMachineQueue, type MachineQueue } from './machine-queue.js';
import { createPendingWrite, type PendingWrite } from './pending-write.js';
import type { TenantWrite, WriteRequest, Writer } from './write.js';
import { createWriteQueue } from './write-queue.js';

/** Waiting writes of one chain. */
const MAX_QUEUE_LENGTH = 1_000;
/** How long a write waits for its transaction to begin. Clients give up soon after. */
const MAX_WAIT_MS = 10_000;
/** A shared transaction that takes longer no longer delays the chains that are not in it. */
const SLOW_MS = 100;
/** Chains in one shared transaction. */
const MAX_CHAINS = Number.POSITIVE_INFINITY;
/** Concurrent shared transactions. */
const MAX_SHARED = 4;

interface WriterDeps extends ChainDeps {
  readonly db: RawDatabase;
  readonly timers: Timers;
  readonly random: Random;
  /** Called after a write that the database could not do. */
  readonly failed?: () => void;
}

/**
 * Writes to one audit chain commit one after another. Writes that arrive while a transaction is open share the next one, from
 * all chains in turn; a lone write starts immediately (docs/adr/0009-group-commit.md). Writes that may have to wait for a lock get
 * a transaction for their chain alone: those of a chain that another node is writing, and those that lock their tenant's row
 * (docs/adr/0014-lock-order.md). On a database that is spread over several machines, all writes do, because a transaction of two
 * chains would be a commit on two of them.
 */
export function createWriter(deps: WriterDeps): Writer {
  const shared = createWriteQueue();
  /** One for each machine of the database, so that a slow one does not delay the others. */
  const queues = new Map<RawDatabase, MachineQueue>();
  const keysInUse = new Set<string>();
  let sharing = 0;
  let startedAt = 0;
  let cancelTimer: (() => void) | undefined;

  function queueOf({ tenantId }: Scope): MachineQueue {
    const db = deps.db.near?.(tenantId) ?? deps.db;
    const own = queues.get(db) ?? createMachineQueue(deps, db);
    queues.set(db, own);
    return own;
  }

  /** Runs a transaction of all chains that are available when it begins. */
  async function share(): Promise<void> {
    let tx: Transaction;
    try {
      tx = await deps.db.begin();
    } catch (error) {
      for (const pending of shared.remove()) pending.reject(error);
      return;
    }
    const { takeBatch, release } = shared.claim(MAX_CHAINS);
    const { lockedElsewhere, blocked } = await commitBatch(deps, tx, takeBatch());
    shared.fail(blocked);
    const left = lockedElsewhere.flatMap(({ request }) => shared.remove(chainName(request.scope)));
    for (const pending of [...lockedElsewhere, ...left]) queueOf(pending.request.scope).push(pending);
    release();
  }

  /** Starts a shared transaction unless one is open. A slow one does not delay the next. */
  function serveShared(): void {
    if (!shared.hasAvailable() || sharing === MAX_SHARED) return;
    const early = SLOW_MS - (deps.clock.now() - startedAt);
    if (sharing > 0 && early > 0) {
      cancelTimer ??= deps.timers.after(early, () => {
        cancelTimer = undefined;
        serveShared();
      });
      return;
    }
    sharing += 1;
    startedAt = deps.clock.now();
    void runFor(undefined, share).finally(() => {
      sharing -= 1;
      cancelTimer?.();
      cancelTimer = undefined;
      serveShared();
    });
  }

  function enqueue(pending: PendingWrite): void {
    const { scope, locks } = pending.request;
    const chain = chainName(scope);
    const own = queueOf(scope);
    const isAlone = deps.db.isSpread || locks === 'tenant' || own.waiting(chain) !== undefined;
    const queue = isAlone ? own : shared;
    if ((queue.waiting(chain) ?? 0) >= MAX_QUEUE_LENGTH) {
      pending.reject(new DatabaseUnavailableError('Too many writes wait for this chain'));
      return;
    }
    queue.push(pending);
    if (!isAlone) serveShared();
  }

  /** Rejects a write that still waits. One that has begun ends by the database's own timeouts. */
  function giveUp(pending: PendingWrite): void {
    if (!shared.drop(pending) && !queueOf(pending.request.scope).drop(pending)) return;
    pending.reject(new Failure('service_unavailable', { because: `waited ${MAX_WAIT_MS} ms for its turn` }));
  }

  async function write<T>(request: WriteRequest, work: (w: TenantWrite) => Promise<T>): Promise<T> {
    const { scope, idempotency } = request;
    const name = idempotency && idempotencyName(scope, idempotency);
    if (name !== undefined) {
      if (keysInUse.has(name)) fail('idempotency_key_in_use');
      keysInUse.add(name);
    }
    deps.writing?.(1);
    let isLate = false;
    let cancelDeadline = () => {};
    try {
      return await new Promise((resolve, reject) => {
        // One that is on its way from one queue to the other is dropped when its turn comes.
        const isAbandoned = () => isLate || request.isAbandoned?.() === true;
        const turn = createPendingWrite({ ...request, isAbandoned }, work, { resolve, reject }, deps.random);
        cancelDeadline = deps.timers.after(MAX_WAIT_MS, () => {
          isLate = true;
          giveUp(turn);
        });
        enqueue(turn);
      });
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) deps.failed?.();
      throw error;
    } finally {
      cancelDeadline();
      deps.writing?.(-1);
      if (name !== undefined) keysInUse.delete(name);
    }
  }

  return write;
}
