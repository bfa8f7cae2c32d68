import { poseidon2 as hash2 } from 'poseidon-lite/poseidon2';
import { poseidon3 as hash3 } from 'poseidon-lite/poseidon3';
import { assertScalar } from './curve/modulus.js';

/**
 * Poseidon over the scalar field of BN254 (x^5, circomlib's parameters), the hash of the circuit.
 *
 * The library behind it reduces whatever it is given, so that r + 1 and 1 would hash alike; here every input must be
 * a canonical field element.
 */

/** Poseidon of two field elements. @throws RangeError for a value outside [0, r). */
export function poseidon2(a: bigint, b: bigint): bigint {
  return hash2([assertScalar(a), assertScalar(b)]);
}

/** Poseidon of three field elements. @throws RangeError for a value outside [0, r). */
export function poseidon3(a: bigint, b: bigint, c: bigint): bigint {
  return hash3([assertScalar(a), assertScalar(b), assertScalar(c)]);
}
