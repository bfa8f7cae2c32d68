import { setFlagsFromString } from 'node:v8';
import { type Kernel, KernelUnusableError } from '../../src/kernel/kernel.js';
import { loadKernel } from '../../src/kernel/load.js';
import { loadPinnedKey } from '../../src/setup/artifacts.js';
import { KERNELS, type KernelName, VERIFIER_KERNELS } from '../../src/verifier/verifier.js';

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
