import { setFlagsFromString } from 'node:v8';
import { type Kernel, KernelUnusableError } from '../../src/kernel/kernel.js';
import { loadKernel } from '../../src/kernel/load.js';
import { loadPinnedKey } from '../../src/setup/artifacts.js';
import { KERNELS, type KernelName, VERIFIER_KERNELS } from '../../src/verifier/verifier.js';
import type { AffineG1, AffineG2 } from '../../src/wire.js';

// Node 20 has relaxed SIMD, but only with this flag. Do not set V8's flags in production.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');

const loaded = new Map<KernelName, Kernel>();
for (const name of KERNELS) {
  try {
    loaded.set(name, await loadKernel(name, loadPinnedKey().vkey));
  } catch (error) {
    if (!(error instanceof KernelUnusableError) || error.isWrong) throw error;
    console.warn(`!! NOT TESTED: the ${name} kernel. ${error.message}`);
  }
}

/** The kernels that this machine can run, prepared with the pinned key. All tests of a file share them. */
export const kernels: readonly (readonly [KernelName, Kernel])[] = [...loaded];
/** The same names and mcl, to force each. */
export const verifierKernels = VERIFIER_KERNELS.filter((name) => name === 'mcl' || loaded.has(name));

export type Pair = readonly [AffineG1, AffineG2];
/** The coefficients of an element of Fq¹² = Fq²[w]/(w⁶ − ξ), those of even powers of w first. */
export type Product = bigint[];

export const ONE: Product = [1n, ...Array<bigint>(11).fill(0n)];

/** Reads numbers of four words each from a kernel's buffer. */
const readNumbers = ({ words }: Kernel, count: number): bigint[] =>
  Array.from({ length: count }, (_, i) =>
    words.subarray(4 * i, 4 * i + 4).reduceRight((number, word) => (number << 64n) | word, 0n),
  );

/** The product of the pairings of up to 64 pairs, by a kernel. */
export function pairing(kernel: Kernel, pairs: readonly Pair[]): Product {
  kernel.write(0, pairs.flat(3));
  kernel.exports.pairing(pairs.length);
  return readNumbers(kernel, 12);
}

/** Σ factor·point by a kernel. Infinity is (0, 0). */
export function combination(kernel: Kernel, terms: readonly (readonly [AffineG1, bigint])[]): AffineG1 {
  kernel.write(0, terms.flat(2));
  kernel.exports.g1_combination(terms.length);
  return readNumbers(kernel, 2) as [bigint, bigint];
}
