import type { AuditRow, Receipt } from '@svc/zk/approvals/receipt';
import type { Rows } from './chain/rows.js';
import type { Decided } from './decisions.js';
import { ensure } from './fault.js';

/** Checks that the decisions lead to the outcome. @throws ReceiptFault `quorum_missing` */
export function checkQuorum({ outcome, statement }: Receipt, decided: readonly Decided[]): void {
  const { required, approvers } = statement;
  const approved = decided.filter(({ decision }) => decision.decision === 'approve').length;
  const declined = decided.length - approved;
  if (outcome === 'approved' || outcome === 'consumed')
    ensure(
      approved >= required,
      'quorum_missing',
      `${approved} people approved, but ${required} are required.`,
    );
  if (outcome === 'declined')
    ensure(
      approvers.length - declined < required,
      'quorum_missing',
      `${declined} people declined, so ${required} could still approve.`,
    );
}

/**
 * The row of the outcome, after those of the decisions. Undefined for an approval whose time is over before the service wrote so.
 * @throws ReceiptFault `outcome_wrong`
 */
export function findOutcome(
  { outcome, statement }: Receipt,
  digest: string,
  decided: readonly Decided[],
  rows: Rows,
): AuditRow | undefined {
  const row = [...rows.values()].findLast(
    ({ action, entityId, status, metadata }) =>
      action === `approval.${outcome}` &&
      entityId === statement.approvalId &&
      status === 'success' &&
      metadata.digest === digest,
  );
  if (row === undefined && outcome === 'expired') return undefined;
  ensure(
    row !== undefined,
    'outcome_wrong',
    `The row that says that the approval is ${outcome} is not in the receipt.`,
  );
  ensure(
    decided.every(({ row: { seq } }) => seq < row.seq),
    'outcome_wrong',
    'Somebody decided after the outcome.',
  );
  ensure(
    !['approved', 'consumed'].includes(outcome) || row.createdAt < statement.expiresAt,
    'outcome_wrong',
    `The approval was ${outcome} after its time.`,
  );
  return row;
}
