import mcl from 'mcl-wasm';
import type { AffineG1, AffineG2 } from '../wire.js';
import { assertCoordinate, assertScalar } from './modulus.js';

/**
 * BN254 (mcl calls it BN_SNARK1) on mcl's WebAssembly module, without its JavaScript objects. Those copy every operand into
 * the module and every result out, but pairings and multi-scalar multiplications reuse their points. Values stay in the
 * module's memory and are referred to by address.
 *
 * The raw functions are internal to mcl-wasm, so its version is pinned exactly. Layout: an element of Fq takes 48 bytes, of
 * which the first 32 are used (little-endian, Montgomery form with R = 2^256). An element of Fr takes 32 bytes, and one of
 * Fq² is two of Fq. Points are Jacobian: x, y, z.
 */

/** An address in the module's memory. */
export type Pointer = number;

export const FQ_BYTES = 48;
export const FR_BYTES = 32;
export const G1_BYTES = 3 * FQ_BYTES;
export const G2_BYTES = 6 * FQ_BYTES;
export const GT_BYTES = 12 * FQ_BYTES;

type Unary = (result: Pointer, x: Pointer) => void;
type Binary = (result: Pointer, x: Pointer, y: Pointer) => void;
type Predicate = (x: Pointer) => 0 | 1;
type Bytes = (x: Pointer, buffer: Pointer, size: number) => number;

/** The functions of the module that we use. Results may overlap operands. */
export interface CurveModule {
  /** `buffer` is replaced when the memory grows. */
  readonly wasmMemory: { readonly buffer: ArrayBuffer };
  readonly _malloc: (bytes: number) => Pointer;
  readonly _mclBnFp_setLittleEndian: Bytes;
  readonly _mclBnFp_getLittleEndian: (buffer: Pointer, size: number, x: Pointer) => number;
  readonly _mclBnFp_neg: Unary;
  readonly _mclBnFp2_mul: Binary;
  readonly _mclBnFr_setLittleEndian: Bytes;
  readonly _mclBnFr_getLittleEndian: (buffer: Pointer, size: number, x: Pointer) => number;
  readonly _mclBnFr_add: Binary;
  readonly _mclBnFr_sub: Binary;
  readonly _mclBnFr_mul: Binary;
  readonly _mclBnG1_isValid: Predicate;
  readonly _mclBnG1_isZero: Predicate;
  readonly _mclBnG1_clear: (x: Pointer) => void;
  readonly _mclBnG1_neg: Unary;
  readonly _mclBnG1_dbl: Unary;
  readonly _mclBnG1_add: Binary;
  readonly _mclBnG1_mul: Binary;
  readonly _mclBnG1_mulVec: (result: Pointer, points: Pointer, scalars: Pointer, count: number) => void;
  readonly _mclBnG1_normalize: Unary;
  readonly _mclBnG1_normalizeVec: (result: Pointer, points: Pointer, count: number) => void;
  readonly _mclBnG2_isValid: Predicate;
  readonly _mclBnG2_isValidOrder: Predicate;
  readonly _mclBnG2_isZero: Predicate;
  readonly _mclBnG2_neg: Unary;
  readonly _mclBnG2_dbl: Unary;
  readonly _mclBnG2_add: Binary;
  readonly _mclBnG2_normalize: Unary;
  readonly _mclBnGT_mul: Binary;
  readonly _mclBnGT_isEqual: (x: Pointer, y: Pointer) => 0 | 1;
  readonly _mclBnGT_isOne: Predicate;
  readonly _mclBn_millerLoopVec: (result: Pointer, p: Pointer, q: Pointer, count: number) => void;
  readonly _mclBn_pairing: Binary;
  readonly _mclBn_finalExp: Unary;
  readonly _mclBn_getUint64NumToPrecompute: () => number;
  readonly _mclBn_precomputeG2: (lines: Pointer, point: Pointer) => void;
  readonly _mclBn_precomputedMillerLoop: Binary;
  readonly _mclBn_precomputedMillerLoop2mixed: (
    result: Pointer,
    p1: Pointer,
    q1: Pointer,
    p2: Pointer,
    lines2: Pointer,
  ) => void;
}

let loading: Promise<Curve> | undefined;

/** The curve of this thread. The first call compiles it in about 20 ms; later calls share it. */
export function loadCurve(): Promise<Curve> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Curve> {
  await mcl.init(mcl.BN_SNARK1);
  // Otherwise `isValid` would multiply by the group's order. The verifier has a cheaper check.
  mcl.verifyOrderG1(false);
  mcl.verifyOrderG2(false);
  // Keep this instance: another caller's init would create a second module.
  return new Curve((mcl as unknown as { mod: CurveModule }).mod);
}

/** The module, its memory, and functions that read and write values. */
export class Curve {
  readonly raw: CurveModule;
  readonly #scratch: Pointer;

  constructor(raw: CurveModule) {
    this.raw = raw;
    this.#scratch = this.allocate(FQ_BYTES);
  }

  /**
   * Allocates zeroed memory, which reads as the value zero or the point at infinity. It is never freed, because verifiers and
   * provers are created once and live as long as their thread.
   * @throws RangeError if memory is exhausted
   */
  allocate(bytes: number): Pointer {
    const address = this.raw._malloc(bytes);
    if (address === 0) throw new RangeError(`the curve module cannot allocate ${bytes} bytes`);
    this.view(address, bytes).fill(0);
    return address;
  }

  /** A view of the module's memory, valid until the next allocation, which may move it. */
  view(address: Pointer, bytes: number): Uint8Array {
    return new Uint8Array(this.raw.wasmMemory.buffer, address, bytes);
  }

  copy(to: Pointer, from: Pointer, bytes: number): void {
    new Uint8Array(this.raw.wasmMemory.buffer).copyWithin(to, from, from + bytes);
  }

  /** @throws RangeError for a value outside [0, q) */
  writeFq(to: Pointer, value: bigint): void {
    this.raw._mclBnFp_setLittleEndian(to, this.#put(assertCoordinate(value)), 32);
  }

  /** @throws RangeError for a value outside [0, r) */
  writeFr(to: Pointer, value: bigint): void {
    this.raw._mclBnFr_setLittleEndian(to, this.#put(assertScalar(value)), 32);
    this.#put(0n);
  }

  readFq(from: Pointer): bigint {
    // The module doesn't write leading zero bytes, so clear the buffer first. The same applies below.
    this.raw._mclBnFp_getLittleEndian(this.#put(0n), 32, from);
    return this.#take();
  }

  readFr(from: Pointer): bigint {
    this.raw._mclBnFr_getLittleEndian(this.#put(0n), 32, from);
    return this.#take();
  }

  /** Writes an affine point without checking that it lies on the curve. @throws RangeError for a coordinate outside [0, q) */
  writeG1(to: Pointer, [x, y]: AffineG1): void {
    this.writeFq(to, x);
    this.writeFq(to + FQ_BYTES, y);
    this.writeFq(to + 2 * FQ_BYTES, 1n);
  }

  writeG2(to: Pointer, point: AffineG2): void {
    [...point.flat(), 1n, 0n].forEach((coordinate, i) => {
      this.writeFq(to + i * FQ_BYTES, coordinate);
    });
  }

  /** Converts a finite point to affine form in place, then reads it. */
  readG1(from: Pointer): AffineG1 {
    this.raw._mclBnG1_normalize(from, from);
    return [this.readFq(from), this.readFq(from + FQ_BYTES)];
  }

  readG2(from: Pointer): AffineG2 {
    this.raw._mclBnG2_normalize(from, from);
    const [x0, x1, y0, y1] = [0, 1, 2, 3].map((i) => this.readFq(from + i * FQ_BYTES)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    return [
      [x0, x1],
      [y0, y1],
    ];
  }

  #put(value: bigint): Pointer {
    const words = new DataView(this.raw.wasmMemory.buffer, this.#scratch, 32);
    for (let i = 0; i < 4; i++) words.setBigUint64(i * 8, BigInt.asUintN(64, value >> BigInt(i * 64)), true);
    return this.#scratch;
  }

  #take(): bigint {
    const words = new DataView(this.raw.wasmMemory.buffer, this.#scratch, 32);
    let value = 0n;
    for (let i = 3; i >= 0; i--) value = (value << 64n) | words.getBigUint64(i * 8, true);
    return value;
  }
}
