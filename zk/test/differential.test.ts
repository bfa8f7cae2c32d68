// @module-tag if-touched @proofs: compares thousands of proofs with two other verifiers
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPinnedKey } from '../src/setup/artifacts.js';
import { createVerifier } from '../src/verifier/create-verifier.js';
import type { ParsedProof } from '../src/verifier/proof.js';
import { MAX_BATCH_SIZE, type Verifier, type VerifierKernel } from '../src/verifier/verifier.js';
import { kernels, verifierKernels } from './support/kernels.js';
import { mutations, rerandomise } from './support/mutations.js';
import {
  batchResult,
  createNobleJudge,
  createNobleVerifier,
  fromNobleG1,
  fromNobleG2,
  G1Point,
  type Judgement,
  type SeededRandom,
  sampleParsed,
  seededRandom,
  toNobleG1,
  toNobleG2,
} from './support/support.js';

const ROUNDS = Number(process.env.ZK_DIFFERENTIAL_ROUNDS ?? 160);
const { vkey } = loadPinnedKey();
const delta = toNobleG2(vkey.delta);

const judge = createNobleJudge(vkey);
const judged = new Map<string, Judgement>();
/** Verifies the same proof only once, because that takes 25 ms. */
function noble(parsed: ParsedProof): boolean {
  const key = [parsed.a, parsed.b, parsed.c, parsed.signals].join();
  const judgement = judged.get(key) ?? judge(parsed);
  judged.set(key, judgement);
  return judgement === 'valid';
}

const verifiers = new Map<VerifierKernel, Verifier>();
beforeAll(async () => {
  for (const name of verifierKernels) verifiers.set(name, await createVerifier(vkey, name));
});

describe.each(verifierKernels)('the verifier with %s and @noble/curves', (kernel) => {
  let ours: Verifier;
  beforeAll(() => {
    ours = verifiers.get(kernel) as Verifier;
  });

  it.each(Object.keys(mutations))('both reject a proof with %s', (name) => {
    const random = seededRandom(1n);
    const mutated = mutations[name]!(sampleParsed(), random);
    expect([ours.verify(mutated), noble(mutated)]).toEqual([false, false]);
  });

  it('both accept a re-randomised proof, so proof bytes cannot detect replays', () => {
    const random = seededRandom(2n);
    const other = rerandomise(sampleParsed(), random);
    expect(other.a).not.toEqual(sampleParsed().a);
    expect(other.b).not.toEqual(sampleParsed().b);
    expect(other.c).not.toEqual(sampleParsed().c);
    expect([ours.verify(other), noble(other)]).toEqual([true, true]);
  });

  it('agree if the signals cancel the IC points', async () => {
    // For this key, L is infinity for the signals (1, 0, 0), so e(L, γ) is one and C determines the result.
    const g = G1Point.BASE;
    const crafted = {
      ...vkey,
      ic: [g, g.negate(), g.double(), g.multiplyUnsafe(3n)].map(fromNobleG1) as never,
    };
    const nobleCrafted = createNobleVerifier(crafted);
    const oursCrafted = await createVerifier(crafted, kernel);
    const cancelling: ParsedProof = { ...sampleParsed(), a: vkey.alpha, b: vkey.beta, signals: [1n, 0n, 0n] };
    expect([oursCrafted.verify(cancelling), nobleCrafted(cancelling)]).toEqual([false, false]);
    // e(A, B) = e(α, β)·e(C, δ) for A = α, B = β + kδ, C = kα.
    const k = 12345n;
    const alpha = toNobleG1(vkey.alpha);
    const solved: ParsedProof = {
      ...cancelling,
      b: fromNobleG2(toNobleG2(vkey.beta).add(delta.multiplyUnsafe(k))),
      c: fromNobleG1(alpha.multiplyUnsafe(k)),
    };
    expect([oursCrafted.verify(solved), nobleCrafted(solved)]).toEqual([true, true]);
    const shifted = { ...solved, signals: [0n, 0n, 0n] } as const;
    expect([oursCrafted.verify(shifted), nobleCrafted(shifted)]).toEqual([false, false]);
  });
});

describe(`${verifierKernels.join(', ')} and @noble/curves`, () => {
  it(
    `agree on ${ROUNDS} valid, mutated and random proofs, one by one and in batches`,
    () => {
      const random = seededRandom(20260101n);
      const seen = { valid: 0, invalid: 0 };
      let chunk: Judged[] = [];
      let proof = sampleParsed();
      for (let round = 0; round < ROUNDS; round++) {
        if (round % 4 === 0) proof = rerandomise(proof, random);
        const name = round % 4 === 0 ? 'a re-randomisation' : random.pick(Object.keys(mutations));
        const candidate = mutations[name]?.(proof, random) ?? proof;
        const judgement = judge(candidate);
        chunk.push({ proof: candidate, judgement });
        seen[judgement === 'valid' ? 'valid' : 'invalid']++;
        for (const [kernel, { verify }] of verifiers) {
          if (verify(candidate) !== (judgement === 'valid'))
            expect.fail(`${kernel}, round ${round}, ${name}: noble says ${judgement}`);
        }
        if (chunk.length === MAX_BATCH_SIZE || round === ROUNDS - 1) {
          compareBatches(chunk, random);
          chunk = [];
        }
      }
      expect(seen.valid).toBe(Math.ceil(ROUNDS / 4));
      expect(seen.invalid).toBe(ROUNDS - seen.valid);
    },
    Math.max(120_000, ROUNDS * 200),
  );
});

interface Judged {
  readonly proof: ParsedProof;
  readonly judgement: Judgement;
}

/** Expects the verdicts of batches that follow from those of their proofs, also without a verifier's second attempts. */
function compareBatches(chunk: readonly Judged[], random: SeededRandom): void {
  const onCurves = chunk.filter(({ judgement }) => judgement !== 'off a curve');
  const inGroups = onCurves.filter(({ judgement }) => judgement !== 'outside G2');
  const valid = inGroups.filter(({ judgement }) => judgement === 'valid');
  const unequal = inGroups.filter(({ judgement }) => judgement === 'unequal');
  const spoilt = unequal.length === 0 ? [] : [...valid, random.pick(unequal)];
  for (const [kernel, { verifyBatch }] of verifiers) {
    for (const batch of [chunk, valid])
      expect(verifyBatch(batch.map(({ proof }) => proof)), kernel).toEqual(
        batch.map(({ judgement }) => judgement === 'valid'),
      );
  }
  for (const [name, kernel] of kernels) {
    for (const batch of [chunk, onCurves, inGroups, spoilt, valid]) {
      if (batch.length === 0) continue;
      const factors = BigUint64Array.from({ length: 2 * batch.length }, random.word);
      expect(
        kernel.verifyBatch(
          batch.map(({ proof }) => proof),
          factors,
        ),
        name,
      ).toEqual(batchResult(batch.map(({ judgement }) => judgement)));
    }
  }
}
