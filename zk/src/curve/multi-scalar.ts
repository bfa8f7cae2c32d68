import { type Curve, FR_BYTES, type Pointer } from './curve.js';

/** What adding up takes of a group; results may overlap operands. */
export interface GroupOps {
  /** Bytes of a point in the module. */
  readonly bytes: number;
  readonly add: (result: Pointer, x: Pointer, y: Pointer) => void;
  readonly double: (result: Pointer, x: Pointer) => void;
  readonly negate: (result: Pointer, x: Pointer) => void;
}

/** Of a scalar below r, and a carry. */
const SCALAR_BITS = 255;
const MOST_WINDOW_BITS = 12;

/**
 * Σ scalars[i] · points[i] by buckets (Pippenger), with signed digits: a scalar is cut into windows of c bits, each from
 * −2^(c−1) to 2^(c−1) − 1; in each window the points go to the bucket of their digit, and a running sum weighs the
 * buckets. For points that are known beforehand and affine: their negatives are kept beside them, so that every addition is
 * a mixed one. Running time depends on the scalars.
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

  /** @param points affine and finite, one after the other, to stay where and as they are */
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

  /** Overwrites what the last scalars left behind. */
  wipe(): void {
    this.#digits.fill(0);
    this.#curve.view(this.#plain, FR_BYTES).fill(0);
    this.#curve.view(this.#buckets, this.#filled.length * this.#group.bytes).fill(0);
    this.#curve.view(this.#running, this.#group.bytes).fill(0);
  }

  /** A digit of the upper half stands for itself minus 2^c, and carries one into the next window. */
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

  /** result += Σ (k + 1) · bucket[k]: each bucket is in the running sum as often as its digit says. */
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

/** Up to 24 bits of a little-endian number, from a bit on; none beyond its end. */
function bitsAt(bytes: Uint8Array, from: number, count: number): number {
  const at = from >> 3;
  const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return (word >> (from & 7)) & (2 ** count - 1);
}

/** The window with the fewest additions: one for each point, two for each bucket. */
function bestWindow(count: number): number {
  const cost = (bits: number) => (Math.floor(SCALAR_BITS / bits) + 1) * (count + 2 ** bits);
  const widths = Array.from({ length: MOST_WINDOW_BITS - 1 }, (_, i) => i + 2);
  return widths.reduce((best, bits) => (cost(bits) < cost(best) ? bits : best));
}
