import type { Environment, Svc } from '@svc/sdk';
import type { PhoneIdentity } from '@svc/zk/phone';
import { identityProver } from '../prove.js';
import type { PasskeyFault } from './authenticator.js';
import { type EnrolledPasskey, makePasskey } from './passkey.js';

/** Enrolls a passkey of a simulated person, with at most one fault. */
export async function enrollPasskey(
  svc: Svc,
  identity: PhoneIdentity,
  place: { readonly tenantId: string; readonly environment: Environment },
  { fault }: { readonly fault?: PasskeyFault | undefined } = {},
) {
  const { challenge } = await svc.phone.attestation.createChallenge({ ...place, did: identity.did });
  const { passkey, attestation } = makePasskey({ ...place, baseUrl: svc.baseUrl }, challenge, fault);
  const prover = await identityProver();
  const body = await prover.proveAttestation(identity, place, { challenge, ...attestation });
  const key = await svc.phone.attestation.createKey(body);
  const enrolled: EnrolledPasskey = { ...passkey, keyId: key.id };
  return { key, passkey: enrolled };
}
