import { chainName } from './audit-store.js';
import type { Member } from './pending-write.js';

/** Writes that share a transaction. PostgreSQL keeps up to 64 savepoints of a transaction at hand. */
const MOST_TOGETHER = 64;

/** Writes that wait, by chain. */
export interface WriteQueue {
  /** How many of that chain wait; undefined when none does and the chain is not being served. */
  waiting(chain: string): number | undefined;
  push(member: Member): void;
  /** True when somebody waits whose chain is not being served. */
  hasFree(): boolean;
  /** Chains that are nobody else's to serve until `done`, with those who wait in them, in turns. */
  claim(mostChains: number): { take(): readonly Member[]; done(): void };
  /** Takes everybody who waits, of that chain or at all. */
  remove(chain?: string): readonly Member[];
}

export function createWriteQueue(): WriteQueue {
  /** In the order in which the chains take their turns. */
  const chains = new Map<string, Member[]>();
  const served = new Set<string>();
  const free = () => [...chains].filter(([chain, members]) => members.length > 0 && !served.has(chain));

  return {
    waiting: (chain) => chains.get(chain)?.length,
    push(member) {
      const chain = chainName(member.request.scope);
      const members = chains.get(chain);
      if (members) members.push(member);
      else chains.set(chain, [member]);
    },
    hasFree: () => free().length > 0,
    claim(mostChains) {
      // Chains that find no room keep their places, which are then the first.
      const claimed = free().slice(0, Math.min(mostChains, MOST_TOGETHER));
      for (const [chain] of claimed) served.add(chain);
      return {
        take() {
          const taken: Member[] = [];
          let turn = claimed.filter(([, members]) => members.length > 0);
          while (turn.length > 0 && taken.length < MOST_TOGETHER) {
            for (const [, members] of turn.slice(0, MOST_TOGETHER - taken.length))
              taken.push(members.shift() as Member);
            turn = turn.filter(([, members]) => members.length > 0);
          }
          return taken;
        },
        done() {
          for (const [chain, members] of claimed) {
            served.delete(chain);
            chains.delete(chain);
            // Behind the others.
            if (members.length > 0) chains.set(chain, members);
          }
        },
      };
    },
    remove(only) {
      return [...chains].flatMap(([chain, members]) => {
        if (only !== undefined && chain !== only) return [];
        if (!served.has(chain)) chains.delete(chain);
        return members.splice(0);
      });
    },
  };
}
