import { CIRCUITS } from '../generated/circuits.js';
import type { VerificationKey } from '../verifier/verification-key.js';
import type { KernelName } from '../verifier/verifier.js';
import { webAssembly } from '../web-assembly.js';
import { Kernel, type KernelExports, KernelUnusableError } from './kernel.js';
import { passesKnownAnswers } from './known-answers.js';

/** Separate chunks, so that a page downloads only the one that it runs. */
const MODULES = {
  fma: () => import('./generated/fma.js'),
  scalar: () => import('./generated/scalar.js'),
} as const;

/**
 * Loads a kernel and checks it before use: it must compile, the machine must have what it needs, and it must pass the known-answer
 * test.
 * @throws KernelUnusableError otherwise
 */
export async function loadKernel(name: KernelName, vkey: VerificationKey): Promise<Kernel> {
  return startKernel(name, await bytesOf(name), vkey);
}

/** The bytes of a module. */
export async function bytesOf(name: KernelName): Promise<Uint8Array> {
  return Uint8Array.from(atob((await MODULES[name]()).default), (char) => char.charCodeAt(0));
}

/** Does the same with the given bytes, which tests change. */
export async function startKernel(
  name: KernelName,
  bytes: Uint8Array,
  vkey: VerificationKey,
): Promise<Kernel> {
  if (!webAssembly.validate(bytes))
    throw new KernelUnusableError(
      name,
      name === 'fma'
        ? 'this runtime has no relaxed SIMD'
        : 'it is not a module that this runtime can compile',
    );
  let kernel: Kernel;
  try {
    const { exports } = await webAssembly.instantiate(await webAssembly.compile(bytes));
    kernel = new Kernel(exports as KernelExports);
  } catch (cause) {
    throw new KernelUnusableError(name, 'it cannot be instantiated', { cause });
  }
  if (kernel.exports.supported() !== 1)
    throw new KernelUnusableError(name, 'this machine has no fused multiply-add');
  if (!passesKnownAnswers(kernel))
    throw new KernelUnusableError(name, 'it gave a wrong answer', { isWrong: true });
  // The known-answer test has prepared the pinned key.
  if (!isSameKey(vkey, CIRCUITS[0]?.vkey)) kernel.prepare(vkey);
  return kernel;
}

const numbersOf = ({ alpha, beta, gamma, delta, ic }: VerificationKey) =>
  [alpha, beta, gamma, delta, ic].flat(3).join();
const isSameKey = (a: VerificationKey, b: VerificationKey | undefined) =>
  b !== undefined && numbersOf(a) === numbersOf(b);
