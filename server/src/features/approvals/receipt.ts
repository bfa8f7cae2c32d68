import type { AuditRow, Receipt, ReceiptDecision } from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { commitmentToHex } from '@svc/zk/field';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { type AuditEventRow, findSeqOf, listEventsAt } from '../../ledger/read-events.js';
import { readSignedHead } from '../../ledger/signed-head.js';
import type { Read } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { iso } from '../../records/schema.js';
import { awaitTree, consistencyOf, inclusionOf, serializeEvent } from '../audit/audit.js';
import { traceEnrolment } from '../identities/identities.js';
import * as store from './receipt.store.js';
import type { ApprovalState } from './states.js';

/** Enrolments that a receipt has, so that it stays below the 256 KiB that checkers read. Each decision has at least one. */
const MAX_ENROLMENTS = 32;

interface TreeOptions {
  readonly withTree: boolean;
  readonly from?: number | undefined;
}

type ReceiptDeps = Pick<Deps, 'clock' | 'db' | 'keyring' | 'log' | 'zk'>;

/**
 * What people decided, with everything that somebody needs to check it without the service. `withTree` waits until the tree covers all of
 * its rows. `from` is the size of an earlier tree, of which the receipt then proves that it is the beginning of this one.
 */
export async function readReceipt(
  deps: ReceiptDeps,
  read: Read,
  id: string,
  { withTree, from }: TreeOptions,
): Promise<Receipt> {
  const found = await store.findRecorded(read, id);
  if (found === undefined) return fail('approval_not_found');
  const { approval, decisions } = found;
  if (approval.statement === null) return fail('user_erased');
  const outcome = approval.state;
  if (outcome === 'pending') return fail('approval_not_approved', { because: 'pending' });
  const [shown, seqs] = await Promise.all([
    showDecisions(deps, read, decisions),
    seqsOf(read, id, approval, decisions),
  ]);
  const enrolments = shown.flatMap(({ enrolment }) => enrolment.map(({ seq }) => seq));
  const events = await listEventsAt(read, [...new Set([...enrolments, ...seqs])]);
  const rows = [...events.values()].sort((left, right) => left.seq - right.seq);
  const { setup, sha256: vkeySha256 } = deps.zk;
  return {
    v: 'svc-receipt-1',
    setup: { kind: setup.kind, contributors: setup.contributors, vkeySha256 },
    statement: JSON.parse(approval.statement) as Statement,
    outcome,
    decisions: shown,
    ...(await chainOf(deps, read, rows, { withTree, from })),
    head: await readSignedHead(read, deps),
  };
}

/** The rows with the proofs that they are in the tree. Without a tree that covers them all, they have none. */
async function chainOf(
  deps: ReceiptDeps,
  read: Read,
  rows: readonly AuditEventRow[],
  { withTree, from }: TreeOptions,
): Promise<Pick<Receipt, 'chain' | 'tree' | 'consistency'>> {
  const newest = rows.at(-1)?.seq ?? 0;
  const tree = withTree ? await awaitTree(deps, read.scope, newest) : null;
  if (tree && from !== undefined && from > tree.size)
    invalid('query.from', `is larger than the signed tree, which has ${tree.size} entries`);
  const chain = rows.map(async (row) => ({
    row: serializeEvent(row) as AuditRow,
    inclusion: tree && (await inclusionOf(read, row.seq, tree.size)),
  }));
  const consistency = tree &&
    from !== undefined && { from, proof: await consistencyOf(read, from, tree.size) };
  return { chain: await Promise.all(chain), tree, ...(consistency && { consistency }) };
}

/** Each decision with the enrolment of its identity. 410 if the person was erased since the decisions were read. */
async function showDecisions(
  deps: ReceiptDeps,
  read: Read,
  decisions: readonly store.DecisionRow[],
): Promise<ReceiptDecision[]> {
  const shown: ReceiptDecision[] = [];
  let left = MAX_ENROLMENTS;
  for (const [at, row] of decisions.entries()) {
    const { did, reason, typed_number: matchCode, proof } = row;
    const commitment = commitmentToHex(BigInt(proof.publicSignals[0]));
    const others = decisions.length - 1 - at;
    const enrolment = await traceEnrolment(deps, read, { did, commitment }, left - others);
    if (enrolment === undefined) return fail('user_erased');
    left -= enrolment.length;
    shown.push({
      did,
      decision: row.decision,
      decidedAt: iso(row.decided_at),
      ...(reason !== null && { reason }),
      ...(matchCode !== null && { matchCode }),
      circuit: row.circuit as ReceiptDecision['circuit'],
      ...proof,
      enrolment,
    });
  }
  return shown;
}

/** The sequence numbers of the events about the approval: that it was asked for, each decision, and the outcome. */
async function seqsOf(
  read: Read,
  entityId: string,
  { state, created_at, ended_at: endedAt }: store.RecordedRow,
  decisions: readonly store.DecisionRow[],
): Promise<number[]> {
  const decided = decisions.map(({ decision, recorded_at: since, identity_id: identityId }) => {
    const action = decision === 'approve' ? 'approval.approved_by' : 'approval.declined_by';
    return findSeqOf(read, { action, entityId, identityId, since });
  });
  const ended = ENDINGS[state];
  const [first, end, ...others] = await Promise.all([
    findSeqOf(read, { action: 'approval.created', entityId, since: created_at }),
    ended && endedAt ? findSeqOf(read, { action: ended, entityId, since: endedAt }) : undefined,
    ...decided,
  ]);
  // The write of the decision that settled it has the event of the outcome next.
  const settled = SETTLED.has(state) ? [Math.max(...others.map((seq) => seq ?? 0)) + 1] : [];
  return [first, end, ...others, ...settled].filter((seq) => seq !== undefined);
}

/** The events of outcomes that no decision settles. */
const ENDINGS: Readonly<Partial<Record<ApprovalState, AuditAction>>> = {
  expired: 'approval.expired',
  cancelled: 'approval.cancelled',
  consumed: 'approval.consumed',
};
const SETTLED: ReadonlySet<ApprovalState> = new Set(['approved', 'declined', 'consumed']);
