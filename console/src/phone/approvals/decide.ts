import { isSvcError, SvcError } from '@svc/sdk';
import type { DecisionChoice } from '@svc/sdk/prover';
import { type Outcome, readApprovals, recordApproval } from '../history/approvals';
import { withKeyInForce } from '../identities/in-force';
import type { Waiting } from '../inbox/waiting';
import { createUse, proveToSend, type SendStage, type SendWatch } from '../prover/prove-to-send';
import { sendAttested } from '../prover/send-attested';
import { SERVICE, svc } from '../service';

/** What the person chose, with the number that they typed or the reason that they gave. */
export type Choice = Omit<DecisionChoice, 'decidedAt'>;
export type Decided = Awaited<ReturnType<typeof svc.phone.approvals.decide>>;

/** The service accepts a decision for five minutes. A phone that was offline for longer proves again. */
const MAX_AGE_MS = 4 * 60_000;

/**
 * Proves the decision on the whole statement, as it was shown, and sends it.
 * @throws SvcError `approval_closed` when it has ended, `pairing_match_failed`, `verification_failed`
 */
function decide({ identity, statement }: Waiting, choice: Choice, watch: SendWatch): Promise<Decided> {
  watch.onStage('unlocking');
  return withKeyInForce(identity, async (version, key) => {
    const prove = async () => {
      const { timestamp: decidedAt } = await createUse(version, watch);
      expectOpen(statement);
      const work = { kind: 'decision', key, identity: version, statement } as const;
      return proveToSend({ ...work, choice: { ...choice, decidedAt } }, watch);
    };
    let decision = await prove();
    while (svc.serverNow() - Number(decision.decidedAt) > MAX_AGE_MS) decision = await prove();
    const purpose = choice.decision === 'approve' ? 'approve' : 'approve-decline';
    const of = { purpose, subject: decision.approvalId } as const;
    return sendAttested(version, of, decision, watch.onStage, (attestation) =>
      svc.phone.approvals.decide({ ...decision, attestation }, { signal: watch.signal }),
    );
  });
}

function expectOpen({ expiresAt }: Waiting['statement']): void {
  if (Date.parse(expiresAt) <= svc.serverNow())
    throw new SvcError('approval_closed', 'The approval has expired.');
}

/** Decides and writes the outcome to the phone's history. */
export async function decideAndRecord(waiting: Waiting, choice: Choice, watch: SendWatch): Promise<Decided> {
  let stage: SendStage = 'unlocking';
  const onStage = (next: SendStage) => {
    stage = next;
    watch.onStage(next);
  };
  try {
    const decided = await decide(waiting, choice, { signal: watch.signal, onStage });
    await record(waiting, choice, choice.decision === 'approve' ? 'approved' : 'declined');
    return decided;
  } catch (error) {
    const outcome = outcomeOf(error, stage, watch.signal.aborted);
    if (outcome !== undefined) await record(waiting, choice, outcome);
    throw error;
  }
}

/** The outcome of a decision that did not succeed. Undefined if the approval still waits, or ended before. */
export function outcomeOf(error: unknown, stage: SendStage, aborted: boolean): Outcome | undefined {
  const noResponse = isSvcError(error, 'unreachable', 'timed_out', 'connection_cut', 'gateway_failed');
  if (stage === 'sending' && (aborted || noResponse)) return 'unconfirmed';
  if (isSvcError(error, 'pairing_match_failed')) return 'wrongNumber';
  return isSvcError(error, 'verification_failed') ? 'failed' : undefined;
}

/** A full or missing storage must not change the outcome, so errors are ignored. */
function record({ statement }: Waiting, { reason }: Choice, outcome: Outcome): Promise<void> {
  const { approvalId, tenantId, environment, company } = statement;
  return recordApproval({
    ...{ id: approvalId, tenantId, environment, companyName: company, host: new URL(SERVICE).host },
    ...{ at: new Date().toISOString(), outcome, statement },
    ...(reason !== undefined && { reason }),
  }).catch(() => undefined);
}

/** How an approval ended that this phone could not decide any more. */
export async function endOf({ statement }: Waiting): Promise<'decided' | 'expired' | 'closed'> {
  const { approvalId, expiresAt } = statement;
  if (await wasDecided(approvalId)) return 'decided';
  return Date.parse(expiresAt) <= svc.serverNow() ? 'expired' : 'closed';
}

/** Whether this phone sent a decision about it, according to its history. */
export async function wasDecided(approvalId: string): Promise<boolean> {
  const before = (await readApprovals().catch(() => [])).find(({ id }) => id === approvalId);
  return before !== undefined && ['approved', 'declined', 'unconfirmed'].includes(before.outcome);
}
