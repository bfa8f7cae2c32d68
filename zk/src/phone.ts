import { bytesToBigInt, commitmentToHex } from './field.js';
import { poseidon2 } from './poseidon.js';
import { sha256Hex } from './prover/sha256.js';

/** What a phone keeps for one base URL, tenant and environment; `biometricSecret` and `salt` never leave it. */
export interface PhoneIdentity {
  /** 248 random bits, to be kept behind the phone's biometric lock. */
  readonly biometricSecret: bigint;
  /** 248 random bits. */
  readonly salt: bigint;
  /** 64 lower-case hex digits: what is enrolled. */
  readonly commitment: string;
  /** `did:svc:` and the hex SHA-256 of the commitment's text. */
  readonly did: string;
}

/**
 * A fresh identity from the platform's CSPRNG. Make one per base URL, tenant and environment: a commitment used twice
 * would identify its owner across them.
 */
export function createIdentity(): PhoneIdentity {
  const biometricSecret = random248();
  const salt = random248();
  const commitment = commitmentToHex(poseidon2(biometricSecret, salt));
  return { biometricSecret, salt, commitment, did: didOf(commitment) };
}

/** The DID that goes with a commitment in its stored form (64 lower-case hex digits). */
export function didOf(commitment: string): string {
  return `did:svc:${sha256Hex(commitment)}`;
}

function random248(): bigint {
  return bytesToBigInt(globalThis.crypto.getRandomValues(new Uint8Array(31)));
}
