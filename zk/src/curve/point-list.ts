import { ZKEY_G1, ZKEY_G2 } from '../prover/zkey.js';
import { type Curve, FQ_BYTES, FR_BYTES, G1_BYTES, G2_BYTES, type Pointer } from './curve.js';
import { type GroupOps, MultiScalar } from './multi-scalar.js';

/** A group's operations, and how its points are stored. */
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
 * Fixed points, loaded once, and room for one scalar each. Scalars are named by where their point was in the lists
 * that were loaded, one list after the other; points at infinity are left out, since nothing can come of them.
 */
export class PointList {
  readonly #curve: Curve;
  readonly #sum: MultiScalar;
  readonly #scalars: Pointer;
  /** For each point given, the place of its scalar, or -1 for a point at infinity. */
  readonly #places: Int32Array;
  readonly #count: number;

  constructor(curve: Curve, group: Group, lists: readonly Uint8Array[]) {
    const points = lists.flatMap((list) =>
      Array.from({ length: list.length / group.fileBytes }, (_, i) =>
        list.subarray(i * group.fileBytes, (i + 1) * group.fileBytes),
      ),
    );
    let count = 0;
    this.#places = Int32Array.from(points, (point) => (point.some((byte) => byte !== 0) ? count++ : -1));
    this.#curve = curve;
    this.#count = count;
    this.#scalars = curve.allocate(count * FR_BYTES);
    const loaded = curve.allocate(count * group.bytes);
    points.forEach((point, i) => {
      const place = this.#places[i] ?? -1;
      if (place >= 0) loadPoint(curve, group, loaded + place * group.bytes, point);
    });
    this.#sum = new MultiScalar(curve, group, loaded, count);
  }

  /** Copies an element of Fr to be the i-th point's scalar. */
  setScalar(i: number, from: Pointer): void {
    const place = this.#places[i] ?? -1;
    if (place >= 0) this.#curve.copy(this.#scalars + place * FR_BYTES, from, FR_BYTES);
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

/** The file's coordinates are the module's, with less room between them. */
export function loadPoint(curve: Curve, group: Group, to: Pointer, point: Uint8Array): void {
  for (let at = 0, place = to; at < group.fileBytes; at += 32, place += FQ_BYTES) {
    curve.view(place, 32).set(point.subarray(at, at + 32));
  }
  curve.writeFq(to + (group.bytes / 3) * 2, 1n);
}
