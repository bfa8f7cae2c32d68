import { catchError } from '../../base/errors.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import * as store from './corrections.store.js';
import { actionOf, settle } from './decide.js';

const BATCH_SIZE = 100;

/** Records that corrections got no answer in time. */
export async function endUnanswered(
  deps: Pick<Deps, 'db' | 'ids' | 'write'> & BatchLimits,
  batchSize = BATCH_SIZE,
): Promise<void> {
  const now = new Date(deps.clock.now());
  await inBatches(deps, async () => {
    const lapsed = await store.listLapsed(deps.db, now, batchSize);
    for (const { id, tenant_id: tenantId, environment } of lapsed) {
      const caller = {
        scope: { tenantId, environment },
        actor: { type: 'system', id: null },
        action: actionOf('unanswered'),
      } as const;
      const ending = deps.write(caller, (w) => settle(w, deps, id, { state: 'unanswered' }, now));
      // Another node was first.
      await catchError('correction_closed', ending);
    }
    return lapsed.length === batchSize;
  });
}
