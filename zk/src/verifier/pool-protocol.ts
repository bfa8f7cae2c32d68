import type { ParsedProof } from './proof.js';

/** Sent by the pool to a verifier thread. A thread verifies one batch at a time, so replies need no id. */
export interface VerifyRequest {
  readonly batch: readonly ParsedProof[];
  /** Verify each proof separately. */
  readonly singly: boolean;
}

/** Sent by a thread: 'ready' once, then the verdicts of each batch in the batch's order. */
export type WorkerReply = 'ready' | { readonly verdicts: readonly boolean[] };

/** The proof was not verified, because the thread died or the pool is closing. It may be valid or not. */
export class VerifierUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The verifier is unavailable: ${reason}.`, options);
    this.name = 'VerifierUnavailableError';
  }
}
