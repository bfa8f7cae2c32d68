import { isCanonical, type ParsedProof } from '../verifier/proof.js';
import { MAX_BATCH_SIZE, type Verifier } from '../verifier/verifier.js';
import type { Kernel } from './kernel.js';

/**
 * Makes a kernel a verifier. It combines a batch with random factors (docs/adr/0008). If that fails, it verifies each proof.
 * Proofs with points outside their groups are rejected, and the rest is combined again. That happens at most twice, because a kernel
 * finds them together: first those with points off the curves, then those outside G2.
 */
export function verifyWith(kernel: Kernel): Verifier {
  const verifyBatch = (batch: readonly ParsedProof[]): boolean[] => {
    if (batch.length > MAX_BATCH_SIZE) throw new RangeError(`a batch has at most ${MAX_BATCH_SIZE} proofs`);
    let members = batch.filter(isCanonical);
    let areValid = false;
    while (members.length > 1) {
      const { valid, outside } = kernel.verifyBatch(members, drawFactors(members.length));
      areValid = valid;
      if (outside.length === 0) break;
      members = members.filter((_, i) => !outside.includes(i));
    }
    const accepted = new Set(areValid ? members : members.filter((parsed) => kernel.verify(parsed).valid));
    return batch.map((parsed) => accepted.has(parsed));
  };
  return { verify: (parsed) => isCanonical(parsed) && kernel.verify(parsed).valid, verifyBatch };
}

/** Two random words for each proof, not both zero. Drawn after the proofs of the batch are fixed. */
function drawFactors(count: number): BigUint64Array {
  const factors = globalThis.crypto.getRandomValues(new BigUint64Array(2 * count));
  for (let i = 0; i < factors.length; i += 2) {
    while (factors[i] === 0n && factors[i + 1] === 0n)
      globalThis.crypto.getRandomValues(factors.subarray(i, i + 2));
  }
  return factors;
}
