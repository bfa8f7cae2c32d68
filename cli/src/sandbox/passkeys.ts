import type { Environment } from '@svc/sdk';
import * as acts from '../phone/acts.js';
import type { Fault } from '../phone/faults/faults.js';
import { enrollPasskey } from '../phone/passkey/enrolling.js';
import { type ProofSigner, signerOf } from '../phone/passkey/passkey.js';
import type { FinalRequest } from './ceremonies.js';
import type { Person, Stage } from './stage.js';

/** A new person whose phone signs its proofs with a passkey. */
async function personWithPasskey({ svc, newPerson }: Stage): Promise<{ person: Person; sign: ProofSigner }> {
  const person = await newPerson();
  const { tenantId, environment } = await acts.createNonce(svc);
  const { passkey } = await enrollPasskey(svc, person, { tenantId, environment });
  const place = { baseUrl: svc.baseUrl, tenantId, environment };
  return { person, sign: signerOf({ ...place, passkey }, () => {}) as ProofSigner };
}

export async function verifyWithPasskey(stage: Stage, fault: Fault): Promise<FinalRequest> {
  const { person, sign } = await personWithPasskey(stage);
  const nonce = await acts.createNonce(stage.svc);
  return () => acts.verify(stage.svc, person, nonce, fault, sign);
}

export async function pairWithPasskey(stage: Stage, fault: Fault): Promise<FinalRequest> {
  const { person, sign } = await personWithPasskey(stage);
  const target = await stage.openPairing(fault.session);
  return () => acts.pair(stage.svc, person, target, { fault, sign });
}

/** Enrolls a passkey that has the fault. */
export async function enrolFaulty(
  { svc, newPerson }: Stage,
  { passkey: fault }: Fault,
): Promise<FinalRequest> {
  const person = await newPerson();
  const { tenantId, environment } = await acts.createNonce(svc);
  return () => enrollPasskey(svc, person, { tenantId, environment: environment as Environment }, { fault });
}
