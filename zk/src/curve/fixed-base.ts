import { type Curve, FR_BYTES, G1_BYTES, type Pointer } from './curve.js';
import { assertScalar } from './modulus.js';

const WINDOW_BITS = 8;
const WINDOWS = 32;
const ENTRIES = 2 ** WINDOW_BITS - 1;

/** Adds `scalar · base` to a point, for a fixed base. @throws RangeError for a scalar outside [0, r) */
export type AddMultiple = (sum: Pointer, scalar: bigint) => void;

/**
 * Precomputes d · 2^(8w) · base for every digit d and window w, so a multiplication takes at most 32 additions of affine
 * points. The table takes 1.2 MB of the module's memory and about 12 ms to build. Use it for public signals only, because its
 * running time depends on the scalar.
 */
export function createFixedBase(curve: Curve, base: Pointer): AddMultiple {
  const { raw } = curve;
  const table = curve.allocate(WINDOWS * ENTRIES * G1_BYTES);
  const entry = (window: number, digit: number): Pointer => table + (window * ENTRIES + digit - 1) * G1_BYTES;
  for (let window = 0; window < WINDOWS; window++) {
    const first = entry(window, 1);
    if (window === 0) curve.copy(first, base, G1_BYTES);
    else raw._mclBnG1_add(first, entry(window - 1, ENTRIES), entry(window - 1, 1));
    for (let digit = 2; digit <= ENTRIES; digit++) {
      raw._mclBnG1_add(entry(window, digit), entry(window, digit - 1), first);
    }
  }
  raw._mclBnG1_normalizeVec(table, table, WINDOWS * ENTRIES);

  return (sum, scalar) => {
    for (let window = 0, rest = assertScalar(scalar); rest > 0n; window++, rest >>= 8n) {
      const digit = Number(rest & 0xffn);
      if (digit !== 0) raw._mclBnG1_add(sum, sum, entry(window, digit));
    }
  };
}

/** The same without a table: no preparation, but each multiplication is slower. For occasional verification. */
export function createMultiple(curve: Curve, base: Pointer): AddMultiple {
  const { raw } = curve;
  const factor = curve.allocate(FR_BYTES);
  const product = curve.allocate(G1_BYTES);
  return (sum, scalar) => {
    curve.writeFr(factor, scalar);
    raw._mclBnG1_mul(product, base, factor);
    raw._mclBnG1_add(sum, sum, product);
  };
}
