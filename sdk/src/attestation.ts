import {
  assertionDigest as digestOfAssertion,
  enrolmentDigest as digestOfEnrolment,
} from '@svc/zk/attestation';
import type { Groth16Proof } from './generated/api.js';
import type { Environment } from './transport/options.js';

/** Where the phone is registered. */
export interface AttestedPlace {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** What a proof is for. `attest` replaces a key. */
export type AttestedPurpose =
  | 'attest'
  | 'verify'
  | 'pairing'
  | 'add'
  | 'rotate'
  | 'approve'
  | 'approve-decline';

/** A proof as it will be sent, and what limits it to one use. With two proofs, it is that of the old secret. */
export interface AssertedProof extends AttestedPlace {
  readonly purpose: AttestedPurpose;
  /** The id of the pairing session or the approval, the nonce, or the challenge of a key that is enrolled. */
  readonly subject: string;
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly string[];
}

/**
 * What a new attestation key signs when it is enrolled: the `challenge` of `navigator.credentials.get`. In a registration, `challenge` is
 * `challengeNonce`.
 */
export const enrolmentDigest = (fields: AttestedPlace & { readonly challenge: string }): Uint8Array =>
  digestOfEnrolment(fields);

/** What an attestation key signs with a proof: the `challenge` of `navigator.credentials.get`. */
export const assertionDigest = (fields: AssertedProof): Uint8Array => digestOfAssertion(fields);
