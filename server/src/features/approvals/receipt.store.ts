import type { Groth16Proof } from '@svc/zk/verifier/proof';
import { sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';
import type { ApprovalState, Reason } from './states.js';

/** An approval as it was recorded, whatever the time is now. */
export interface RecordedRow {
  state: ApprovalState;
  /** Null after an approver was erased. */
  statement: string | null;
  created_at: Date;
  /** Null unless it was cancelled, was used or expired. */
  ended_at: Date | null;
}

/** A decision that counts. */
export interface DecisionRow {
  decision: 'approve' | 'decline';
  decided_at: Date;
  recorded_at: Date;
  identity_id: string;
  did: string;
  reason: Reason | null;
  typed_number: string | null;
  circuit: string;
  proof: { readonly proof: Groth16Proof; readonly publicSignals: readonly [string, string, string] };
}

type JoinedRow = RecordedRow & (DecisionRow | { decision: null });

/** An approval with its decisions in their order, as they are at one moment. */
export async function findRecorded(
  read: Read,
  id: string,
): Promise<{ approval: RecordedRow; decisions: DecisionRow[] } | undefined> {
  const { tenantId, environment } = read.scope;
  const rows =
    await read.query<JoinedRow>(sql.query`select t.state, t.statement, t.created_at, t.ended_at, p.decision,
      p.decided_at, p.recorded_at, p.identity_id, p.did, p.reason, p.typed_number, p.circuit, p.proof
    from approvals t left join approval_approvers p on p.tenant_id = ${tenantId} and p.environment = ${environment}
      and p.approval_id = t.id and p.decision is not null
    where ${within(read.scope, 't')} and t.id = ${id} order by p.recorded_at, p.user_id`);
  const [approval] = rows;
  return approval && { approval, decisions: rows.filter((row) => row.decision !== null) };
}
