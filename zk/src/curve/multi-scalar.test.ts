import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Curve, FR_BYTES, G1_BYTES, G2_BYTES, loadCurve, type Pointer } from './curve.js';
import { SCALAR_FIELD } from './modulus.js';
import { MultiScalar } from './multi-scalar.js';
import { g1Group, g2Group } from './point-list.js';

let curve: Curve;
beforeAll(async () => {
  curve = await loadCurve();
});

const edges = fc.constantFrom(
  0n,
  1n,
  2n,
  SCALAR_FIELD - 1n,
  SCALAR_FIELD - 2n,
  1n << 253n,
  (1n << 253n) - 1n,
);
const scalar = fc.oneof(
  edges,
  fc.bigInt({ min: 0n, max: SCALAR_FIELD - 1n }),
  fc.integer({ min: 0, max: 253 }).map((bit) => 1n << BigInt(bit)),
);

/** Multiples of the generator by 1, 2, 3 …, so the sum is the generator times Σ (i + 1)·scalarᵢ. */
function multiples(count: number): Pointer {
  const points = curve.allocate(count * G1_BYTES);
  curve.writeG1(points, [1n, 2n]);
  for (let i = 1; i < count; i++) {
    curve.raw._mclBnG1_add(points + i * G1_BYTES, points + (i - 1) * G1_BYTES, points);
  }
  curve.raw._mclBnG1_normalizeVec(points, points, count);
  return points;
}

describe('a multi-scalar multiplication', () => {
  it.each([1, 2, 7, 40, 300])('of %i points matches the sum of the scalars', (count) => {
    const points = multiples(count);
    const sum = new MultiScalar(curve, g1Group(curve), points, count);
    const scalars = curve.allocate(count * FR_BYTES);
    const [result, expected, weight] = [G1_BYTES, G1_BYTES, FR_BYTES].map((bytes) =>
      curve.allocate(bytes),
    ) as [Pointer, Pointer, Pointer];
    fc.assert(
      fc.property(fc.array(scalar, { minLength: count, maxLength: count }), (values) => {
        for (const [i, value] of values.entries()) curve.writeFr(scalars + i * FR_BYTES, value);
        sum.sum(result, scalars);
        const total = values.reduce((left, value, i) => left + BigInt(i + 1) * value, 0n) % SCALAR_FIELD;
        curve.writeFr(weight, total);
        curve.raw._mclBnG1_mul(expected, points, weight);
        if (total === 0n) expect(curve.raw._mclBnG1_isZero(result)).toBe(1);
        else expect(curve.readG1(result)).toEqual(curve.readG1(expected));
      }),
      { seed: 9, numRuns: count > 100 ? 15 : 60 },
    );
  });

  it('is infinity if every scalar is zero', () => {
    const sum = new MultiScalar(curve, g1Group(curve), multiples(5), 5);
    const result = curve.allocate(G1_BYTES);
    sum.sum(result, curve.allocate(5 * FR_BYTES));
    expect(curve.raw._mclBnG1_isZero(result)).toBe(1);
  });

  it('leaves no trace of its scalars in memory after wipe', () => {
    const points = multiples(5);
    const sum = new MultiScalar(curve, g1Group(curve), points, 5);
    const scalars = curve.allocate(5 * FR_BYTES);
    for (let i = 0; i < 5; i++) curve.writeFr(scalars + i * FR_BYTES, 12_345n);
    const result = curve.allocate(G1_BYTES);
    // Allocations are consecutive, so the sum's working memory lies between its points and the result.
    expect(result).toBeGreaterThan(points);
    const memory = () => curve.view(points, result - points).slice();
    const before = memory();
    sum.sum(result, scalars);
    expect(memory()).not.toEqual(before);
    sum.wipe();
    expect(memory()).toEqual(before);
  });

  it('works in G2', () => {
    const group = g2Group(curve);
    const generator = curve.allocate(G2_BYTES);
    curve.writeG2(generator, [
      [
        10857046999023057135944570762232829481370756359578518086990519993285655852781n,
        11559732032986387107991004021392285783925812861821192530917403151452391805634n,
      ],
      [
        8495653923123431417604973247489272438418190587263600148770280649306958101930n,
        4082367875863433681332203403145435568316851327593401208105741076214120093531n,
      ],
    ]);
    const scalars = curve.allocate(FR_BYTES);
    const result = curve.allocate(G2_BYTES);
    const expected = curve.allocate(G2_BYTES);
    for (const value of [1n, 2n, 77n]) {
      curve.writeFr(scalars, value);
      new MultiScalar(curve, group, generator, 1).sum(result, scalars);
      curve.view(expected, G2_BYTES).fill(0);
      for (let i = 0n; i < value; i++) group.add(expected, expected, generator);
      expect(curve.readG2(result)).toEqual(curve.readG2(expected));
    }
  });
});
