// @module-tag if-touched @proofs: the arithmetic below the verifier, against other implementations
import { bn254 } from '@noble/curves/bn254.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Curve, FQ_BYTES, G1_BYTES, G2_BYTES, GT_BYTES, loadCurve } from '../../src/curve/curve.js';
import { BASE_FIELD as q, SCALAR_FIELD as r } from '../../src/curve/modulus.js';
import { LAMBDA } from '../../src/kernel/kernel.js';
import type { AffineG1, AffineG2 } from '../../src/wire.js';
import { kernels, ONE, type Pair, type Product, pairing } from '../support/kernels.js';
import { fromNobleG1, fromNobleG2, G1Point, G2Point, seededRandom, toNobleG1 } from '../support/support.js';

const generator: Pair = [fromNobleG1(G1Point.BASE), fromNobleG2(G2Point.BASE)];
const g1 = (k: bigint): AffineG1 => fromNobleG1(G1Point.BASE.multiplyUnsafe(k));
const g2 = (k: bigint): AffineG2 => fromNobleG2(G2Point.BASE.multiplyUnsafe(k));
const negateG1 = ([x, y]: AffineG1): AffineG1 => [x, q - y];
const negateG2 = ([x, y]: AffineG2): AffineG2 => [x, [(q - y[0]) % q, (q - y[1]) % q]];

/** Random pairs. Most are sums of others, because multiplying takes milliseconds. */
function randomPairs(count: number, seed: bigint): Pair[] {
  const random = seededRandom(seed);
  const points = Array.from({ length: 4 }, () => ({
    p: G1Point.BASE.multiplyUnsafe(random.below(r - 1n) + 1n),
    q: G2Point.BASE.multiplyUnsafe(random.below(r - 1n) + 1n),
  }));
  while (points.length < count) {
    const [a, b] = [random.pick(points), points.at(-1)!];
    points.push({ p: a.p.add(b.p).double(), q: a.q.double().add(b.q) });
  }
  return points.slice(0, count).map((point) => [fromNobleG1(point.p), fromNobleG2(point.q)]);
}

let curve: Curve;
let mclPairing: (pairs: readonly Pair[]) => Product;
beforeAll(async () => {
  curve = await loadCurve();
  const [p, twistPoint] = [curve.allocate(G1_BYTES), curve.allocate(G2_BYTES)];
  const [factor, product] = [curve.allocate(GT_BYTES), curve.allocate(GT_BYTES)];
  mclPairing = (pairs) => {
    for (const [i, pair] of pairs.entries()) {
      curve.writeG1(p, pair[0]);
      curve.writeG2(twistPoint, pair[1]);
      curve.raw._mclBn_pairing(i === 0 ? product : factor, p, twistPoint);
      if (i > 0) curve.raw._mclBnGT_mul(product, product, factor);
    }
    return Array.from({ length: 12 }, (_, i) => curve.readFq(product + i * FQ_BYTES));
  };
});

describe.each(kernels)('the pairing of %s', (_, kernel) => {
  it.each([1, 2, 16, 64])(
    'of %i pairs is the product of mcl’s pairings, coefficient by coefficient',
    (count) => {
      const pairs = randomPairs(count, BigInt(count));
      expect(pairing(kernel, pairs)).toEqual(mclPairing(pairs));
    },
  );

  it('is mcl’s for 50 random pairs, one by one', () => {
    for (const pair of randomPairs(50, 50n)) expect(pairing(kernel, [pair])).toEqual(mclPairing([pair]));
  });

  it('is that of @noble/curves', () => {
    for (const [p, twistPoint] of [generator, ...randomPairs(3, 5n)]) {
      const [[x0, x1], [y0, y1]] = twistPoint;
      const other = G2Point.fromAffine({ x: { c0: x0, c1: x1 }, y: { c0: y0, c1: y1 } });
      const { c0, c1 } = bn254.pairing(toNobleG1(p), other);
      const expected = [c0, c1]
        .flatMap((half) => [half.c0, half.c1, half.c2])
        .flatMap(({ c0, c1 }) => [c0, c1]);
      expect(pairing(kernel, [[p, twistPoint]])).toEqual(expected);
    }
  });

  it('is mcl’s for multiples of the generators by extreme numbers', () => {
    const numbers = [1n, 2n, 3n, 1n << 64n, LAMBDA, (r - 1n) / 2n, r - 2n, r - 1n];
    const pairs = numbers.map((k, i): Pair => [g1(k), g2(numbers[numbers.length - 1 - i]!)]);
    for (const pair of pairs) expect(pairing(kernel, [pair])).toEqual(mclPairing([pair]));
    expect(pairing(kernel, pairs)).toEqual(mclPairing(pairs));
  });

  it('is linear in both arguments', () => {
    const random = seededRandom(11n);
    const [a, b] = [random.below(r), random.below(r)];
    const ab = (a * b) % r;
    const expected = pairing(kernel, [[g1(ab), generator[1]]]);
    expect(expected).not.toEqual(ONE);
    expect(pairing(kernel, [[generator[0], g2(ab)]])).toEqual(expected);
    expect(pairing(kernel, [[g1(a), g2(b)]])).toEqual(expected);
    expect(pairing(kernel, [[g1(b), g2(a)]])).toEqual(expected);
    const sums: Pair[] = [
      [g1((a + b) % r), g2(7n)],
      [negateG1(g1(a)), g2(7n)],
      [g1(b), negateG2(g2(7n))],
    ];
    expect(pairing(kernel, sums)).toEqual(ONE);
    expect(pairing(kernel, sums.slice(1))).not.toEqual(ONE);
  });

  it('has the order r, and is one for a pair and its negative, 64 times the same pair, and any order of the pairs', () => {
    const pairs = randomPairs(8, 12n);
    const [p, twistPoint] = pairs[0] as Pair;
    expect(pairing(kernel, [generator, [g1(r - 1n), generator[1]]])).toEqual(ONE);
    expect(
      pairing(kernel, [
        [p, twistPoint],
        [negateG1(p), twistPoint],
      ]),
    ).toEqual(ONE);
    expect(
      pairing(kernel, [
        [p, twistPoint],
        [p, negateG2(twistPoint)],
      ]),
    ).toEqual(ONE);
    const repeated = Array.from({ length: 63 }, (): Pair => [p, twistPoint]);
    const sixtyThree = fromNobleG1(toNobleG1(p).multiplyUnsafe(63n));
    expect(pairing(kernel, [...repeated, [negateG1(sixtyThree), twistPoint]])).toEqual(ONE);
    expect(pairing(kernel, pairs.toReversed())).toEqual(pairing(kernel, pairs));
  });
});
