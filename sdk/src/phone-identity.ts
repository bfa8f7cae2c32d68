import { createIdentity as newIdentity } from '@svc/zk/phone';
import type { Groth16Proof } from './generated/api.js';

/** A phone's identity for one base URL, tenant and environment. `biometricSecret` and `salt` never leave the phone. */
export interface PhoneIdentity {
  /** 248 random bits. Store it behind the phone's biometric lock. */
  readonly biometricSecret: bigint;
  /** 248 random bits. */
  readonly salt: bigint;
  /** 64 lower-case hex digits, sent at registration. */
  readonly commitment: string;
  /** `did:svc:` and the hex SHA-256 of the first commitment's text. It stays when the secret is replaced. */
  readonly did: string;
}

/**
 * Creates an identity from the platform's CSPRNG. Create one for each base URL, tenant and environment: reusing a commitment
 * would identify its owner across them.
 */
export const createIdentity = (): PhoneIdentity => newIdentity();

/** The same identity with a new secret, for `proveRotate`. Its DID stays, so it no longer follows from the commitment. */
export const renewIdentity = ({ did }: Pick<PhoneIdentity, 'did'>): PhoneIdentity => ({
  ...newIdentity(),
  did,
});

/** A proof with its signals: commitment, didHash bound to its use, identityBinding; in decimal. */
export interface ProofWithSignals {
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly [string, string, string];
}

/** The body of a verification. */
export interface VerifyBody extends ProofWithSignals {
  readonly did: string;
  readonly nonce: string;
  readonly timestamp: number;
}
