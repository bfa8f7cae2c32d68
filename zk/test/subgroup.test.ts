import { beforeAll, describe, expect, it } from 'vitest';
import { hasOrderR, isOnG1, isOnTwist } from '../src/curve/bn254.js';
import { type Curve, G2_BYTES, loadCurve, type Pointer } from '../src/curve/curve.js';
import { BASE_FIELD as q, SCALAR_FIELD as r } from '../src/curve/modulus.js';
import { createSubgroupCheck, BN_X as x } from '../src/curve/subgroup.js';
import type { AffineG2 } from '../src/wire.js';
import {
  fromNobleG1,
  fromNobleG2,
  G1Point,
  G2Point,
  randomTwistPoint,
  seededRandom,
} from './support/support.js';

const cofactor = 2n * q - r;
const random = seededRandom(7n);
const member = (): AffineG2 => fromNobleG2(G2Point.BASE.multiplyUnsafe(random.below(r - 1n) + 1n));
const nonMember = (): AffineG2 => fromNobleG2(randomTwistPoint(random));
/** A point whose order divides the cofactor. */
const cofactorPoint = (): AffineG2 => {
  const point = randomTwistPoint(random);
  return fromNobleG2(point.multiplyUnsafe(r - 1n).add(point));
};
/** A member plus a point of the cofactor's order. */
const mixed = (): AffineG2 =>
  fromNobleG2(G2Point.BASE.multiplyUnsafe(random.word()).add(randomTwistPoint(random)));

describe('the subgroup check with ψ', () => {
  let curve: Curve;
  let isInG2: (point: Pointer) => boolean;
  let at: Pointer;
  beforeAll(async () => {
    curve = await loadCurve();
    isInG2 = createSubgroupCheck(curve);
    at = curve.allocate(G2_BYTES);
  });

  it('relies on a norm that is coprime to the cofactor, and on a relation that holds modulo r', () => {
    const t = q + 1n - r;
    expect(t).toBe(6n * x * x + 1n);
    expect(r).toBe(36n * x ** 4n + 36n * x ** 3n + 18n * x ** 2n + 6n * x + 1n);
    // f(ψ) = (x + 1) + xψ + xψ² − 2xψ³, reduced by ψ² = tψ − q to a + bψ, has the norm a² + abt + b²q.
    const a = x + 1n - x * q + 2n * x * t * q;
    const b = x + x * t - 2n * x * (t * t - q);
    const gcd = (m: bigint, n: bigint): bigint => (n === 0n ? (m < 0n ? -m : m) : gcd(n, m % n));
    expect(gcd(a * a + a * b * t + b * b * q, cofactor)).toBe(1n);
    expect(gcd(cofactor, r)).toBe(1n);
    expect((x + 1n + x * q + x * q ** 2n - 2n * x * q ** 3n) % r).toBe(0n);
  });

  it.each([
    ['members', 200, member, true],
    ['random points of the twist', 200, nonMember, false],
    ['points of the cofactor’s order', 60, cofactorPoint, false],
    ['members plus a point outside G2', 60, mixed, false],
  ] as const)(
    'agrees with the full order check for %s',
    { tags: ['ci'] },
    (_, count, createPoint, expected) => {
      for (let i = 0; i < count; i++) {
        curve.writeG2(at, createPoint());
        expect(curve.raw._mclBnG2_isValid(at)).toBe(1);
        expect(isInG2(at)).toBe(expected);
        expect(curve.raw._mclBnG2_isValidOrder(at) === 1).toBe(expected);
      }
    },
  );

  it('does not modify its point', () => {
    const point = member();
    curve.writeG2(at, point);
    isInG2(at);
    expect(curve.readG2(at)).toEqual(point);
  });
});

describe('the boot-time group checks in bigints', () => {
  it('agree for members and non-members', () => {
    for (const [createPoint, expected] of [
      [member, true],
      [nonMember, false],
      [cofactorPoint, false],
      [mixed, false],
    ] as const) {
      for (let i = 0; i < 5; i++) {
        const point = createPoint();
        expect(isOnTwist(point)).toBe(true);
        expect(hasOrderR(point)).toBe(expected);
      }
    }
  });

  it('reject points off the curve', () => {
    const [gx, gy] = fromNobleG1(G1Point.BASE);
    expect([isOnG1([gx, gy]), isOnG1([gx, gy + 1n]), isOnG1([0n, 0n])]).toEqual([true, false, false]);
    const [tx, ty] = member();
    expect(isOnTwist([tx, [ty[0], ty[1] ^ 1n]])).toBe(false);
    expect(
      isOnTwist([
        [0n, 0n],
        [0n, 0n],
      ]),
    ).toBe(false);
  });
});
