import { BASE_FIELD } from './curve/modulus.js';
import { readZkey, ZKEY_G1 } from './prover/zkey.js';
import type { VerificationKey } from './verifier/verification-key.js';
import type { AffineG1, AffineG2 } from './wire.js';

/** Converts the zkey's numbers out of Montgomery form. */
const FROM_MONTGOMERY = inverse(2n ** 256n % BASE_FIELD);

/**
 * Checks that a proving key and a verification key come from the same set-up, by comparing their common points.
 * @returns the name of the first point that differs; undefined if all match
 * @throws TypeError if the proving key is not a zkey
 */
export function findMismatch(zkey: Uint8Array, vkey: VerificationKey): string | undefined {
  const { alpha1, beta2, gamma2, delta2, ic } = readZkey(zkey);
  const pairs: readonly (readonly [string, Uint8Array, AffineG1 | AffineG2])[] = [
    ['α', alpha1, vkey.alpha],
    ['β', beta2, vkey.beta],
    ['γ', gamma2, vkey.gamma],
    ['δ', delta2, vkey.delta],
    ...vkey.ic.map(
      (point, at) => [`IC[${at}]`, ic.subarray(at * ZKEY_G1, (at + 1) * ZKEY_G1), point] as const,
    ),
  ];
  return pairs.find(([, bytes, point]) => !isPoint(bytes, point))?.[0];
}

const isPoint = (bytes: Uint8Array, point: AffineG1 | AffineG2): boolean =>
  (point as readonly (bigint | AffineG1)[])
    .flat()
    .every((coordinate, at) => coordinate === coordinateAt(bytes, at));

function coordinateAt(bytes: Uint8Array, at: number): bigint {
  const little = bytes.subarray(at * 32, (at + 1) * 32);
  const value = little.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return (value * FROM_MONTGOMERY) % BASE_FIELD;
}

/** By Fermat's little theorem: value^(q − 2). */
function inverse(value: bigint): bigint {
  let result = 1n;
  for (let power = value, left = BASE_FIELD - 2n; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * power) % BASE_FIELD;
    power = (power * power) % BASE_FIELD;
  }
  return result;
}
