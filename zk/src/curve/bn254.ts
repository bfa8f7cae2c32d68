import type { AffineG1, AffineG2 } from '../wire.js';
import { isCoordinate, BASE_FIELD as q, SCALAR_FIELD } from './modulus.js';

/**
 * Membership in BN254's groups, in plain bigints. Slow, synchronous and independent of the curve library: it checks the few
 * points of a verification key at boot. G1 is y² = x³ + 3 and has prime order. G2 lies on the twist
 * y² = x³ + 3/(9 + i) over Fq² = Fq[i]/(i² + 1), which also contains points of other orders.
 */

type Fq2 = readonly [bigint, bigint];
/** Jacobian coordinates: x = X/Z², y = Y/Z³, infinity where Z = 0. */
type Jacobian = readonly [Fq2, Fq2, Fq2];

/** The standard generator of G2. */
export const G2_GENERATOR: AffineG2 = [
  [
    10857046999023057135944570762232829481370756359578518086990519993285655852781n,
    11559732032986387107991004021392285783925812861821192530917403151452391805634n,
  ],
  [
    8495653923123431417604973247489272438418190587263600148770280649306958101930n,
    4082367875863433681332203403145435568316851327593401208105741076214120093531n,
  ],
];

const mod = (value: bigint): bigint => ((value % q) + q) % q;
const add = (a: Fq2, b: Fq2): Fq2 => [(a[0] + b[0]) % q, (a[1] + b[1]) % q];
const sub = (a: Fq2, b: Fq2): Fq2 => [mod(a[0] - b[0]), mod(a[1] - b[1])];
const mul = (a: Fq2, b: Fq2): Fq2 => [mod(a[0] * b[0] - a[1] * b[1]), (a[0] * b[1] + a[1] * b[0]) % q];
const times = (a: Fq2, k: bigint): Fq2 => [(a[0] * k) % q, (a[1] * k) % q];
const equal = (a: Fq2, b: Fq2): boolean => a[0] === b[0] && a[1] === b[1];

/** 3/(9 + i) = 3·(9 − i)/82. */
const TWIST_B: Fq2 = (() => {
  const [inverse82] = power([82n, 0n], q - 2n);
  return [mod(27n * inverse82), mod(-3n * inverse82)];
})();

/** True for an affine point of the curve with coordinates in [0, q); its order is then r. */
export function isOnG1([x, y]: AffineG1): boolean {
  return isCoordinate(x) && isCoordinate(y) && mod(y * y - x * x * x - 3n) === 0n;
}

/** True for an affine point of the twist with coordinates in [0, q), whatever its order. */
export function isOnTwist([x, y]: AffineG2): boolean {
  return [...x, ...y].every(isCoordinate) && equal(mul(y, y), add(mul(mul(x, x), x), TWIST_B));
}

/** True when r·P is infinity, by plain double-and-add. Expects a point of the twist. */
export function hasOrderR(point: AffineG2): boolean {
  let sum: Jacobian = [
    [0n, 0n],
    [1n, 0n],
    [0n, 0n],
  ];
  for (let bit = BigInt(SCALAR_FIELD.toString(2).length) - 1n; bit >= 0n; bit--) {
    sum = double(sum);
    if ((SCALAR_FIELD >> bit) & 1n) sum = addAffine(sum, point);
  }
  return equal(sum[2], [0n, 0n]);
}

function double([x, y, z]: Jacobian): Jacobian {
  const yy = mul(y, y);
  const s = times(mul(x, yy), 4n);
  const m = times(mul(x, x), 3n);
  const x3 = sub(mul(m, m), times(s, 2n));
  return [x3, sub(mul(m, sub(s, x3)), times(mul(yy, yy), 8n)), times(mul(y, z), 2n)];
}

function addAffine(p: Jacobian, [x2, y2]: AffineG2): Jacobian {
  const [x1, y1, z1] = p;
  if (equal(z1, [0n, 0n])) return [x2, y2, [1n, 0n]];
  const zz = mul(z1, z1);
  const h = sub(mul(x2, zz), x1);
  const slope = sub(mul(y2, mul(z1, zz)), y1);
  if (equal(h, [0n, 0n]))
    return equal(slope, [0n, 0n])
      ? double(p)
      : [
          [0n, 0n],
          [1n, 0n],
          [0n, 0n],
        ];
  const hh = mul(h, h);
  const hhh = mul(h, hh);
  const v = mul(x1, hh);
  const x3 = sub(sub(mul(slope, slope), hhh), times(v, 2n));
  return [x3, sub(mul(slope, sub(v, x3)), mul(y1, hhh)), mul(z1, h)];
}

/**
 * The two factors of ψ, the Frobenius map carried over to the twist: ψ(x, y) = (u·x̄, v·ȳ), with u = ξ^((q−1)/3),
 * v = ξ^((q−1)/2) and ξ = 9 + i.
 */
export function twistFrobenius(): readonly [AffineG1, AffineG1] {
  return [power([9n, 1n], (q - 1n) / 3n), power([9n, 1n], (q - 1n) / 2n)];
}

function power(base: Fq2, exponent: bigint): Fq2 {
  let result: Fq2 = [1n, 0n];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}
