import type { AuditRow } from '@svc/zk/approvals/receipt';
import type { ReadExport } from './chain/export.js';
import type { Decided } from './decisions.js';
import type { Enrolled } from './enrolment.js';
import { ensure } from './fault.js';

/**
 * Checks that nothing ended an identity between its enrolment and what it was used for: to put the next one in force, to decide, and, for
 * an approval, to be counted in the outcome.
 * @returns false if the export ends too early to show it
 * @throws ReceiptFault `not_in_force`
 */
export function checkInForce(
  decided: readonly Decided[],
  outcome: AuditRow | undefined,
  { ends, seq }: ReadExport,
): boolean {
  const isEndedBetween = ({ leaf, seq: from }: Enrolled, to: number, rotates: boolean): boolean =>
    ends.some(
      ({ action, entityId, ...row }) =>
        (entityId === leaf.identityId || entityId === leaf.userId) &&
        from < row.seq &&
        row.seq < to &&
        (rotates || action !== 'identity.rotated'),
    );
  for (const { userId, decision, enrolled, row } of decided) {
    const counted = decision.decision === 'approve' && outcome ? outcome.seq : row.seq;
    const isEnded =
      isEndedBetween(enrolled[0], row.seq, true) ||
      isEndedBetween(enrolled[0], counted, false) ||
      enrolled.slice(1).some((each, at) => isEndedBetween(each, (enrolled[at] as Enrolled).seq, true));
    ensure(!isEnded, 'not_in_force', `An identity of ${userId} was no longer in force when it was used.`);
  }
  return seq >= Math.max(0, outcome?.seq ?? 0, ...decided.map(({ row }) => row.seq));
}
