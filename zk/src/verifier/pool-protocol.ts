import type { ParsedProof } from './proof.js';

/** What the pool sends to a verifier thread. One batch is under way at a time, so replies need no number. */
export interface VerifyRequest {
  readonly batch: readonly ParsedProof[];
  /** Each proof on its own, without a combination. */
  readonly singly: boolean;
}

/** What a thread answers: once 'ready', then the verdicts of each batch in the batch's order. */
export type WorkerReply = 'ready' | { readonly verdicts: readonly boolean[] };

/** No verdict could be had: the thread died or the pool is closing. It says nothing about the proof. */
export class VerifierUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The verifier is unavailable: ${reason}.`, options);
    this.name = 'VerifierUnavailableError';
  }
}
