import { chainName } from './audit-store.js';
import type { PendingWrite } from './pending-write.js';

/** PostgreSQL keeps up to 64 savepoints of a transaction in shared memory. */
export const MAX_BATCH_SIZE = 64;
/** Waiting writes of one chain. */
export const MAX_QUEUE_LENGTH = 1_000;

/** A chain that is being written. Nothing else in this process writes to it until `release`. */
export interface Turn {
  /** Removes the next batch from the queue. */
  takeBatch(): readonly PendingWrite[];
  /** Moves the chain behind the other chains with waiting writes. */
  release(): void;
}

/** Waiting writes by audit chain. The chains take turns, so many writes to one chain do not delay the others. */
export interface WriteQueue {
  /** Returns false when the chain's queue is full. */
  push(write: PendingWrite): boolean;
  /** Starts the turn of the next chain with waiting writes. Skips chains that are being written. */
  next(): Turn | undefined;
  /** Removes all waiting writes, of all chains. */
  clear(): readonly PendingWrite[];
}

interface Chain {
  readonly waiting: PendingWrite[];
  isActive: boolean;
}

export function createWriteQueue(): WriteQueue {
  const chains = new Map<string, Chain>();
  /** Names of the chains with waiting writes that are not being written, in the order of their turns. */
  const ready = new Set<string>();

  return {
    push(write) {
      const name = chainName(write.request.scope);
      const chain = chains.get(name) ?? { waiting: [], isActive: false };
      if (chain.waiting.length >= MAX_QUEUE_LENGTH) return false;
      chain.waiting.push(write);
      chains.set(name, chain);
      if (!chain.isActive) ready.add(name);
      return true;
    },
    next() {
      const [name] = ready;
      if (name === undefined) return undefined;
      ready.delete(name);
      const chain = chains.get(name) as Chain;
      chain.isActive = true;
      return {
        takeBatch: () => chain.waiting.splice(0, MAX_BATCH_SIZE),
        release() {
          chain.isActive = false;
          if (chain.waiting.length > 0) ready.add(name);
          else chains.delete(name);
        },
      };
    },
    clear() {
      const removed = [...chains.values()].flatMap(({ waiting }) => waiting.splice(0));
      for (const name of ready) chains.delete(name);
      ready.clear();
      return removed;
    },
  };
}
