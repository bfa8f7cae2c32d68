import type { ProofWork, ProverStage, Results, Secret } from '@svc/sdk/phone';
import type { Sealed, SealedSecret } from '../vault/sealed';

/** The public parts of a secret, and the rest in encrypted form. */
export interface Enclosed extends Secret {
  readonly secret: Sealed;
}

/** A task for the prover. It creates, encrypts and decrypts secrets, so the page never sees one. */
export type Work =
  | { readonly kind: 'create'; readonly key: CryptoKey }
  /** A new secret for an identity, whose DID stays. */
  | { readonly kind: 'renew'; readonly key: CryptoKey; readonly did: string }
  /** A second copy of the secret, encrypted with another key. */
  | {
      readonly kind: 'copy';
      readonly key: CryptoKey;
      readonly secret: Enclosed;
      readonly newKey: CryptoKey;
    }
  | Proving;

export interface Proving<W extends ProofWork<SealedSecret> = ProofWork<SealedSecret>> {
  readonly kind: 'prove';
  readonly key: CryptoKey;
  readonly secret: Enclosed;
  readonly work: W;
  /** The key of the renewed secret of a rotation. */
  readonly renewedKey: CryptoKey | undefined;
}

/** What a task results in. */
export type ResultOf<W extends Work> = W extends { readonly work: infer P extends ProofWork<SealedSecret> }
  ? Results[P['kind']]
  : Enclosed;

/** The prover's messages: its progress, its result or its error. */
export type ProverMessage =
  | { readonly kind: 'stage'; readonly stage: ProverStage }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };
