import { poseidon2 as hash2 } from 'poseidon-lite/poseidon2';
import { poseidon3 as hash3 } from 'poseidon-lite/poseidon3';
import { assertScalar } from './curve/modulus.js';

/**
 * Poseidon over the scalar field of BN254 (x^5, circomlib's parameters), the hash of the circuit.
 *
 * The underlying library reduces its inputs, so r + 1 and 1 would have the same hash. These functions accept canonical
 * field elements only.
 */

/** Poseidon of two field elements. @throws RangeError for a value outside [0, r). */
export function poseidon2(a: bigint, b: bigint): bigint {
  return hash2([assertScalar(a), assertScalar(b)]);
}

/** Poseidon of three field elements. @throws RangeError for a value outside [0, r). */
export function poseidon3(a: bigint, b: bigint, c: bigint): bigint {
  return hash3([assertScalar(a), assertScalar(b), assertScalar(c)]);
}
