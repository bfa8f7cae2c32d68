import {
  type Curve,
  FR_BYTES,
  G1_BYTES,
  G2_BYTES,
  GT_BYTES,
  loadCurve,
  type Pointer,
} from '../curve/curve.js';
import { createFixedBase } from '../curve/fixed-base.js';
import { SCALAR_FIELD } from '../curve/modulus.js';
import { createSubgroupCheck } from '../curve/subgroup.js';
import { isCanonical, type ParsedProof } from './proof.js';
import type { VerificationKey } from './verification-key.js';
import { MAX_BATCH_SIZE, type Verifier } from './verifier.js';

/** Miller loops that share their squarings. More per loop are not faster. */
const PAIRS_PER_LOOP = 16;
/** 128 bits: a batch with an invalid proof passes with probability 2^-128 (docs/adr/0008). */
const FACTOR_WORDS = 2;

/**
 * Creates a Groth16 verifier on mcl, which is independent of our kernels. Precomputes everything that depends only on the key:
 * e(α, β), the lines of β, γ and δ, and the multiples of the IC points.
 *
 * A proof is valid if e(A, B) = e(α, β) · e(L, γ) · e(C, δ), where L combines IC with the signals. A batch is checked by the
 * product of its proofs' equations, each raised to an unpredictable random factor zᵢ:
 *
 *     Π e(zᵢAᵢ, Bᵢ) · e(−(Σzᵢ)α, β) · e(−Σ zᵢLᵢ, γ) · e(−Σ zᵢCᵢ, δ) = 1
 *
 * Each additional proof costs a Miller loop, a subgroup check and a multiplication by 128 bits.
 * @param multiplyIc `createMultiple` avoids the tables of the IC points, which take 50 ms to build and 5 MB of memory
 */
export async function createMclVerifier(
  vkey: VerificationKey,
  multiplyIc: typeof createFixedBase = createFixedBase,
): Promise<Verifier> {
  const curve = await loadCurve();
  const points = allocatePoints(curve);
  const key = prepareKey(curve, vkey, multiplyIc);
  const readMember = createReader(curve, points);
  const holds = createSingleCheck(curve, key, points);
  const allHold = createBatchCheck(curve, key, points);

  const verifyBatch = (batch: readonly ParsedProof[]): boolean[] => {
    if (batch.length > MAX_BATCH_SIZE) throw new RangeError(`a batch has at most ${MAX_BATCH_SIZE} proofs`);
    // Combine only proofs whose points are in their groups. The random factors are not sound for other points.
    const members: ParsedProof[] = [];
    for (const parsed of batch) if (readMember(members.length, parsed)) members.push(parsed);
    const valid = new Set<ParsedProof>(
      members.length > 1 && allHold(members)
        ? members
        : members.filter(({ signals }, slot) => holds(slot, signals)),
    );
    return batch.map((parsed) => valid.has(parsed));
  };
  return { verify: (parsed) => verifyBatch([parsed])[0] === true, verifyBatch };
}

/** Consecutive memory for a batch's points, as mcl's vector functions require. */
interface Points {
  readonly a: Pointer;
  readonly b: Pointer;
  readonly c: Pointer;
}

const allocatePoints = (curve: Curve): Points => ({
  a: curve.allocate(MAX_BATCH_SIZE * G1_BYTES),
  b: curve.allocate(MAX_BATCH_SIZE * G2_BYTES),
  c: curve.allocate(MAX_BATCH_SIZE * G1_BYTES),
});

/** Writes a proof's points to a slot. Returns false if a number is out of range or a point is outside its group. */
function createReader(curve: Curve, points: Points): (slot: number, parsed: ParsedProof) => boolean {
  const { raw } = curve;
  const isInG2 = createSubgroupCheck(curve);
  return (slot, parsed) => {
    if (!isCanonical(parsed)) return false;
    const a = points.a + slot * G1_BYTES;
    const b = points.b + slot * G2_BYTES;
    const c = points.c + slot * G1_BYTES;
    curve.writeG1(a, parsed.a);
    curve.writeG2(b, parsed.b);
    curve.writeG1(c, parsed.c);
    // G1 has prime order, so every point on the curve is a member. Affine points can't represent infinity.
    return (
      raw._mclBnG1_isValid(a) === 1 &&
      raw._mclBnG1_isValid(c) === 1 &&
      raw._mclBnG2_isValid(b) === 1 &&
      isInG2(b)
    );
  };
}

type PreparedKey = ReturnType<typeof prepareKey>;

/** Checks the equation of the proof in a slot. */
function createSingleCheck(curve: Curve, key: PreparedKey, points: Points) {
  const { raw } = curve;
  const sum = curve.allocate(G1_BYTES);
  const c = curve.allocate(G1_BYTES);
  const product = curve.allocate(GT_BYTES);

  return (slot: number, signals: ParsedProof['signals']): boolean => {
    const [a, b] = [points.a + slot * G1_BYTES, points.b + slot * G2_BYTES];
    key.combine(sum, 1n, signals);
    raw._mclBnG1_neg(sum, sum);
    raw._mclBnG1_neg(c, points.c + slot * G1_BYTES);
    raw._mclBn_precomputedMillerLoop2mixed(product, a, b, c, key.deltaLines);
    key.multiplyLoop(product, sum, key.gammaLines);
    raw._mclBn_finalExp(product, product);
    return raw._mclBnGT_isEqual(product, key.alphaBeta) === 1;
  };
}

/** Checks the combined equation of the proofs in the first slots, with fresh random factors. */
function createBatchCheck(curve: Curve, key: PreparedKey, points: Points) {
  const { raw } = curve;
  const scaled = curve.allocate(PAIRS_PER_LOOP * G1_BYTES);
  const scalars = curve.allocate(MAX_BATCH_SIZE * FR_BYTES);
  const sum = curve.allocate(G1_BYTES);
  const total = curve.allocate(FR_BYTES);
  const product = curve.allocate(GT_BYTES);
  const partial = curve.allocate(GT_BYTES);

  /** Π e(zᵢAᵢ, Bᵢ), without the final exponentiation. */
  const loops = (count: number): void => {
    for (let from = 0; from < count; from += PAIRS_PER_LOOP) {
      const pairs = Math.min(PAIRS_PER_LOOP, count - from);
      for (let i = 0; i < pairs; i++) {
        const slot = from + i;
        raw._mclBnG1_mul(scaled + i * G1_BYTES, points.a + slot * G1_BYTES, scalars + slot * FR_BYTES);
      }
      const loop = from === 0 ? product : partial;
      raw._mclBn_millerLoopVec(loop, scaled, points.b + from * G2_BYTES, pairs);
      if (from > 0) raw._mclBnGT_mul(product, product, partial);
    }
  };
  /** Multiplies by e(−point, …), given the lines of one of the key's points. */
  const divide = (point: Pointer, lines: Pointer): void => {
    raw._mclBnG1_neg(point, point);
    key.multiplyLoop(product, point, lines);
  };

  return (members: readonly ParsedProof[]): boolean => {
    const factors = members.map(drawFactor);
    for (const [i, factor] of factors.entries()) curve.writeFr(scalars + i * FR_BYTES, factor);
    loops(members.length);

    const factorSum = factors.reduce((left, right) => left + right);
    curve.writeFr(total, factorSum);
    raw._mclBnG1_mul(sum, key.alpha, total);
    divide(sum, key.betaLines);

    const weighted = ([0, 1, 2] as const).map(
      (at) =>
        factors.reduce((value, factor, i) => value + factor * (members[i]?.signals[at] ?? 0n), 0n) %
        SCALAR_FIELD,
    );
    key.combine(sum, factorSum, weighted);
    divide(sum, key.gammaLines);

    raw._mclBnG1_mulVec(sum, points.c, scalars, members.length);
    divide(sum, key.deltaLines);

    raw._mclBn_finalExp(product, product);
    return raw._mclBnGT_isOne(product) === 1;
  };
}

/** Random, from 1 to 2^128 − 1. Drawn after the proofs of the batch are fixed. */
function drawFactor(): bigint {
  for (;;) {
    const [low = 0n, high = 0n] = globalThis.crypto.getRandomValues(new BigUint64Array(FACTOR_WORDS));
    const factor = (high << 64n) | low;
    if (factor !== 0n) return factor;
  }
}

function prepareKey(curve: Curve, vkey: VerificationKey, multiplyIc: typeof createFixedBase) {
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
  const lines = (point: Pointer): Pointer => {
    const address = curve.allocate(raw._mclBn_getUint64NumToPrecompute() * 8);
    raw._mclBn_precomputeG2(address, point);
    return address;
  };
  const [alpha, beta] = [g1(vkey.alpha), g2(vkey.beta)];
  const alphaBeta = curve.allocate(GT_BYTES);
  raw._mclBn_pairing(alphaBeta, alpha, beta);
  const addIc = vkey.ic.map((point) => multiplyIc(curve, g1(point)));
  const factor = curve.allocate(GT_BYTES);
  return {
    alpha,
    alphaBeta,
    betaLines: lines(beta),
    gammaLines: lines(g2(vkey.gamma)),
    deltaLines: lines(g2(vkey.delta)),
    /** constant · IC₀ + Σ signalᵢ · ICᵢ */
    combine(sum: Pointer, constant: bigint, signals: readonly bigint[]): void {
      raw._mclBnG1_clear(sum);
      [constant, ...signals].forEach((scalar, i) => {
        addIc[i]?.(sum, scalar);
      });
    },
    /** Skips infinity, whose pairing is one. It occurs only for linearly related IC points, or by negligible chance. */
    multiplyLoop(product: Pointer, point: Pointer, of: Pointer): void {
      if (raw._mclBnG1_isZero(point) === 1) return;
      raw._mclBn_precomputedMillerLoop(factor, point, of);
      raw._mclBnGT_mul(product, product, factor);
    },
  };
}
