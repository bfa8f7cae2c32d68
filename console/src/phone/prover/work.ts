import type { EnrolledAt, RegistrationChallenge } from '@svc/sdk';
import type { PairingDeclineProof, PairingProof, ProofWithSignals } from '@svc/sdk/prover';
import type { Sealed } from '../vault/seal';

/** The public parts of an identity, and its secret in encrypted form. */
export interface SealedIdentity {
  readonly did: string;
  readonly commitment: string;
  readonly secret: Sealed;
}

/** A task for the prover. It creates, encrypts and decrypts secrets, so the page never sees one. */
export type Work =
  | { readonly kind: 'create'; readonly key: CryptoKey }
  | {
      readonly kind: 'registration';
      readonly key: CryptoKey;
      readonly identity: SealedIdentity;
      readonly challenge: RegistrationChallenge;
    }
  | {
      readonly kind: 'pairing';
      readonly key: CryptoKey;
      readonly identity: SealedIdentity;
      readonly code: string;
      readonly enrolledAt: EnrolledAt;
      /** The number that the person typed, if the session asks for one. */
      readonly matchCode: string | undefined;
    }
  | {
      readonly kind: 'decline';
      readonly key: CryptoKey;
      readonly identity: SealedIdentity;
      readonly code: string;
      readonly enrolledAt: EnrolledAt;
    };

export interface Results {
  readonly create: SealedIdentity;
  readonly registration: ProofWithSignals;
  readonly pairing: PairingProof;
  readonly decline: PairingDeclineProof;
}

/** The prover's messages: its progress, its result or its error. */
export type ProverMessage =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'done'; readonly result: Results[Work['kind']] }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

export type Stage = 'loading' | 'proving';
