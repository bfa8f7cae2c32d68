import { type Curve, FR_BYTES, type Pointer } from '../curve/curve.js';
import { SCALAR_FIELD as r } from '../curve/modulus.js';
import { COEFFICIENT_BYTES, type ProvingKey } from './zkey.js';

/**
 * The quotient polynomial of a Groth16 proof, as scalars for the key's H points.
 *
 * With a, b the rows of A and B evaluated at the witness and c = a·b over the domain of n-th roots of unity, the H
 * points of a zkey are the Lagrange basis of the odd 2n-th roots. So a·b − c is evaluated there, by three interpolations, a
 * shift by the primitive 2n-th root, and three evaluations.
 */
export interface Quotient {
  /** @param witness plain (not Montgomery) values, 32 bytes each; @param result space for `domain` elements of Fr */
  compute(witness: Pointer, result: Pointer): void;
  /** Erases everything derived from the last witness. */
  wipe(): void;
}

/** 5 is a quadratic non-residue. Its (r − 1)/2^28-th power has order 2^28, the largest power of two that divides r − 1. */
const NON_RESIDUE = 5n;
const TWO_ADICITY = 28n;

export function createQuotient(curve: Curve, key: ProvingKey): Quotient {
  const { raw } = curve;
  const n = key.domain;
  const root2n = rootOfUnity(2 * n);
  const root = (root2n * root2n) % r;
  const forward = powerTable(curve, root, n / 2, 1n);
  const backward = powerTable(curve, inverse(root), n / 2, 1n);
  // One multiplication combines the interpolation's division by n with the shift to the odd roots.
  const shift = powerTable(curve, root2n, n, inverse(BigInt(n)));
  permuteBitReversed(curve, shift, n);
  const rows = ['a', 'b', 'c'].map(() => curve.allocate(n * FR_BYTES)) as [Pointer, Pointer, Pointer];
  const [a, b, c] = rows;
  const product = curve.allocate(FR_BYTES);
  const entries = loadCoefficients(curve, key);

  const evaluateRows = (witness: Pointer): void => {
    for (const row of rows) curve.view(row, n * FR_BYTES).fill(0);
    for (let i = 0; i < entries.count; i++) {
      const sum = (entries.matrix[i] === 0 ? a : b) + entries.constraint[i]! * FR_BYTES;
      raw._mclBnFr_mul(product, entries.values + i * FR_BYTES, witness + entries.wire[i]! * FR_BYTES);
      raw._mclBnFr_add(sum, sum, product);
    }
    for (let at = 0; at < n * FR_BYTES; at += FR_BYTES) raw._mclBnFr_mul(c + at, a + at, b + at);
  };

  /** Converts values at the roots to values at the odd roots. Intermediate values are in bit-reversed order, which avoids sorting. */
  const moveToOddRoots = (row: Pointer): void => {
    for (let half = n / 2; half >= 1; half /= 2) splitPass(curve, row, n, half, backward, product);
    for (let at = 0; at < n * FR_BYTES; at += FR_BYTES) raw._mclBnFr_mul(row + at, row + at, shift + at);
    for (let half = 1; half < n; half *= 2) joinPass(curve, row, n, half, forward, product);
  };

  return {
    compute(witness, result) {
      evaluateRows(witness);
      for (const row of rows) moveToOddRoots(row);
      for (let at = 0; at < n * FR_BYTES; at += FR_BYTES) {
        raw._mclBnFr_mul(product, a + at, b + at);
        raw._mclBnFr_sub(result + at, product, c + at);
      }
    },
    wipe() {
      for (const row of rows) curve.view(row, n * FR_BYTES).fill(0);
      curve.view(product, FR_BYTES).fill(0);
    },
  };
}

/** One level of a decimation-in-frequency transform: (x, y) to (x + y, (x − y)·w). */
function splitPass(curve: Curve, row: Pointer, n: number, half: number, powers: Pointer, t: Pointer): void {
  const { raw } = curve;
  for (let start = 0; start < n; start += 2 * half) {
    for (let i = 0; i < half; i++) {
      const x = row + (start + i) * FR_BYTES;
      const y = x + half * FR_BYTES;
      raw._mclBnFr_sub(t, x, y);
      raw._mclBnFr_add(x, x, y);
      raw._mclBnFr_mul(y, t, powers + i * (n / 2 / half) * FR_BYTES);
    }
  }
}

/** One level of a decimation-in-time transform: (x, y) to (x + y·w, x − y·w). */
function joinPass(curve: Curve, row: Pointer, n: number, half: number, powers: Pointer, t: Pointer): void {
  const { raw } = curve;
  for (let start = 0; start < n; start += 2 * half) {
    for (let i = 0; i < half; i++) {
      const x = row + (start + i) * FR_BYTES;
      const y = x + half * FR_BYTES;
      raw._mclBnFr_mul(t, y, powers + i * (n / 2 / half) * FR_BYTES);
      raw._mclBnFr_sub(y, x, t);
      raw._mclBnFr_add(x, x, t);
    }
  }
}

/** The matrix entries in columns. Their values keep the factor R², see `COEFFICIENT_BYTES`. */
function loadCoefficients(curve: Curve, key: ProvingKey) {
  const bytes = key.coefficients;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length / COEFFICIENT_BYTES;
  const column = (at: number): Uint32Array =>
    Uint32Array.from({ length: count }, (_, i) => data.getUint32(i * COEFFICIENT_BYTES + at, true));
  const [matrix, constraint, wire] = [column(0), column(4), column(8)];
  if (constraint.some((row) => row >= key.domain) || wire.some((index) => index >= key.wires)) {
    throw new TypeError('zkey: a coefficient has an index outside the circuit');
  }
  const values = curve.allocate(count * FR_BYTES);
  const memory = curve.view(values, count * FR_BYTES);
  for (let i = 0; i < count; i++) {
    const at = i * COEFFICIENT_BYTES + 12;
    memory.set(bytes.subarray(at, at + FR_BYTES), i * FR_BYTES);
  }
  return { count, matrix, constraint, wire, values };
}

/** `scale · base^i` for i below `count`. */
function powerTable(curve: Curve, base: bigint, count: number, scale: bigint): Pointer {
  const table = curve.allocate(count * FR_BYTES);
  for (let i = 0, value = scale; i < count; i++, value = (value * base) % r) {
    curve.writeFr(table + i * FR_BYTES, value);
  }
  return table;
}

function permuteBitReversed(curve: Curve, table: Pointer, n: number): void {
  const bits = Math.log2(n);
  const memory = curve.view(table, n * FR_BYTES);
  const source = memory.slice();
  for (let i = 0; i < n; i++) {
    const reversed = Number.parseInt([...i.toString(2).padStart(bits, '0')].reverse().join(''), 2);
    memory.set(source.subarray(i * FR_BYTES, (i + 1) * FR_BYTES), reversed * FR_BYTES);
  }
}

function rootOfUnity(order: number): bigint {
  const generator = power(NON_RESIDUE, (r - 1n) >> TWO_ADICITY);
  return power(generator, (1n << TWO_ADICITY) / BigInt(order));
}

const inverse = (value: bigint): bigint => power(value, r - 2n);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = (square * square) % r) {
    if (rest & 1n) result = (result * square) % r;
  }
  return result;
}
