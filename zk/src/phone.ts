import { bytesToBigInt, commitmentToHex } from './field.js';
import { poseidon2 } from './poseidon.js';
import { sha256Hex } from './prover/sha256.js';

/** A phone's identity for one base URL, tenant and environment. `biometricSecret` and `salt` never leave the phone. */
export interface PhoneIdentity {
  /** 248 random bits. Store it behind the phone's biometric lock. */
  readonly biometricSecret: bigint;
  /** 248 random bits. */
  readonly salt: bigint;
  /** 64 lower-case hex digits, sent at registration. */
  readonly commitment: string;
  /** `did:svc:` and the hex SHA-256 of the commitment's text. */
  readonly did: string;
}

/**
 * Creates an identity from the platform's CSPRNG. Create one per base URL, tenant and environment: reusing a commitment
 * would identify its owner across them.
 */
export function createIdentity(): PhoneIdentity {
  const biometricSecret = random248();
  const salt = random248();
  const commitment = commitmentToHex(poseidon2(biometricSecret, salt));
  return { biometricSecret, salt, commitment, did: didOf(commitment) };
}

/** The DID of a commitment in its stored form (64 lower-case hex digits). */
export function didOf(commitment: string): string {
  return `did:svc:${sha256Hex(commitment)}`;
}

function random248(): bigint {
  return bytesToBigInt(globalThis.crypto.getRandomValues(new Uint8Array(31)));
}
