import { describe, expect, it } from 'vitest';
import { BASE_FIELD as q } from '../src/curve/modulus.js';
import { loadPinnedKey } from '../src/setup/artifacts.js';
import { createVerifier } from '../src/verifier/create-verifier.js';
import type { VerificationKey } from '../src/verifier/verification-key.js';
import type { VerifierKernel } from '../src/verifier/verifier.js';
import type { AffineG1, AffineG2 } from '../src/wire.js';
import { verifierKernels } from './support/kernels.js';
import { fromNobleG2, randomTwistPoint, sampleParsed, seededRandom } from './support/support.js';

const member = sampleParsed();
const { vkey } = loadPinnedKey();

/**
 * Verifies with a key for which the equation holds for any three points: α = A and β = B, and with γ = δ the constant IC
 * point −C cancels C. So only the membership checks can reject the proof.
 */
async function verifyWhereTheEquationHolds(
  kernel: VerifierKernel,
  a: AffineG1,
  b: AffineG2,
  c: AffineG1,
): Promise<boolean> {
  const cancelling: AffineG1 = [c[0], (q - c[1]) % q];
  const crafted: VerificationKey = {
    alpha: a,
    beta: b,
    gamma: vkey.delta,
    delta: vkey.delta,
    ic: [cancelling, vkey.ic[1], vkey.ic[2], vkey.ic[3]],
  };
  const verifier = await createVerifier(crafted, kernel);
  return verifier.verify({ a, b, c, signals: [0n, 0n, 0n] });
}

describe.each(verifierKernels)('group membership with %s', (kernel) => {
  const offCurve: AffineG1 = [1n, 1n];
  const offTwist: AffineG2 = [
    [1n, 1n],
    [1n, 1n],
  ];
  const outsideG2 = fromNobleG2(randomTwistPoint(seededRandom(9n)));

  it.each<[string, AffineG1, AffineG2, AffineG1, boolean]>([
    ['members are accepted', member.a, member.b, member.c, true],
    ['A off the curve is rejected', offCurve, member.b, member.c, false],
    ['B off the twist is rejected', member.a, offTwist, member.c, false],
    ['B on the twist but outside G2 is rejected', member.a, outsideG2, member.c, false],
    ['C off the curve is rejected', member.a, member.b, offCurve, false],
  ])(
    'is checked even if the pairing equation holds: %s [proofs/malformed-proofs]',
    async (_, a, b, c, expected) => {
      expect(await verifyWhereTheEquationHolds(kernel, a, b, c)).toBe(expected);
    },
  );
});
