import { tagOf } from '@svc/chain/leaves';
import { type BatchLimits, inBatches } from '../../../db/in-batches.js';
import { isUpgraded } from '../../../db/upgrade-time.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { type Read, reader } from '../../../ledger/write.js';
import { addLeaf } from './commitments.js';
import { listUnenrolled } from './commitments.store.js';
import * as store from './leaf-chains.store.js';

type JobDeps = Pick<Deps, 'db' | 'log' | 'random' | 'write'> & BatchLimits;

/** Nodes of the version before it register identities without a leaf. */
const MIGRATION = '0030f_leaf_chains';
const CHAINS_AT_ONCE = 100;
const LEAVES_PER_WRITE = 200;
/** How many of the identities that get no leaf are named in the log. */
const MAX_NAMED = 20;

/** Another node has completed the chain, so this write is not needed. */
class CompletedError extends Error {
  override readonly name = 'CompletedError';
}

/**
 * Gives identities from before their leaves, chain by chain, and ends each chain's leaves with `chain.leaves_complete`: one that is
 * added after it is an attack. For at most half a minute; the next run continues. Does nothing in the first hour of an upgrade.
 */
export async function addLeaves(deps: JobDeps, leavesPerWrite = LEAVES_PER_WRITE): Promise<void> {
  if (!(await isUpgraded(deps.db, MIGRATION, deps.clock.now()))) return;
  let after: Scope | undefined;
  await inBatches(deps, async () => {
    const scopes = await store.listIncomplete(deps.db, after, CHAINS_AT_ONCE);
    for (const scope of scopes) {
      await complete(deps, scope, leavesPerWrite);
      if (deps.signal?.aborted) return false;
    }
    after = scopes.at(-1);
    return scopes.length === CHAINS_AT_ONCE;
  });
}

async function complete(deps: JobDeps, scope: Scope, leavesPerWrite: number): Promise<void> {
  const read = reader(deps.db, scope);
  if (await store.isInChain(read)) return restore(deps, read);
  await inBatches(deps, async () => {
    try {
      return await addSome(deps, scope, leavesPerWrite);
    } catch (error) {
      if (error instanceof CompletedError) return false;
      throw error;
    }
  });
  await alarmOf(deps, read, 'altered', 'identities differ from their anchors and got no leaf');
}

/** One write. Returns true if the chain needs more, and otherwise completes it. */
function addSome(deps: JobDeps, scope: Scope, count: number): Promise<boolean> {
  const tag = tagOf(scope.tenantId, scope.environment);
  const actor = { type: 'system', id: null } as const;
  return deps.write({ scope, actor, action: 'chain.leaves_complete' }, async (w) => {
    if (await store.isRecorded(w)) throw new CompletedError();
    const now = new Date(deps.clock.now());
    const lacking = await listUnenrolled(w, tag, 'sound', count);
    await Promise.all(lacking.map((identity) => addLeaf(w, deps, identity, now)));
    if (lacking.length === count) return true;
    w.audit({ entityType: 'tenant', entityId: scope.tenantId });
    await store.recordComplete(w, now);
    return false;
  });
}

/** The row of a chain that its own events call complete was deleted, so that identities could get new leaves. They get none. */
async function restore(deps: JobDeps, read: Read): Promise<void> {
  await store.restoreComplete(unaudited(deps.db, 'leaf chains'), read.scope, new Date(deps.clock.now()));
  deps.log.warn({ ...read.scope }, 'the row of a completed chain was missing in leaf_chains');
  await alarmOf(deps, read, 'all', 'identities have lost their leaves');
}

/** Names some of the identities without a leaf, if there are any. */
async function alarmOf(
  { log }: JobDeps,
  read: Read,
  which: 'altered' | 'all',
  message: string,
): Promise<void> {
  const tag = tagOf(read.scope.tenantId, read.scope.environment);
  const identities = await listUnenrolled(read, tag, which, MAX_NAMED);
  if (identities.length > 0)
    log.fatal({ ...read.scope, identityIds: identities.map(({ id }) => id) }, message);
}
