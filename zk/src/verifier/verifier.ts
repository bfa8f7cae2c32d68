import type { ParsedProof } from './proof.js';

/** Maximum number of proofs in a batch. Larger batches save little more. */
export const MAX_BATCH_SIZE = 64;

/** Our WebAssembly modules, fastest first: with fused multiply-add (relaxed SIMD), and with 64-bit integers. */
export const KERNELS = ['fma', 'scalar'] as const;
export type KernelName = (typeof KERNELS)[number];
/** What verifies: one of our kernels, or mcl. */
export const VERIFIER_KERNELS = [...KERNELS, 'mcl'] as const;
export type VerifierKernel = (typeof VERIFIER_KERNELS)[number];

/** Verifies proofs with one key. Synchronous, and takes up to milliseconds, so run it in a worker (see `pool.ts`). */
export interface Verifier {
  /**
   * True if the proof is valid for its signals. False for points off the curve or outside their group, and for numbers out of
   * range, even if the caller bypassed the parser.
   */
  verify(parsed: ParsedProof): boolean;
  /**
   * The same verdicts in the batch's order. Much faster if all proofs are valid. A batch with an invalid proof is verified
   * proof by proof.
   * @throws RangeError for more than `MAX_BATCH_SIZE` proofs
   */
  verifyBatch(batch: readonly ParsedProof[]): boolean[];
}
