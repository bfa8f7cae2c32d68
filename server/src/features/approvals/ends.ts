import { catchError, fail } from '../../base/errors.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader } from '../../ledger/write.js';
import * as store from './approvals.store.js';
import { APPROVAL_TOPIC, auditApproval } from './changes.js';

const BATCH_SIZE = 100;

type Ending = { readonly scope: Scope; readonly id: string; readonly now: Date };

/** Ends an approval that waits or is given. Nothing happens if another node was first. */
async function end(
  { write }: Pick<Deps, 'write'>,
  { scope, id, now }: Ending,
  to: 'expired' | 'cancelled',
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const action = `approval.${to}` as const;
  const ending = write({ scope, actor: { type: 'system', id: null }, action }, async (w) => {
    const ended = await store.moveApproval(w, id, ['pending', 'approved'], to, now);
    if (ended === undefined) return fail('approval_closed', { because: 'ended by another node' });
    auditApproval(w, action, ended, metadata);
  });
  await catchError('approval_closed', ending);
}

/** Records the end of the approvals whose time is over. */
export async function expireApprovals(
  deps: Pick<Deps, 'bus' | 'db' | 'write'> & BatchLimits,
  batchSize = BATCH_SIZE,
): Promise<void> {
  const now = new Date(deps.clock.now());
  await inBatches(deps, async () => {
    const lapsed = await store.listLapsed(deps.db, now, batchSize);
    for (const { tenant_id: tenantId, environment, id } of lapsed) {
      await end(deps, { scope: { tenantId, environment }, id, now }, 'expired');
      deps.bus.publish(APPROVAL_TOPIC, id);
    }
    return lapsed.length === batchSize;
  });
}

/** Cancels every approval of a restored chain that waits or is given: it may have been used since the backup. */
export async function cancelRestored(
  deps: Pick<Deps, 'clock' | 'db' | 'write'>,
  scope: Scope,
  batchSize = BATCH_SIZE,
): Promise<void> {
  const now = new Date(deps.clock.now());
  for (;;) {
    const open = await store.listOpen(reader(deps.db, scope), batchSize);
    await Promise.all(open.map((id) => end(deps, { scope, id, now }, 'cancelled', { by: 'restore' })));
    if (open.length < batchSize) return;
  }
}
