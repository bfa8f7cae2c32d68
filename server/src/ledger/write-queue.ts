import { chainName } from './audit-store.js';
import type { PendingWrite } from './pending-write.js';

/** Writes that share a transaction. PostgreSQL keeps up to 64 savepoints of a transaction at hand. */
const MAX_BATCH_SIZE = 64;

/** Writes that wait, by chain. */
export interface WriteQueue {
  /** How many of that chain wait; undefined when none does and the chain is not being served. */
  waiting(chain: string): number | undefined;
  push(write: PendingWrite): void;
  /** True when somebody waits whose chain is not being served. */
  hasFree(): boolean;
  /** Chains that are nobody else's to serve until `done`, with those who wait in them, in turns. */
  claim(mostChains: number): { take(): readonly PendingWrite[]; done(): void };
  /** Takes everybody who waits, of that chain or at all. */
  remove(chain?: string): readonly PendingWrite[];
}

export function createWriteQueue(): WriteQueue {
  /** In the order in which the chains take their turns. */
  const chains = new Map<string, PendingWrite[]>();
  const served = new Set<string>();
  const free = () => [...chains].filter(([chain, writes]) => writes.length > 0 && !served.has(chain));

  return {
    waiting: (chain) => chains.get(chain)?.length,
    push(write) {
      const chain = chainName(write.request.scope);
      const writes = chains.get(chain);
      if (writes) writes.push(write);
      else chains.set(chain, [write]);
    },
    hasFree: () => free().length > 0,
    claim(mostChains) {
      // Chains that find no room keep their slots, which are then the first.
      const claimed = free().slice(0, Math.min(mostChains, MAX_BATCH_SIZE));
      for (const [chain] of claimed) served.add(chain);
      return {
        take() {
          const taken: PendingWrite[] = [];
          let turn = claimed.filter(([, writes]) => writes.length > 0);
          while (turn.length > 0 && taken.length < MAX_BATCH_SIZE) {
            for (const [, writes] of turn.slice(0, MAX_BATCH_SIZE - taken.length))
              taken.push(writes.shift() as PendingWrite);
            turn = turn.filter(([, writes]) => writes.length > 0);
          }
          return taken;
        },
        done() {
          for (const [chain, writes] of claimed) {
            served.delete(chain);
            chains.delete(chain);
            // Behind the others.
            if (writes.length > 0) chains.set(chain, writes);
          }
        },
      };
    },
    remove(only) {
      return [...chains].flatMap(([chain, writes]) => {
        if (only !== undefined && chain !== only) return [];
        if (!served.has(chain)) chains.delete(chain);
        return writes.splice(0);
      });
    },
  };
}
