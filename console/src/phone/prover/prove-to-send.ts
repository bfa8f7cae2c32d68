import type { EnrolledAt } from '@svc/sdk';
import type { PhoneUse } from '@svc/sdk/prover';
import { whenOnline } from '../offline/online';
import { svc } from '../service';
import { runInProver } from './prover';
import type { ProofWork, Results } from './work';

/** How far a request with a proof has come. */
export type SendStage = 'unlocking' | 'loading' | 'proving' | 'waiting' | 'signing' | 'sending';
export interface SendWatch {
  readonly signal: AbortSignal;
  onStage(stage: SendStage): void;
}

/** A nonce and the service's time for one proof. The phone's own clock may be wrong. */
export async function createUse(
  { tenantId, environment }: Pick<EnrolledAt, 'tenantId' | 'environment'>,
  { signal, onStage }: SendWatch,
): Promise<PhoneUse> {
  await whenOnline(signal, () => onStage('waiting'));
  return svc.phone.createUse({ tenantId, environment }, { signal });
}

/** Creates a proof and waits for a network to send it. */
export async function proveToSend<W extends ProofWork>(
  work: W,
  { signal, onStage }: SendWatch,
): Promise<Results[W['kind']]> {
  const proof = await runInProver(work, onStage);
  await whenOnline(signal, () => onStage('waiting'));
  onStage('sending');
  return proof;
}
