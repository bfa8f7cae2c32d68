import type { EnrolledAt, RegistrationChallenge } from '@svc/sdk';
import type { PairingProof, ProofWithSignals } from '@svc/sdk/prover';
import type { Sealed } from '../vault/seal';

/** What is known of an identity without its secret, and the secret as it is kept. */
export interface SealedIdentity {
  readonly did: string;
  readonly commitment: string;
  readonly secret: Sealed;
}

/** What the page asks of its prover. Secrets are drawn, sealed and opened there, and the page never sees one. */
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
    };

export interface Results {
  readonly create: SealedIdentity;
  readonly registration: ProofWithSignals;
  readonly pairing: PairingProof;
}

/** What the prover tells: how far it is, what came of it, or why nothing did. */
export type Told =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'done'; readonly result: Results[Work['kind']] }
  | { readonly kind: 'failed'; readonly message: string };

export type Stage = 'loading' | 'proving';
