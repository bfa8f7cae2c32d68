import { chainName } from './audit-store.js';
import type { PendingWrite } from './pending-write.js';

/** PostgreSQL keeps up to 64 savepoints of a transaction in shared memory. */
const MAX_BATCH_SIZE = 64;

/** Waiting writes by audit chain. */
export interface WriteQueue {
  /** The number of waiting writes of the chain. Undefined if there are none and the chain is not being written. */
  waiting(chain: string): number | undefined;
  push(write: PendingWrite): void;
  /** True if a write waits whose chain is not being written. */
  hasAvailable(): boolean;
  /** Reserves chains with waiting writes until `release`. `takeBatch` removes their writes, one of each chain in turn. */
  claim(maxChains: number): { takeBatch(): readonly PendingWrite[]; release(): void };
  /** Removes all waiting writes, of one chain or of all. */
  remove(chain?: string): readonly PendingWrite[];
}

export function createWriteQueue(): WriteQueue {
  /** In the order of the chains' turns. */
  const chains = new Map<string, PendingWrite[]>();
  const active = new Set<string>();
  const available = () => [...chains].filter(([chain, writes]) => writes.length > 0 && !active.has(chain));

  return {
    waiting: (chain) => chains.get(chain)?.length,
    push(write) {
      const chain = chainName(write.request.scope);
      const writes = chains.get(chain);
      if (writes) writes.push(write);
      else chains.set(chain, [write]);
    },
    hasAvailable: () => available().length > 0,
    claim(maxChains) {
      // Chains that don't fit stay at the head of the queue.
      const claimed = available().slice(0, Math.min(maxChains, MAX_BATCH_SIZE));
      for (const [chain] of claimed) active.add(chain);
      return {
        takeBatch() {
          const taken: PendingWrite[] = [];
          let turn = claimed.filter(([, writes]) => writes.length > 0);
          while (turn.length > 0 && taken.length < MAX_BATCH_SIZE) {
            for (const [, writes] of turn.slice(0, MAX_BATCH_SIZE - taken.length))
              taken.push(writes.shift() as PendingWrite);
            turn = turn.filter(([, writes]) => writes.length > 0);
          }
          return taken;
        },
        release() {
          for (const [chain, writes] of claimed) {
            active.delete(chain);
            chains.delete(chain);
            // Behind the other chains.
            if (writes.length > 0) chains.set(chain, writes);
          }
        },
      };
    },
    remove(only) {
      return [...chains].flatMap(([chain, writes]) => {
        if (only !== undefined && chain !== only) return [];
        if (!active.has(chain)) chains.delete(chain);
        return writes.splice(0);
      });
    },
  };
}
