import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bn254 } from '@noble/curves/bn254.js';
import * as snarkjs from 'snarkjs';
import type { KernelResult } from '../../src/kernel/kernel.js';
import { artifactFiles, artifactsFolder } from '../../src/setup/artifacts.js';
import type { ParsedProof } from '../../src/verifier/proof.js';
import { parseProof } from '../../src/verifier/proof.js';
import type { VerificationKey } from '../../src/verifier/verification-key.js';
import type { AffineG1, AffineG2 } from '../../src/wire.js';
import vectors from '../../test-vectors.json' with { type: 'json' };

/** A committed artifact's bytes. */
export const artifact = (role: keyof typeof artifactFiles): Buffer =>
  readFileSync(join(artifactsFolder, artifactFiles[role]));

/** Lower-case hex, as in pins. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The published proof and its secrets. */
export const sample = vectors.proof;

/** The published proof, parsed. */
export function sampleParsed(): ParsedProof {
  const result = parseProof(sample.proof, sample.publicSignals);
  if (!result.ok) throw new Error('the published proof does not parse');
  return result.parsed;
}

/** Pseudorandom numbers that are the same in every run (SplitMix64). */
export function seededRandom(seed: bigint) {
  let state = BigInt.asUintN(64, seed);
  const word = (): bigint => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  return {
    word,
    /** Uniform enough below a 254-bit bound. */
    below: (bound: bigint): bigint =>
      ((word() << 192n) | (word() << 128n) | (word() << 64n) | word()) % bound,
    pick: <T>(items: readonly T[]): T => items[Number(word() % BigInt(items.length))] as T,
  };
}
export type SeededRandom = ReturnType<typeof seededRandom>;

const { G1, G2, fields } = bn254;
export const G1Point = G1.Point;
export const G2Point = G2.Point;
export type NobleG1 = InstanceType<typeof G1.Point>;
export type NobleG2 = InstanceType<typeof G2.Point>;

/** Not validated, so tests can build invalid points. */
export const toNobleG1 = ([x, y]: AffineG1): NobleG1 => G1.Point.fromAffine({ x, y });
export const toNobleG2 = ([x, y]: AffineG2): NobleG2 =>
  G2.Point.fromAffine({ x: { c0: x[0], c1: x[1] }, y: { c0: y[0], c1: y[1] } });
export function fromNobleG1(point: NobleG1): AffineG1 {
  const { x, y } = point.toAffine();
  return [x, y];
}
export function fromNobleG2(point: NobleG2): AffineG2 {
  const { x, y } = point.toAffine();
  return [
    [x.c0, x.c1],
    [y.c0, y.c1],
  ];
}

/** A random point of the twist. It has order r with probability 2^-254. */
export function randomTwistPoint(random: SeededRandom): NobleG2 {
  const { Fp2 } = fields;
  const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  for (;;) {
    const x = Fp2.fromBigTuple([random.below(fields.Fp.ORDER), random.below(fields.Fp.ORDER)]);
    try {
      return G2.Point.fromAffine({ x, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)) });
    } catch {
      // Half of all x coordinates have no y.
    }
  }
}

/** The first check that a proof fails. Points are checked for their group when all are on their curves. */
export type Judgement = 'off a curve' | 'outside G2' | 'unequal' | 'valid';

/** A reference verifier: Groth16 over @noble/curves, with full checks of every point. */
export function createNobleJudge(vkey: VerificationKey): (parsed: ParsedProof) => Judgement {
  const [gamma, delta] = [toNobleG2(vkey.gamma), toNobleG2(vkey.delta)];
  const alphaBeta = bn254.pairing(toNobleG1(vkey.alpha), toNobleG2(vkey.beta));
  const ic = vkey.ic.map(toNobleG1);
  return ({ a, b, c, signals }) => {
    const [pa, pb, pc] = [toNobleG1(a), toNobleG2(b), toNobleG1(c)];
    try {
      // Checks that points are on the curve and, in G2, in the subgroup of order r.
      for (const point of [pa, pc, pb]) point.assertValidity();
    } catch (error) {
      return String(error).includes('prime-order subgroup') ? 'outside G2' : 'off a curve';
    }
    const sum = signals.reduce(
      (point, signal, i) => (signal === 0n ? point : point.add(ic[i + 1]!.multiplyUnsafe(signal))),
      ic[0]!,
    );
    const pairs = [
      { g1: pa, g2: pb },
      { g1: sum.negate(), g2: gamma },
      { g1: pc.negate(), g2: delta },
    ].filter(({ g1 }) => !g1.is0());
    return fields.Fp12.eql(bn254.pairingBatch(pairs), alphaBeta) ? 'valid' : 'unequal';
  };
}

/** The same as a yes or no. */
export function createNobleVerifier(vkey: VerificationKey): (parsed: ParsedProof) => boolean {
  const judge = createNobleJudge(vkey);
  return (parsed) => judge(parsed) === 'valid';
}

/** What `Kernel.verifyBatch` returns for proofs with these judgements. */
export function batchResult(judgements: readonly Judgement[]): KernelResult {
  const positions = (wanted: Judgement) =>
    judgements.flatMap((judgement, i) => (judgement === wanted ? [i] : []));
  const offCurves = positions('off a curve');
  return {
    valid: judgements.every((judgement) => judgement === 'valid'),
    outside: offCurves.length > 0 ? offCurves : positions('outside G2'),
  };
}

/** Stops the threads of snarkjs's curve, which otherwise live as long as the process. */
export async function stopSnarkjs(): Promise<void> {
  const { curves } = snarkjs as unknown as {
    curves: { getCurveFromName(name: string): Promise<{ terminate(): Promise<void> }> };
  };
  await (await curves.getCurveFromName('bn128')).terminate();
}
