import { type BatchLimits, inBatches } from '../../../db/in-batches.js';
import type { Deps } from '../../../http/deps.js';
import { chainName, type Scope } from '../../../ledger/audit-store.js';
import { type SigningDeps, signNext } from './signing.js';
import * as store from './tree.store.js';

type JobDeps = SigningDeps & BatchLimits;

/** The chains of a group are read in one round trip. */
const GROUP_SIZE = 25;
/** Steps for long chains from before, until the search goes on to the next group. */
const STEPS_AT_ONCE = 8;

/**
 * Signs the trees of the chains that this node has added rows to. A chain that needs another step waits for the next run. One that is
 * not what was signed waits for the search.
 */
export async function signGrown(deps: JobDeps & Pick<Deps, 'grownChains'>): Promise<void> {
  const scopes = deps.grownChains.take();
  for (let at = 0; at < scopes.length; at += GROUP_SIZE) {
    const group = scopes.slice(at, at + GROUP_SIZE);
    const steps = await signNext(deps, group);
    for (const [index, scope] of group.entries())
      if (steps[index] === 'more') deps.grownChains.add(chainName(scope));
  }
}

/**
 * Finds the chains whose tree is behind, and signs it: chains from before there were trees, and rows whose node ended before it signed
 * their tree. Also trees of the previous secret. For at most half a minute; the next run continues.
 */
export async function signBehind(deps: JobDeps): Promise<void> {
  let after: Scope | undefined;
  let isUnfinished = false;
  await inBatches(deps, async () => {
    let rest: readonly Scope[] = await store.listBehind(deps.db, deps.keyring.current.kid, after, GROUP_SIZE);
    after = rest.at(-1);
    for (let steps = 0; rest.length > 0 && steps < STEPS_AT_ONCE && !deps.signal?.aborted; steps += 1) {
      const done = await signNext(deps, rest);
      rest = rest.filter((_, at) => done[at] === 'more');
    }
    isUnfinished ||= rest.length > 0;
    if (after !== undefined) return true;
    // Once more from the first chain, for those that are longer.
    const again = isUnfinished;
    isUnfinished = false;
    return again;
  });
}
