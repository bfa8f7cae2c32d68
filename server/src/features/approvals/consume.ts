import { actionHash, type Statement } from '@svc/zk/approvals/statement';
import { commitmentFromHex } from '@svc/zk/field';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Write } from '../../ledger/write.js';
import { requireApproval, showRow } from './approvals.js';
import * as store from './approvals.store.js';
import { APPROVAL_TOPIC, auditApproval } from './changes.js';
import { readReceipt } from './receipt.js';
import { stateAt } from './states.js';

type Context = ScopedContext & {
  readonly deps: Pick<Deps, 'bus' | 'clock' | 'config' | 'db' | 'ids' | 'keyring' | 'log' | 'random' | 'zk'>;
};

/**
 * Drops the decisions of people who may not approve any more, or whose phone has another secret than the one that approved: people
 * change it because somebody else may know it. Returns how many.
 */
async function dropChanged(w: Write, id: string, now: Date): Promise<number> {
  const given = await store.listGiven(w, id, now);
  const dropped = given.filter(
    ({ commitment, public_signals: [proved] }) =>
      commitment === null || String(commitmentFromHex(commitment)) !== proved,
  );
  if (dropped.length > 0) await store.dropGiven(w, id, dropped);
  return dropped.length;
}

/**
 * Uses an approval, once. The caller computes the hash from what it is about to do. The people who approved must still be able to, with the secret of then:
 * otherwise their decisions are dropped and the approval waits again. The receipt has no tree, so that the response does not wait for it.
 */
export async function consumeApproval(context: Context, id: string, actionSha256: string) {
  const { deps, read, write } = context;
  const found = await requireApproval(read, id);
  requireApproved(found, deps.clock.now());
  const { statement } = found;
  if (statement === null) return fail('user_erased');
  if (actionHash((JSON.parse(statement) as Statement).action) !== actionSha256)
    return fail('approval_mismatch');
  const approval = await write('approval.consumed', async (w) => {
    const now = new Date(deps.clock.now());
    const row = await store.moveApproval(w, id, ['approved'], 'consumed', now);
    if (row === undefined) {
      requireApproved(await requireApproval(w, id), now.getTime());
      return fail('approval_not_approved', { because: 'concurrently' });
    }
    if (row.expires_at <= now) return fail('approval_not_approved', { because: 'expired' });
    const dropped = await dropChanged(w, id, now);
    if (dropped > 0) {
      w.audit({
        entityType: 'approval',
        entityId: id,
        status: 'failure',
        metadata: { dropped, digest: row.digest },
      });
      await store.moveApproval(w, id, ['consumed'], 'pending');
      return undefined;
    }
    auditApproval(w, 'approval.consumed', row);
    return showRow({ read: w, deps }, row);
  });
  deps.bus.publish(APPROVAL_TOPIC, id);
  if (approval === undefined) return fail('approver_revoked');
  // The approval is used, so its caller may act even if the receipt cannot be read now.
  const receipt = await readReceipt(deps, read, id, { withTree: false }).catch((error: unknown) => {
    deps.log.warn({ err: error, approvalId: id }, 'the receipt of a used approval could not be read');
    return null;
  });
  return { approval, receipt };
}

function requireApproved(row: store.ApprovalRow, now: number): void {
  const state = stateAt(row, now);
  if (state === 'consumed') fail('approval_consumed');
  if (state !== 'approved') fail('approval_not_approved', { because: state });
}
