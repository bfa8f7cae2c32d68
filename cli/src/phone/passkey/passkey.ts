import { type AttestedPurpose, assertionDigest, enrolmentDigest } from '@svc/zk/attestation';
import {
  createPasskey,
  type PasskeyFault,
  pageOf,
  type SoftwarePasskey,
  usePasskey,
} from './authenticator.js';

/** Where a phone is registered. */
export interface Place {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly environment: string;
}

/** A passkey whose attestation key the service has. */
export interface EnrolledPasskey extends SoftwarePasskey {
  /** The id of the attestation key. */
  readonly keyId: string;
}

/** Makes a passkey for a challenge, with the evidence that the service wants. */
export function makePasskey(place: Place, challenge: string, fault?: PasskeyFault) {
  const page = pageOf(place.baseUrl);
  const made = createPasskey(page);
  const { passkey, assertion } = usePasskey(page, made, enrolmentDigest({ ...place, challenge }), fault);
  return {
    passkey,
    attestation: { platform: 'webauthn' as const, evidence: { ...made.creation, assertion } },
  };
}

/** What a proof is for, and what limits it to one use. */
export interface Attested {
  readonly purpose: AttestedPurpose;
  readonly subject: string;
}

/** Signs a proof with the phone's passkey. */
export type ProofSigner = (
  attested: Attested,
  proved: Pick<Parameters<typeof assertionDigest>[0], 'proof' | 'publicSignals'>,
  fault?: PasskeyFault,
) => { readonly keyId: string; readonly assertion: ReturnType<typeof usePasskey>['assertion'] };

/** The signer of an enrollment with a passkey. Each use is saved before its assertion can be sent, so that no counter is sent twice. */
export function signerOf(
  enrollment: Place & { readonly passkey?: EnrolledPasskey },
  save: (passkey: EnrolledPasskey) => void,
): ProofSigner | undefined {
  const { passkey: enrolled, ...place } = enrollment;
  if (enrolled === undefined) return undefined;
  let passkey = enrolled;
  return (attested, { proof, publicSignals }, fault) => {
    const digest = assertionDigest({ ...place, ...attested, proof, publicSignals });
    const used = usePasskey(pageOf(place.baseUrl), passkey, digest, fault);
    passkey = { ...passkey, ...used.passkey };
    save(passkey);
    return { keyId: passkey.keyId, assertion: used.assertion };
  };
}
