import { type DecidedApproval, isSvcError } from '@svc/sdk';
import { type Choice, decide, type Stage, type Watch } from '@svc/sdk/phone';
import type { Waiting } from '../inbox/inbox';
import { phoneWith } from '../ports/ports';
import { SERVICE, svc } from '../service';
import { type Outcome, readHistory, recordEntry } from '../vault/history';

/** Decides and writes the outcome to the phone's history. */
export async function decideAndRecord(
  waiting: Waiting,
  choice: Choice,
  watch: Watch,
): Promise<DecidedApproval> {
  let stage: Stage = 'unlocking';
  const onStage = (next: Stage) => {
    stage = next;
    watch.onStage?.(next);
  };
  try {
    const decided = await decide(phoneWith(), waiting.identity.id, waiting.statement, choice, {
      signal: watch.signal,
      onStage,
    });
    await record(waiting, choice, choice.decision === 'approve' ? 'approved' : 'declined');
    return decided;
  } catch (error) {
    const outcome = outcomeOf(error, stage, watch.signal?.aborted === true);
    if (outcome !== undefined) await record(waiting, choice, outcome);
    throw error;
  }
}

/** The outcome of a decision that did not succeed. Undefined if the approval still waits, or ended before. */
export function outcomeOf(error: unknown, stage: Stage, aborted: boolean): Outcome | undefined {
  const noResponse = isSvcError(error, 'unreachable', 'timed_out', 'connection_cut', 'gateway_failed');
  if (stage === 'sending' && (aborted || noResponse)) return 'unconfirmed';
  if (isSvcError(error, 'pairing_match_failed')) return 'wrongNumber';
  return isSvcError(error, 'verification_failed') ? 'failed' : undefined;
}

/** A full or missing storage must not change the outcome, so errors are ignored. */
function record({ statement }: Waiting, { reason }: Choice, outcome: Outcome): Promise<void> {
  const { approvalId, tenantId, environment, company } = statement;
  return recordEntry({
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
  const before = (await readHistory().catch(() => [])).find(({ id }) => id === approvalId);
  return before !== undefined && ['approved', 'declined', 'unconfirmed'].includes(before.outcome);
}
