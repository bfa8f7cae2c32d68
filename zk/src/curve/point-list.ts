import { ZKEY_G1, ZKEY_G2 } from '../prover/zkey.js';
import { type Curve, FQ_BYTES, FR_BYTES, G1_BYTES, G2_BYTES, type Pointer } from './curve.js';
import { type GroupOps, MultiScalar } from './multi-scalar.js';

/** A group's operations, and the size of its points in a file. */
export interface Group extends GroupOps {
  /** Bytes of an affine point in a zkey. */
  readonly fileBytes: number;
}

export const g1Group = (curve: Curve): Group => ({
  fileBytes: ZKEY_G1,
  bytes: G1_BYTES,
  add: curve.raw._mclBnG1_add,
  double: curve.raw._mclBnG1_dbl,
  negate: curve.raw._mclBnG1_neg,
});

export const g2Group = (curve: Curve): Group => ({
  fileBytes: ZKEY_G2,
  bytes: G2_BYTES,
  add: curve.raw._mclBnG2_add,
  double: curve.raw._mclBnG2_dbl,
  negate: curve.raw._mclBnG2_neg,
});

/**
 * Fixed points, loaded once, with one scalar each. A scalar has the index of its point in the concatenated lists. Points at
 * infinity are skipped, because they contribute nothing.
 */
export class PointList {
  readonly #curve: Curve;
  readonly #sum: MultiScalar;
  readonly #scalars: Pointer;
  /** For each point, the slot of its scalar, or -1 for a point at infinity. */
  readonly #slots: Int32Array;
  readonly #count: number;

  constructor(curve: Curve, group: Group, lists: readonly Uint8Array[]) {
    const points = lists.flatMap((list) =>
      Array.from({ length: list.length / group.fileBytes }, (_, i) =>
        list.subarray(i * group.fileBytes, (i + 1) * group.fileBytes),
      ),
    );
    let count = 0;
    this.#slots = Int32Array.from(points, (point) => (point.some((byte) => byte !== 0) ? count++ : -1));
    this.#curve = curve;
    this.#count = count;
    this.#scalars = curve.allocate(count * FR_BYTES);
    const loaded = curve.allocate(count * group.bytes);
    points.forEach((point, i) => {
      const slot = this.#slots[i] ?? -1;
      if (slot >= 0) loadPoint(curve, group, loaded + slot * group.bytes, point);
    });
    this.#sum = new MultiScalar(curve, group, loaded, count);
  }

  /** Sets the scalar of point i to an element of Fr, by copying it. */
  setScalar(i: number, from: Pointer): void {
    const slot = this.#slots[i] ?? -1;
    if (slot >= 0) this.#curve.copy(this.#scalars + slot * FR_BYTES, from, FR_BYTES);
  }

  /** Copies consecutive scalars, the first for point `start`. */
  setScalars(start: number, from: Pointer, count: number): void {
    for (let i = 0; i < count; i++) this.setScalar(start + i, from + i * FR_BYTES);
  }

  /** The sum of all points times their scalars. */
  sum(result: Pointer): void {
    this.#sum.sum(result, this.#scalars);
  }

  wipe(): void {
    this.#curve.view(this.#scalars, this.#count * FR_BYTES).fill(0);
    this.#sum.wipe();
  }
}

/** Copies a point from a file. The module has the same coordinates, but more space between them. */
export function loadPoint(curve: Curve, group: Group, to: Pointer, point: Uint8Array): void {
  for (let at = 0, slot = to; at < group.fileBytes; at += 32, slot += FQ_BYTES) {
    curve.view(slot, 32).set(point.subarray(at, at + 32));
  }
  curve.writeFq(to + (group.bytes / 3) * 2, 1n);
}
