import { Failure } from '../base/errors.js';
import { chainName } from './audit-store.js';
import type { Committed } from './batch.js';
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
  /** Rejects what waits behind a transaction that was given up. */
  fail(blocked: Committed['blocked']): void;
  /** Removes one write. False if it no longer waits. */
  drop(write: PendingWrite): boolean;
}

export function createWriteQueue(): WriteQueue {
  /** In the order of the chains' turns. */
  const chains = new Map<string, PendingWrite[]>();
  const active = new Set<string>();
  const available = () => [...chains].filter(([chain, writes]) => writes.length > 0 && !active.has(chain));

  function remove(only?: string): readonly PendingWrite[] {
    return [...chains].flatMap(([chain, writes]) => {
      if (only !== undefined && chain !== only) return [];
      if (!active.has(chain)) chains.delete(chain);
      return writes.splice(0);
    });
  }

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
          for (const [, writes] of claimed) dropAbandoned(writes);
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
    remove,
    fail(blocked) {
      for (const chain of blocked?.chains ?? [])
        for (const write of remove(chain)) write.reject(blocked?.error);
    },
    drop(write) {
      const chain = chainName(write.request.scope);
      const writes = chains.get(chain) ?? [];
      const at = writes.indexOf(write);
      if (at < 0) return false;
      writes.splice(at, 1);
      if (writes.length === 0 && !active.has(chain)) chains.delete(chain);
      return true;
    },
  };
}

/** Nobody would learn of their results, and a client that comes back sends them again. */
function dropAbandoned(writes: PendingWrite[]): void {
  for (const write of writes.splice(0)) {
    if (write.isAbandoned())
      write.reject(new Failure('service_unavailable', { because: 'it was abandoned while it waited' }));
    else writes.push(write);
  }
}
