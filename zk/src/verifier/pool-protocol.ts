import type { CheckedVerdicts } from './checked-verifier.js';
import type { ParsedProof } from './proof.js';
import type { VerificationKey } from './verification-key.js';
import type { VerifierKernel } from './verifier.js';

/** What a verifier thread starts with. */
export interface ThreadOptions {
  readonly vkey: VerificationKey;
  /** Default: the fastest that works. */
  readonly kernel?: VerifierKernel | undefined;
}

/** Sent by the pool to a verifier thread. A thread verifies one batch at a time, so replies need no id. */
export interface VerifyRequest {
  readonly batch: readonly ParsedProof[];
  /** Verify each proof separately. */
  readonly singly: boolean;
  /** For each proof, whether mcl always checks an acceptance, not only in a sample. */
  readonly confirm: readonly boolean[];
}
/** Verify with mcl from now on. */
export type PoolMessage = VerifyRequest | 'use mcl';

/** Sent by a thread: `ready` once, then for each batch `verdicts`, and `confirmed` when it is ready for the next batch. */
export type ThreadMessage =
  | { readonly kind: 'ready'; readonly kernel: VerifierKernel; readonly unusable: readonly UnusableKernel[] }
  | ({ readonly kind: 'verdicts' } & CheckedVerdicts)
  | ({ readonly kind: 'confirmed' } & Omit<CheckedVerdicts, 'verdicts'>);

/** A kernel that was not chosen. */
export interface UnusableKernel {
  readonly reason: string;
  /** It trapped or gave a wrong answer. */
  readonly isWrong: boolean;
}

/** The proof was not verified, because the thread died or the pool is closing. It may be valid or not. */
export class VerifierUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The verifier is unavailable: ${reason}.`, options);
    this.name = 'VerifierUnavailableError';
  }
}
