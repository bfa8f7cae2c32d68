import { type Curve, FR_BYTES, type Pointer } from './curve.js';

/** The group operations that a sum needs. Results may overlap operands. */
export interface GroupOps {
  /** Bytes of a point in the module. */
  readonly bytes: number;
  readonly add: (result: Pointer, x: Pointer, y: Pointer) => void;
  readonly double: (result: Pointer, x: Pointer) => void;
  readonly negate: (result: Pointer, x: Pointer) => void;
}

/** Bits of a scalar below r, plus one for the carry. */
const SCALAR_BITS = 255;
const MAX_WINDOW_BITS = 12;

/**
 * Computes Σ scalars[i] · points[i] with Pippenger's bucket method and signed digits. Each scalar is split into windows of c
 * bits, with digits from −2^(c−1) to 2^(c−1) − 1. In each window, a point is added to the bucket of its digit, and a running
 * sum weights the buckets. The points are fixed and affine, and their negatives are precomputed, so every addition is a mixed
 * one. Running time depends on the scalars.
 */
export class MultiScalar {
  readonly #curve: Curve;
  readonly #group: GroupOps;
  readonly #points: Pointer;
  readonly #negatives: Pointer;
  readonly #count: number;
  readonly #windowBits: number;
  readonly #windows: number;
  readonly #digits: Int16Array;
  readonly #buckets: Pointer;
  readonly #filled: Uint8Array;
  readonly #running: Pointer;
  readonly #plain: Pointer;

  /** @param points consecutive, affine and finite; must not move or change afterwards */
  constructor(curve: Curve, group: GroupOps, points: Pointer, count: number) {
    this.#curve = curve;
    this.#group = group;
    this.#count = count;
    this.#windowBits = bestWindow(count);
    this.#windows = Math.floor(SCALAR_BITS / this.#windowBits) + 1;
    this.#digits = new Int16Array(count * this.#windows);
    this.#points = points;
    this.#negatives = curve.allocate(count * group.bytes);
    for (let i = 0; i < count; i++) group.negate(this.#negatives + i * group.bytes, points + i * group.bytes);
    const buckets = 2 ** (this.#windowBits - 1);
    this.#buckets = curve.allocate(buckets * group.bytes);
    this.#filled = new Uint8Array(buckets);
    this.#running = curve.allocate(group.bytes);
    this.#plain = curve.allocate(FR_BYTES);
  }

  /** @param scalars one element of Fr for each point, in the points' order */
  sum(result: Pointer, scalars: Pointer): void {
    const { bytes, double } = this.#group;
    this.#cut(scalars);
    this.#curve.view(result, bytes).fill(0);
    for (let window = this.#windows - 1; window >= 0; window--) {
      for (let bit = 0; bit < this.#windowBits; bit++) double(result, result);
      this.#fillBuckets(window);
      this.#addBuckets(result);
    }
  }

  /** Erases everything derived from the last scalars. */
  wipe(): void {
    this.#digits.fill(0);
    this.#curve.view(this.#plain, FR_BYTES).fill(0);
    this.#curve.view(this.#buckets, this.#filled.length * this.#group.bytes).fill(0);
    this.#curve.view(this.#running, this.#group.bytes).fill(0);
  }

  /** Splits the scalars into digits. A digit in the upper half is reduced by 2^c and carries one into the next window. */
  #cut(scalars: Pointer): void {
    const bits = this.#windowBits;
    const [full, half] = [2 ** bits, 2 ** (bits - 1)];
    const plain = this.#curve.view(this.#plain, FR_BYTES);
    for (let i = 0; i < this.#count; i++) {
      plain.fill(0);
      this.#curve.raw._mclBnFr_getLittleEndian(this.#plain, FR_BYTES, scalars + i * FR_BYTES);
      let carry = 0;
      for (let window = 0; window < this.#windows; window++) {
        const digit = bitsAt(plain, window * bits, bits) + carry;
        carry = digit >= half ? 1 : 0;
        this.#digits[window * this.#count + i] = digit - carry * full;
      }
    }
  }

  #fillBuckets(window: number): void {
    const { bytes, add } = this.#group;
    const from = window * this.#count;
    this.#filled.fill(0);
    for (let i = 0; i < this.#count; i++) {
      const digit = this.#digits[from + i] as number;
      if (digit === 0) continue;
      const at = Math.abs(digit) - 1;
      const point = (digit < 0 ? this.#negatives : this.#points) + i * bytes;
      const bucket = this.#buckets + at * bytes;
      if (this.#filled[at] === 1) add(bucket, bucket, point);
      else this.#curve.copy(bucket, point, bytes);
      this.#filled[at] = 1;
    }
  }

  /** result += Σ (k + 1) · bucket[k]. Bucket k stays in the running sum for k + 1 additions. */
  #addBuckets(result: Pointer): void {
    const { bytes, add } = this.#group;
    this.#curve.view(this.#running, bytes).fill(0);
    let any = false;
    for (let at = this.#filled.length - 1; at >= 0; at--) {
      if (this.#filled[at] === 1) {
        add(this.#running, this.#running, this.#buckets + at * bytes);
        any = true;
      }
      if (any) add(result, result, this.#running);
    }
  }
}

/** Up to 17 bits of a little-endian number, starting at bit `from`. Bits beyond its end are 0. */
function bitsAt(bytes: Uint8Array, from: number, count: number): number {
  const at = from >> 3;
  const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return (word >> (from & 7)) & (2 ** count - 1);
}

/** The window width that needs the fewest additions: one per point and two per bucket. */
function bestWindow(count: number): number {
  const cost = (bits: number) => (Math.floor(SCALAR_BITS / bits) + 1) * (count + 2 ** bits);
  const widths = Array.from({ length: MAX_WINDOW_BITS - 1 }, (_, i) => i + 2);
  return widths.reduce((best, bits) => (cost(bits) < cost(best) ? bits : best));
}
