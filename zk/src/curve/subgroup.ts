import { twistFrobenius } from './bn254.js';
import { type Curve, FQ_BYTES, G2_BYTES, type Pointer } from './curve.js';

/** The Barreto–Naehrig parameter x of BN254: q and r are polynomials in x. */
export const BN_X = 4965661367192848881n;

/**
 * Checks whether a point of the twist lies in G2, the subgroup of order r. Takes a quarter of the time of multiplying by r.
 *
 * ψ, the Frobenius map carried over to the twist, satisfies ψ² − tψ + q = 0 on the whole twist. The test is
 *
 *     f(ψ)(Q) = [x + 1]Q + ψ([x]Q) + ψ²([x]Q) − ψ³([2x]Q) = 0
 *
 * (Dai, Lin, Zhao, Zhou, https://eprint.iacr.org/2022/348). On G2, ψ multiplies by q and f(q) ≡ 0 mod r, so members
 * pass. Conversely, if f(ψ)Q = 0 then the norm of f times Q is 0 as well. That norm is an integer coprime to the cofactor
 * 2q − r, so Q has order r or 1. The tests recompute both facts. [x]Q uses plain double-and-add, because faster
 * multiplications by endomorphism assume membership, which is what this checks.
 * @returns a predicate for affine points on the twist other than infinity
 */
export function createSubgroupCheck(curve: Curve): (point: Pointer) => boolean {
  const { raw } = curve;
  const bits = [...BN_X.toString(2)].slice(1).map((bit) => bit === '1');
  const psi = createPsi(curve);
  const multiple = curve.allocate(G2_BYTES);
  const sum = curve.allocate(G2_BYTES);

  return (point) => {
    curve.copy(multiple, point, G2_BYTES);
    for (const bit of bits) {
      raw._mclBnG2_dbl(multiple, multiple);
      if (bit) raw._mclBnG2_add(multiple, multiple, point);
    }
    // With P = [x]Q, Horner's rule: f(ψ)Q = Q + P + ψ(P + ψ(P − ψ(2P))).
    raw._mclBnG2_dbl(sum, multiple);
    psi(sum);
    raw._mclBnG2_neg(sum, sum);
    for (let i = 0; i < 2; i++) {
      raw._mclBnG2_add(sum, sum, multiple);
      psi(sum);
    }
    raw._mclBnG2_add(sum, sum, multiple);
    raw._mclBnG2_add(sum, sum, point);
    return raw._mclBnG2_isZero(sum) === 1;
  };
}

/** Applies ψ in place: conjugates every coordinate, then scales x and y. Works for any z. */
function createPsi(curve: Curve): (point: Pointer) => void {
  const { raw } = curve;
  const scale = twistFrobenius().map((constant) => {
    const address = curve.allocate(2 * FQ_BYTES);
    curve.writeFq(address, constant[0]);
    curve.writeFq(address + FQ_BYTES, constant[1]);
    return address;
  });
  return (point) => {
    for (let i = 0; i < 3; i++) {
      const coordinate = point + i * 2 * FQ_BYTES;
      raw._mclBnFp_neg(coordinate + FQ_BYTES, coordinate + FQ_BYTES);
      const factor = scale[i];
      if (factor !== undefined) raw._mclBnFp2_mul(coordinate, coordinate, factor);
    }
  };
}
