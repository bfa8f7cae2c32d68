import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import { isUpgraded } from '../../db/upgrade-time.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import * as store from './sealed-chains.store.js';

type JobDeps = Pick<Deps, 'db' | 'write'> & BatchLimits;

/** Before it, records had no seals. */
const MIGRATION = '0050b_seals_of_pairings';
const CHAINS_AT_ONCE = 100;

/** Another node was first, so this write is not needed. */
class SealedError extends Error {
  override readonly name = 'SealedError';
}

/**
 * Enters `chain.records_sealed` into each chain once: from there on, a record without a seal is an attack. For at most half a minute; the
 * next run continues. Does nothing in the first hour of an upgrade, when nodes of the previous version still write records.
 */
export async function sealChains(deps: JobDeps): Promise<void> {
  if (!(await isUpgraded(deps.db, MIGRATION, deps.clock.now()))) return;
  await inBatches(deps, async () => {
    const scopes = await store.listUnsealed(deps.db, CHAINS_AT_ONCE);
    for (const scope of scopes) {
      await sealChain(deps, scope);
      if (deps.signal?.aborted) return false;
    }
    return scopes.length === CHAINS_AT_ONCE;
  });
}

async function sealChain({ write, clock }: JobDeps, scope: Scope): Promise<void> {
  const request = { scope, actor: { type: 'system', id: null }, action: 'chain.records_sealed' } as const;
  try {
    await write(request, async (w) => {
      w.audit({ entityType: 'tenant', entityId: scope.tenantId });
      if (!(await store.recordSealed(w, new Date(clock.now())))) throw new SealedError();
    });
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
  }
}
