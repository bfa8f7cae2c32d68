import type { AuditRow } from '@svc/zk/approvals/receipt';
import type { ReadExport } from './chain/export.js';
import type { Decided } from './decisions.js';
import type { Enrolled } from './enrolment.js';
import { ensure } from './fault.js';

/**
 * Checks that nothing ended an identity, or replaced its secret, between its enrolment and what it was used for: to put the next one in
 * force, to decide, and, for an approval, to be counted in the outcome.
 * @returns false if the export ends too early to show it
 * @throws ReceiptFault `not_in_force`
 */
export function checkInForce(
  decided: readonly Decided[],
  outcome: AuditRow | undefined,
  { ends, seq }: ReadExport,
): boolean {
  const isEndedBetween = ({ leaf, seq: from }: Enrolled, to: number): boolean =>
    ends.some(
      ({ entityId, seq: at }) =>
        (entityId === leaf.identityId || entityId === leaf.userId) && from < at && at < to,
    );
  for (const { userId, decision, enrolled, row } of decided) {
    const counted = decision.decision === 'approve' && outcome ? outcome.seq : row.seq;
    const isEnded =
      isEndedBetween(enrolled[0], counted) ||
      enrolled.slice(1).some((each, at) => isEndedBetween(each, (enrolled[at] as Enrolled).seq));
    ensure(
      !isEnded,
      'not_in_force',
      `An identity of ${userId} was no longer in force, or had another secret, when it was used.`,
    );
  }
  return seq >= Math.max(0, outcome?.seq ?? 0, ...decided.map(({ row }) => row.seq));
}
