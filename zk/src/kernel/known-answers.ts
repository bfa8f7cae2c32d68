import { CIRCUITS } from '../generated/circuits.js';
import { KNOWN_PROOF } from '../generated/known-proof.js';
import type { ParsedProof } from '../verifier/proof.js';
import type { AffineG2 } from '../wire.js';
import type { Kernel, KernelResult } from './kernel.js';

/** A point of the twist that is not in G2, the one with x = 1. */
const OUTSIDE_G2: AffineG2 = [
  [1n, 0n],
  [
    3610091866386166428467545612961983990332663701371483510632385378352395651980n,
    15975588672102553735566230729081043132501226101599136527557730645158523614371n,
  ],
];

/** Arbitrary, but always the same: two words for each of two proofs. */
const FACTORS = BigUint64Array.of(
  0x9e3779b97f4a7c15n,
  0xbf58476d1ce4e5b9n,
  0x94d049bb133111ebn,
  0xd1342543de82ef95n,
);

/**
 * Whether a kernel gives the known verdicts of the published proof and of changes to it, alone and in batches, and names the right
 * proofs as outside their groups. So a kernel that skips a check fails. Leaves the first pinned key prepared.
 */
export function passesKnownAnswers(kernel: Kernel): boolean {
  const [circuit] = CIRCUITS;
  if (circuit === undefined) return false;
  const { a, b, c, signals } = KNOWN_PROOF;
  const otherSignal: ParsedProof = { ...KNOWN_PROOF, signals: [signals[0] ^ 1n, signals[1], signals[2]] };
  const otherB: ParsedProof = { ...KNOWN_PROOF, b: OUTSIDE_G2 };
  const otherA: ParsedProof = { ...KNOWN_PROOF, a: [a[0], a[1] ^ 1n] };
  const otherC: ParsedProof = { ...KNOWN_PROOF, c: [c[0] ^ 1n, c[1]] };
  const batch = (second: ParsedProof) => kernel.verifyBatch([KNOWN_PROOF, second], FACTORS);
  const locate = (point: AffineG2) => kernel.locate(point);
  try {
    kernel.prepare(circuit.vkey);
    return (
      kernel.verify(KNOWN_PROOF).valid &&
      isInvalid(kernel.verify(otherSignal), []) &&
      isInvalid(kernel.verify(otherA), [0]) &&
      isInvalid(kernel.verify(otherB), [0]) &&
      isInvalid(kernel.verify(otherC), [0]) &&
      batch(KNOWN_PROOF).valid &&
      isInvalid(batch(otherSignal), []) &&
      isInvalid(batch(otherA), [1]) &&
      isInvalid(batch(otherB), [1]) &&
      isInvalid(batch(otherC), [1]) &&
      locate(b) === 'in G2' &&
      locate(OUTSIDE_G2) === 'on the twist' &&
      locate([[1n, 1n], OUTSIDE_G2[1]]) === 'off the twist'
    );
  } catch {
    // A module that traps is unusable too.
    return false;
  }
}

const isInvalid = ({ valid, outside }: KernelResult, expected: readonly number[]) =>
  !valid && outside.join() === expected.join();
