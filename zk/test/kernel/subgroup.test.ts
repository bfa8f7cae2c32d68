// @module-tag if-touched @proofs: the arithmetic below the verifier, against other implementations
import { checkPrimeSync } from 'node:crypto';
import { bn254 } from '@noble/curves/bn254.js';
import { describe, expect, it } from 'vitest';
import { twistFrobenius } from '../../src/curve/bn254.js';
import { G2_BYTES, loadCurve } from '../../src/curve/curve.js';
import { BASE_FIELD as q, SCALAR_FIELD as r } from '../../src/curve/modulus.js';
import { BN_X as x } from '../../src/curve/subgroup.js';
import { LAMBDA } from '../../src/kernel/kernel.js';
import type { AffineG1, AffineG2 } from '../../src/wire.js';
import { combination, kernels } from '../support/kernels.js';
import { kernelConstants } from '../support/scripts.js';
import {
  fromNobleG1,
  fromNobleG2,
  G1Point,
  G2Point,
  type NobleG2,
  randomTwistPoint,
  seededRandom,
} from '../support/support.js';

/** The trace of Frobenius, and the cofactor: the twist has r·h points. */
const t = q + 1n - r;
const h = 2n * q - r;
const PRIMES_OF_H = [
  10069n,
  5864401n,
  1875725156269n,
  197620364512881247228717050342013327560683201906968909n,
];

const mod = (value: bigint): bigint => ((value % r) + r) % r;
const gcd = (m: bigint, n: bigint): bigint => (n === 0n ? (m < 0n ? -m : m) : gcd(n, m % n));

/** Any multiple of a point of the twist, by plain multiplication. `multiplyUnsafe` takes factors below r. */
function multiply(point: NobleG2, factor: bigint): NobleG2 {
  if (factor < r) return point.multiplyUnsafe(factor);
  return multiply(point.multiplyUnsafe(r - 1n).add(point), factor / r).add(point.multiplyUnsafe(factor % r));
}

/** A point of each prime order of the twist, and their sum, from one random point. */
const full = randomTwistPoint(seededRandom(31n));
const member = multiply(full, h);
const inCofactor = multiply(full, r);
const ofPrime = PRIMES_OF_H.map((prime) => multiply(inCofactor, h / prime));

const KINDS: readonly (readonly [order: string, order: bigint, points: readonly NobleG2[]])[] = [
  ['r', r, [member, G2Point.BASE, member.add(G2Point.BASE)]],
  ['r·h', r * h, [full, member.add(inCofactor), G2Point.BASE.add(inCofactor)]],
  ['h', h, [inCofactor]],
  ...PRIMES_OF_H.flatMap((prime, i) => {
    const point = ofPrime[i] as NobleG2;
    return [
      [`${prime}`, prime, [point]],
      [`r·${prime}`, r * prime, [member.add(point), G2Point.BASE.add(point)]],
      [`h/${prime}`, h / prime, [multiply(inCofactor, prime)]],
      [`r·h/${prime}`, (r * h) / prime, [multiply(full, prime)]],
    ] as const;
  }),
];

/** The sums of small multiples of points of each prime order, and whether r times them is infinity, by mcl. */
async function multiplySums(): Promise<(readonly [AffineG2, boolean])[]> {
  const curve = await loadCurve();
  const at = curve.allocate(G2_BYTES);
  let sums = [G2Point.ZERO];
  for (const base of [member, ...ofPrime])
    sums = sums.flatMap((sum) => [sum, sum.add(base), sum.add(base.double())]);
  return sums.slice(1).map((sum) => {
    const point = fromNobleG2(sum);
    curve.writeG2(at, point);
    return [point, curve.raw._mclBnG2_isValidOrder(at) === 1];
  });
}
const multipliedSums = await multiplySums();

describe.each(kernels)('the location of a point by %s', (_, kernel) => {
  it.each(KINDS)('is right for the order %s', (_name, order, points) => {
    for (const point of points.flatMap((each) => [
      each,
      each.negate(),
      each.double(),
      each.double().add(each),
    ])) {
      const location = order === r ? 'in G2' : 'on the twist';
      expect(kernel.locate(fromNobleG2(point))).toBe(location);
    }
  });

  it('agrees with multiplication by r, by mcl, for the sums of small multiples of points of each prime order', () => {
    const counts = { 'in G2': 0, 'on the twist': 0, 'off the twist': 0 };
    for (const [point, hasOrderR] of multipliedSums) {
      const location = kernel.locate(point);
      expect(location === 'in G2').toBe(hasOrderR);
      counts[location]++;
    }
    expect(counts).toEqual({ 'in G2': 2, 'on the twist': 3 ** 5 - 3, 'off the twist': 0 });
  });

  it('is “off the twist” for other points', () => {
    const point = fromNobleG2(member);
    const [gx, gy] = fromNobleG1(G1Point.BASE);
    const [[x0, x1], [y0, y1]] = point;
    const others: AffineG2[] = [
      ...[0n, 1n, 127n, 252n].flatMap((bit) =>
        [0, 1, 2, 3].map((i) => {
          const flat = point.flat().map((value, k) => (k === i ? (value ^ (1n << bit)) % q : value));
          return [flat.slice(0, 2), flat.slice(2)] as unknown as AffineG2;
        }),
      ),
      [
        [x1, x0],
        [y0, y1],
      ],
      [
        [x0, x1],
        [y1, y0],
      ],
      [
        [y0, y1],
        [x0, x1],
      ],
      [
        [x0, (q - x1) % q],
        [y0, (q - y1) % q],
      ],
      [
        [gx, 0n],
        [gy, 0n],
      ],
      [
        [0n, 0n],
        [0n, 0n],
      ],
      [
        [1n, 0n],
        [1n, 0n],
      ],
      [
        [q - 1n, q - 1n],
        [q - 1n, q - 1n],
      ],
      [
        [x0, x1],
        [0n, 0n],
      ],
      [
        [0n, 0n],
        [y0, y1],
      ],
    ];
    for (const other of others) expect(kernel.locate(other)).toBe('off the twist');
  });

  it('is “in G2” for 50 multiples of the generator', () => {
    const random = seededRandom(32n);
    let point = G2Point.BASE.multiplyUnsafe(random.below(r));
    for (let i = 0; i < 50; i++) {
      expect(kernel.locate(fromNobleG2(point))).toBe('in G2');
      point = point.double().add(member);
    }
  });
});

describe('the orders of the points above', () => {
  it('come from all prime factors of the cofactor', () => {
    expect(PRIMES_OF_H.reduce((product, prime) => product * prime, 1n)).toBe(h);
    for (const prime of [r, ...PRIMES_OF_H]) expect(checkPrimeSync(prime)).toBe(true);
    expect(gcd(h, r)).toBe(1n);
  });

  it.each(KINDS)('are exactly %s, by @noble/curves', (_name, order, [point]) => {
    const primes = [r, ...PRIMES_OF_H].filter((prime) => order % prime === 0n);
    const multiple = (factor: bigint) => multiply(point as NobleG2, factor);
    expect(multiple(order).is0()).toBe(true);
    expect(primes.some((prime) => multiple(order / prime).is0())).toBe(false);
    expect(multiple(r).is0()).toBe(order === r);
  });
});

/** a + bψ, where ψ² = tψ − q. */
type Element = readonly [a: bigint, b: bigint];
const add = (...elements: Element[]): Element => [
  elements.reduce((sum, [a]) => sum + a, 0n),
  elements.reduce((sum, [, b]) => sum + b, 0n),
];
const negate = ([a, b]: Element): Element => [-a, -b];
const timesPsi = ([a, b]: Element): Element => [-q * b, a + t * b];
/** An integer that multiplies to zero every point that the element does. */
const norm = ([a, b]: Element): bigint => a * a + a * b * t + b * b * q;
const [ONE, PSI, PSI_2, PSI_3] = (() => {
  const powers: Element[] = [[1n, 0n]];
  for (let i = 0; i < 3; i++) powers.push(timesPsi(powers.at(-1)!));
  return powers as [Element, Element, Element, Element];
})();

describe('the membership test of the kernels relies on', () => {
  /** 6x + 2 + X − X² + X³ */
  const f = add([6n * x + 2n, 0n], PSI, negate(PSI_2), PSI_3);

  it('a map ψ of the twist with ψ² = tψ − q, that multiplies members by q', () => {
    expect(t).toBe(6n * x * x + 1n);
    const { Fp2 } = bn254.fields;
    const [u, v] = twistFrobenius().map((pair) => Fp2.fromBigTuple([...pair]));
    const psi = (point: NobleG2) => {
      const affine = point.toAffine();
      return G2Point.fromAffine({
        x: Fp2.mul(Fp2.frobeniusMap(affine.x, 1), u!),
        y: Fp2.mul(Fp2.frobeniusMap(affine.y, 1), v!),
      });
    };
    for (const point of [member, full, inCofactor])
      expect(
        psi(psi(point))
          .add(multiply(point, q))
          .equals(multiply(psi(point), t)),
      ).toBe(true);
    expect(psi(member).equals(multiply(member, q))).toBe(true);
    expect(psi(full).equals(multiply(full, q))).toBe(false);
  });

  it('f(q) = 0 modulo r, so every member passes', () => {
    expect(mod(6n * x + 2n + q - q ** 2n + q ** 3n)).toBe(0n);
  });

  it('a norm of f(ψ) that is coprime to the cofactor, so no other point passes', () => {
    expect(gcd(norm(f), h)).toBe(1n);
    expect(norm(f) % r).toBe(0n);
  });

  it('no exceptional case of the formulas in the loop, neither for members nor for any other point of the twist', async () => {
    const { constants } = await kernelConstants();
    const steps = /LOOP\[\] = \{(.*?)\}/.exec(constants('fma'))?.[1]?.split(', ') ?? [];
    const added: Record<string, Element> = {
      ADD: ONE,
      SUBTRACT: negate(ONE),
      ADD_PSI: PSI,
      SUBTRACT_PSI_SQUARED: negate(PSI_2),
    };
    const neverZero = (element: Element) => expect(gcd(norm(element), r * h)).toBe(1n);
    let multiple = ONE;
    for (const step of steps) {
      if (step === 'DOUBLE') {
        // A point of order two has none, because r·h is odd.
        multiple = add(multiple, multiple);
        neverZero(multiple);
        continue;
      }
      const point = added[step] as Element;
      if (step === 'ADD' || step === 'SUBTRACT') expect(multiple[0] > 1n && multiple[0] < r - 1n).toBe(true);
      // For T = Q and T = -Q, the two points do not determine a chord.
      neverZero(add(multiple, negate(point)));
      neverZero(add(multiple, point));
      multiple = add(multiple, point);
    }
    expect(multiple).toEqual(add(f, negate(PSI_3)));
  });
});

describe('the factors low + λ·high of a batch', () => {
  /** A shortest vector of a lattice in the plane, by Gauss's reduction. */
  function shortest(u: Element, v: Element): Element {
    const dot = (a: Element, b: Element) => a[0] * b[0] + a[1] * b[1];
    for (;;) {
      if (dot(u, u) > dot(v, v)) [u, v] = [v, u];
      const [product, square] = [dot(u, v), dot(u, u)];
      // Rounds to the nearest integer.
      const quotient = (2n * product + (product < 0n ? -square : square)) / (2n * square);
      if (quotient === 0n) return u;
      v = [v[0] - quotient * u[0], v[1] - quotient * u[1]];
    }
  }

  it('are 2^128 different numbers modulo r, so a batch with an invalid proof passes for at most one of them', () => {
    // Equal factors would have differences (a, b) with a + λb = 0 mod r and |a|, |b| < 2^64: vectors of this lattice.
    const [a, b] = shortest([r, 0n], [-LAMBDA, 1n]);
    expect(mod(a + LAMBDA * b)).toBe(0n);
    expect([a, b]).not.toEqual([0n, 0n]);
    expect(a * a + b * b > 2n * 2n ** 128n).toBe(true);
    expect(a * a + b * b > 2n ** 250n).toBe(true);
  });

  it('have a cube root of one as λ, which multiplies x by a cube root β', () => {
    expect(mod(LAMBDA * LAMBDA + LAMBDA + 1n)).toBe(0n);
    const { Fp } = bn254.fields;
    const beta = Fp.pow(3n, (q - 1n) / 3n);
    for (const point of [G1Point.BASE, G1Point.BASE.multiplyUnsafe(12345678901234567n)]) {
      const [px, py] = fromNobleG1(point);
      const expected: AffineG1 = [Fp.mul(beta, px), py];
      expect(fromNobleG1(point.multiplyUnsafe(LAMBDA))).toEqual(expected);
      for (const [, kernel] of kernels) expect(combination(kernel, [[[px, py], LAMBDA]])).toEqual(expected);
    }
  });
});
