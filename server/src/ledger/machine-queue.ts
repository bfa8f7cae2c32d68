import { runFor } from '../base/telemetry/request-context.js';
import type { RawDatabase } from '../db/db.js';
import type { ChainDeps } from './audit-append.js';
import { commitBatch } from './batch.js';
import type { PendingWrite } from './pending-write.js';
import { createWriteQueue } from './write-queue.js';

/** Concurrent transactions of a queue. */
const MAX_TRANSACTIONS = 4;

/** Writes on one machine that have a transaction for their chain alone. They may wait for a lock. */
export interface MachineQueue {
  /** As `WriteQueue.waiting`. */
  waiting(chain: string): number | undefined;
  push(write: PendingWrite): void;
  /** As `WriteQueue.drop`. */
  drop(write: PendingWrite): boolean;
}

export function createMachineQueue(deps: ChainDeps, db: RawDatabase): MachineQueue {
  const queue = createWriteQueue();
  let serving = 0;

  async function commitNext(): Promise<void> {
    const { takeBatch, release } = queue.claim(1);
    try {
      const tx = await db.begin();
      const { blocked } = await commitBatch(deps, tx, takeBatch());
      queue.fail(blocked);
    } catch (error) {
      for (const pending of queue.remove()) pending.reject(error);
    }
    release();
  }

  function serve(): void {
    while (queue.hasAvailable() && serving < MAX_TRANSACTIONS) {
      serving += 1;
      void runFor(undefined, commitNext).finally(() => {
        serving -= 1;
        serve();
      });
    }
  }

  return {
    waiting: queue.waiting,
    push(write) {
      queue.push(write);
      serve();
    },
    drop: queue.drop,
  };
}
