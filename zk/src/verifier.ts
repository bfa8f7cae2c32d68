import { type Curve, G1_BYTES, G2_BYTES, GT_BYTES, loadCurve, type Pointer } from './curve.js';
import { createFixedBase } from './fixed-base.js';
import type { ParsedProof } from './proof.js';
import { createSubgroupCheck } from './subgroup.js';
import type { VerificationKey } from './verification-key.js';

/** Checks proofs against one key. Synchronous and a few milliseconds long: it belongs in a worker, see `pool.ts`. */
export interface Verifier {
  /** True when the proof is valid for its signals; false for points off the curve or outside their group, too. */
  verify(parsed: ParsedProof): boolean;
}

/**
 * A Groth16 verifier with everything that depends only on the key computed beforehand: e(α, β), the lines of γ and δ,
 * and the multiples of the IC points. What is left is e(A, B) = e(α, β) · e(L, γ) · e(C, δ) with L the combination of
 * IC by the signals, checked as three Miller loops and one final exponentiation.
 */
export async function createVerifier(vkey: VerificationKey): Promise<Verifier> {
  const curve = await loadCurve();
  const { raw } = curve;
  const key = prepareKey(curve, vkey);
  const isInG2 = createSubgroupCheck(curve);
  const a = curve.allocate(G1_BYTES);
  const b = curve.allocate(G2_BYTES);
  const c = curve.allocate(G1_BYTES);
  const combination = curve.allocate(G1_BYTES);
  const product = curve.allocate(GT_BYTES);
  const factor = curve.allocate(GT_BYTES);

  /** G1 has prime order, so lying on the curve is membership there. Infinity cannot be written as an affine point. */
  const readMembers = (parsed: ParsedProof): boolean => {
    curve.writeG1(a, parsed.a);
    curve.writeG2(b, parsed.b);
    curve.writeG1(c, parsed.c);
    return (
      raw._mclBnG1_isValid(a) === 1 &&
      raw._mclBnG1_isValid(c) === 1 &&
      raw._mclBnG2_isValid(b) === 1 &&
      isInG2(b)
    );
  };

  return {
    verify(parsed) {
      if (!readMembers(parsed)) return false;
      curve.copy(combination, key.ic0, G1_BYTES);
      key.addIc.forEach((add, i) => {
        add(combination, parsed.signals[i] ?? 0n);
      });
      raw._mclBnG1_neg(combination, combination);
      raw._mclBnG1_neg(c, c);
      raw._mclBn_precomputedMillerLoop2mixed(product, a, b, c, key.deltaLines);
      // The pairing of infinity is one; only a key whose IC points are related, or an absurd chance, gets here.
      if (raw._mclBnG1_isZero(combination) === 0) {
        raw._mclBn_precomputedMillerLoop(factor, combination, key.gammaLines);
        raw._mclBnGT_mul(product, product, factor);
      }
      raw._mclBn_finalExp(product, product);
      return raw._mclBnGT_isEqual(product, key.alphaBeta) === 1;
    },
  };
}

function prepareKey(curve: Curve, vkey: VerificationKey) {
  const { raw } = curve;
  const g1 = (point: VerificationKey['alpha']): Pointer => {
    const address = curve.allocate(G1_BYTES);
    curve.writeG1(address, point);
    return address;
  };
  const g2 = (point: VerificationKey['beta']): Pointer => {
    const address = curve.allocate(G2_BYTES);
    curve.writeG2(address, point);
    return address;
  };
  const lines = (point: VerificationKey['gamma']): Pointer => {
    const address = curve.allocate(raw._mclBn_getUint64NumToPrecompute() * 8);
    raw._mclBn_precomputeG2(address, g2(point));
    return address;
  };
  const alphaBeta = curve.allocate(GT_BYTES);
  raw._mclBn_pairing(alphaBeta, g1(vkey.alpha), g2(vkey.beta));
  const [ic0, ...rest] = vkey.ic;
  return {
    alphaBeta,
    gammaLines: lines(vkey.gamma),
    deltaLines: lines(vkey.delta),
    ic0: g1(ic0),
    addIc: rest.map((point) => createFixedBase(curve, g1(point))),
  };
}
