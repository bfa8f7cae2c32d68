import { BASE_FIELD } from '@svc/zk/field';
import type { Groth16Proof } from '@svc/zk/verifier/proof';

const negate = (coordinate: string) => String(BASE_FIELD - BigInt(coordinate));

/** Another valid proof of the same statement: e(−A, −B) = e(A, B). */
export const rerandomised = (proof: Groth16Proof): Groth16Proof => ({
  ...proof,
  pi_a: [proof.pi_a[0], negate(proof.pi_a[1]), '1'],
  pi_b: [proof.pi_b[0], [negate(proof.pi_b[1][0]), negate(proof.pi_b[1][1])], ['1', '0']],
});

/** A is not on the curve. */
export const offCurve = (proof: Groth16Proof): Groth16Proof => ({ ...proof, pi_a: ['1', '3', '1'] });

/** B is on the curve, with x = 1, but outside the subgroup of order r. */
export const outsideSubgroup = (proof: Groth16Proof): Groth16Proof => ({
  ...proof,
  pi_b: [
    ['1', '0'],
    [
      '3610091866386166428467545612961983990332663701371483510632385378352395651980',
      '15975588672102553735566230729081043132501226101599136527557730645158523614371',
    ],
    ['1', '0'],
  ],
});

/** A well-formed but invalid proof: A and C are swapped. */
export const wrongProof = (proof: Groth16Proof): Groth16Proof => ({
  ...proof,
  pi_a: proof.pi_c,
  pi_c: proof.pi_a,
});

/** The same point by another number: x + q, which a lax reader would reduce. */
export const unreduced = (proof: Groth16Proof): Groth16Proof => ({
  ...proof,
  pi_a: [String(BigInt(proof.pi_a[0]) + BASE_FIELD), proof.pi_a[1], '1'],
});
