import { isSvcError } from '@svc/sdk';
import { type Approved, approvePairing, readAccountName, type Stage } from '@svc/sdk/phone';
import { phoneWith } from '../ports/ports';
import { SERVICE } from '../service';
import { type Outcome, type PairingBrowser, recordEntry } from '../vault/history';
import type { Approvable } from './approvable';
import type { Asked } from './asked';

/** Approves and writes the outcome to the phone's history. */
export async function approveAndRecord(
  found: Approvable,
  asked: Asked,
  matchCode: string | undefined,
  watch: { readonly signal: AbortSignal; onStage(stage: Stage): void },
): Promise<Approved> {
  let stage: Stage = 'unlocking';
  const onStage = (next: Stage) => {
    stage = next;
    watch.onStage(next);
  };
  const { scanTicket } = asked;
  const isAttested = asked.context.requiresAttestation;
  try {
    const approved = await approvePairing(
      phoneWith(),
      found,
      { scanTicket, matchCode, isAttested },
      { signal: watch.signal, onStage },
    );
    // While it waits for the computer, nobody is signed in, and this page may be closed.
    await record(found, asked, approved.session.state === 'bound' ? 'approved' : 'unconfirmed');
    return approved;
  } catch (error) {
    const outcome = outcomeOf(error, stage, watch.signal.aborted);
    if (outcome !== undefined) await record(found, asked, outcome);
    throw error;
  }
}

/** Writes to the history. A full or missing storage must not change the outcome, so errors are ignored. */
export function record(
  { code }: Approvable,
  { context }: Asked,
  outcome: Outcome,
  newBrowser?: PairingBrowser,
): Promise<void> {
  const { sessionId, tenantId, environment } = code;
  const approval = {
    id: sessionId,
    tenantId,
    environment,
    companyName: readAccountName(context.company),
    host: new URL(SERVICE).host,
    origin: context.origin ?? undefined,
    application: readAccountName(context.application),
    at: new Date().toISOString(),
    outcome,
    ...(newBrowser && { newBrowser }),
  };
  return recordEntry(approval).catch(() => undefined);
}

/** The outcome of an approval that did not succeed in a stage. Undefined if the person left before anything was sent. */
export function outcomeOf(error: unknown, stage: Stage, aborted: boolean): Outcome | undefined {
  const noResponse = isSvcError(error, 'unreachable', 'timed_out', 'connection_cut', 'gateway_failed');
  if (stage === 'sending' && (aborted || noResponse)) return 'unconfirmed';
  if (isSvcError(error, 'pairing_match_failed')) return 'wrongNumber';
  return aborted ? undefined : 'failed';
}
