import { KernelUnusableError } from '../kernel/kernel.js';
import { loadKernel } from '../kernel/load.js';
import { verifyWith } from '../kernel/verify-with.js';
import type { VerificationKey } from './verification-key.js';
import { KERNELS, type KernelName, type Verifier, type VerifierKernel } from './verifier.js';

export interface ChosenVerifier extends Verifier {
  readonly kernel: VerifierKernel;
  /** Why faster ones were not chosen. */
  readonly unusable: readonly KernelUnusableError[];
}

/**
 * Creates a Groth16 verifier with the fastest kernel that works on this machine, or with the given one.
 * @throws KernelUnusableError if the given kernel doesn't work here
 * @throws RangeError for a key with a coordinate outside [0, q)
 */
export async function createVerifier(
  vkey: VerificationKey,
  forced?: VerifierKernel,
): Promise<ChosenVerifier> {
  const unusable: KernelUnusableError[] = [];
  const candidates: readonly KernelName[] =
    forced === undefined ? KERNELS : KERNELS.filter((name) => name === forced);
  for (const name of candidates) {
    try {
      return { kernel: name, unusable, ...verifyWith(await loadKernel(name, vkey)) };
    } catch (error) {
      if (!(error instanceof KernelUnusableError) || forced !== undefined) throw error;
      unusable.push(error);
    }
  }
  // Loaded only where it is needed.
  const { createMclVerifier } = await import('./mcl-verifier.js');
  return { kernel: 'mcl', unusable, ...(await createMclVerifier(vkey)) };
}
