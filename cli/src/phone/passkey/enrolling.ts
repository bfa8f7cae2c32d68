import type { Svc } from '@svc/sdk';
import type { PhoneIdentity } from '@svc/zk/phone';
import type { EnrolledPasskey } from '../phone-file.js';
import { identityProver, type OwnPhone } from '../places.js';
import type { PasskeyFault } from './authenticator.js';
import { makePasskey, type ProofSigner } from './passkey.js';

/** Enrolls a passkey for an identity in force. `sign` is that of the passkey that it replaces. */
export async function enrollPasskey(
  svc: Svc,
  identity: PhoneIdentity,
  place: OwnPhone['place'],
  {
    fault,
    sign,
  }: { readonly fault?: PasskeyFault | undefined; readonly sign?: ProofSigner | undefined } = {},
) {
  const { challenge } = await svc.phone.attestation.createChallenge({ ...place, did: identity.did });
  const { passkey, attestation } = makePasskey({ ...place, baseUrl: svc.baseUrl }, challenge, fault);
  const prover = await identityProver();
  const body = await prover.proveAttestation(identity, place, { challenge, ...attestation });
  const replaced = sign && { attestation: sign({ purpose: 'attest', subject: challenge }, body) };
  const key = await svc.phone.attestation.createKey({ ...body, ...replaced });
  const enrolled: EnrolledPasskey = { ...passkey, keyId: key.id };
  return { key, passkey: enrolled };
}
