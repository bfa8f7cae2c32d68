import type { AuditRow, Receipt, ReceiptDecision } from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { approveBind, approveDeclineBind } from '@svc/zk/field';
import type { Rows } from './chain/rows.js';
import { type Enrolled, isBoundTo, isCommitment, readEnrolments } from './enrolment.js';
import { ensure } from './fault.js';

/** A phone's clock may be that much off, and the row is written that much later. */
const CLOCK_MS = 5 * 60_000;
const WRITE_MS = 60_000;

/** A decision that is what the audit chain says of it, except for the pairing of its proof. */
export interface Decided {
  readonly decision: ReceiptDecision;
  /** From the row of the enrolment. */
  readonly userId: string;
  readonly enrolled: readonly [Enrolled, ...Enrolled[]];
  /** That the person decided. */
  readonly row: AuditRow;
}

/** @throws ReceiptFault for the first decision that is not what it must be */
export function readDecisions({ decisions, statement }: Receipt, digest: string, rows: Rows): Decided[] {
  const decided = decisions.map((decision) => readDecision(statement, digest, decision, rows));
  const people = new Set(decided.map(({ userId }) => userId));
  ensure(people.size === decided.length, 'person_twice', 'One person is counted twice.');
  const numbers = new Set(decisions.flatMap(({ matchCode }) => matchCode ?? []));
  ensure(numbers.size <= 1, 'decision_invalid', 'The approvers typed different numbers.');
  return decided;
}

function readDecision(statement: Statement, digest: string, decision: ReceiptDecision, rows: Rows): Decided {
  checkBinding(statement, digest, decision);
  const enrolled = readEnrolments(statement, decision, rows) as [Enrolled, ...Enrolled[]];
  const { leaf } = enrolled[0];
  ensure(
    isCommitment(decision, leaf.commitment),
    'enrolment_wrong',
    `The proof of ${decision.did} is of another secret than that of the enrolment.`,
  );
  const isApprover = statement.approvers.includes(leaf.userId);
  ensure(isApprover, 'decision_invalid', `The person ${leaf.userId} is not one of the approvers.`);
  const row = findRow(statement, digest, decision, enrolled[0], rows);
  ensure(row !== undefined, 'row_missing', `The row in which ${leaf.userId} decided is not in the receipt.`);
  checkTimes(statement, decision, row);
  ensure(
    enrolled[0].seq < row.seq,
    'decision_invalid',
    `The person ${leaf.userId} decided before the identity was in force.`,
  );
  return { decision, userId: leaf.userId, enrolled, row };
}

function checkBinding(
  { approvalId, tenantId, environment, match }: Statement,
  digest: string,
  sent: ReceiptDecision,
): void {
  const { did, decision, decidedAt, reason, matchCode } = sent;
  const isApproval = decision === 'approve';
  ensure(
    !isApproval || reason === undefined,
    'decision_invalid',
    `The approval of ${did} has a reason, which only declines have.`,
  );
  ensure(
    match === 'type' ? !isApproval || matchCode !== undefined : matchCode === undefined,
    'decision_invalid',
    `The decision of ${did} lacks the number that the statement asks for, or has one that it does not ask for.`,
  );
  const fields = { tenantId, environment, approvalId, digest, decidedAtMs: Date.parse(decidedAt), matchCode };
  const bind = isApproval ? approveBind(fields) : approveDeclineBind({ ...fields, reason });
  ensure(
    isBoundTo(sent, bind),
    'binding_wrong',
    `The proof of ${did} is of another text, decision or time: something was changed after the phone made it.`,
  );
}

/** The newest one: a person may decide again after a decision was dropped. */
function findRow(
  { approvalId }: Statement,
  digest: string,
  { decision }: ReceiptDecision,
  { leaf: { userId, identityId } }: Enrolled,
  rows: Rows,
): AuditRow | undefined {
  const action = decision === 'approve' ? 'approval.approved_by' : 'approval.declined_by';
  return [...rows.values()].findLast(
    ({ metadata, entityId, status, ...row }) =>
      row.action === action &&
      status === 'success' &&
      entityId === approvalId &&
      metadata.digest === digest &&
      metadata.userId === userId &&
      metadata.identityId === identityId,
  );
}

function checkTimes(
  { createdAt, expiresAt }: Statement,
  { did, decidedAt }: ReceiptDecision,
  row: AuditRow,
): void {
  const [created, expires, decided, written] = [createdAt, expiresAt, decidedAt, row.createdAt].map((time) =>
    Date.parse(time),
  ) as [number, number, number, number];
  const isInTime =
    decided >= created - CLOCK_MS &&
    decided < expires &&
    written >= created - WRITE_MS &&
    written < expires &&
    Math.abs(written - decided) <= CLOCK_MS + WRITE_MS;
  ensure(isInTime, 'decision_invalid', `The decision of ${did} was not made while the approval was open.`);
}
