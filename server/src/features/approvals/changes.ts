import type { Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import type { ApprovalRow } from './approvals.store.js';

/** Published after each change of an approval, with its id. */
export const APPROVAL_TOPIC = 'approval';

/** The event of an approval. It has ids, counts and the digest, never the text. */
export const auditApproval = (
  w: Write,
  action: AuditAction,
  { id, digest }: Pick<ApprovalRow, 'id' | 'digest'>,
  metadata: Readonly<Record<string, string | number>> = {},
): void => w.audit({ action, entityType: 'approval', entityId: id, metadata: { ...metadata, digest } });
