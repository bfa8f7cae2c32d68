import type { GrownChains } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';

/** Above this many, the search finds them in the database. */
const MAX_CHAINS = 10_000;

export function createGrownChains(): GrownChains {
  let names = new Set<string>();
  return {
    add(chain) {
      if (names.size < MAX_CHAINS) names.add(chain);
    },
    take() {
      const taken = names;
      names = new Set();
      return [...taken].map((name) => {
        const [tenantId = '', environment] = name.split('|');
        return { tenantId, environment: environment as Scope['environment'] };
      });
    },
  };
}
