// @module-tag if-touched @proofs: batches of every size, with every kernel
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPinnedKey } from '../src/setup/artifacts.js';
import { createVerifier } from '../src/verifier/create-verifier.js';
import type { ParsedProof } from '../src/verifier/proof.js';
import { MAX_BATCH_SIZE, type Verifier } from '../src/verifier/verifier.js';
import { verifierKernels } from './support/kernels.js';
import { mutations, rerandomise } from './support/mutations.js';
import {
  createNobleVerifier,
  fromNobleG1,
  G1Point,
  type SeededRandom,
  sampleParsed,
  seededRandom,
  toNobleG1,
} from './support/support.js';

const { vkey } = loadPinnedKey();
const noble = createNobleVerifier(vkey);
let valid: ParsedProof[];
let invalid: ParsedProof[];

beforeAll(() => {
  const random = seededRandom(3n);
  valid = Array.from({ length: 16 }, () => rerandomise(sampleParsed(), random));
  invalid = Object.values(mutations).map((mutate, i) => mutate(valid[i % 16] as ParsedProof, random));
  for (const proof of valid) expect(noble(proof)).toBe(true);
  for (const proof of invalid) expect(noble(proof)).toBe(false);
});

/** A copy, so that proofs can't be distinguished by object identity. */
const copyOf = (proof: ParsedProof): ParsedProof => ({ ...proof });
const pickOf = (random: SeededRandom, good: boolean) => copyOf(random.pick(good ? valid : invalid));

describe.each(verifierKernels)('a batch with %s', (kernel) => {
  let verifier: Verifier;
  beforeAll(async () => {
    verifier = await createVerifier(vkey, kernel);
  });

  it('of valid proofs is accepted at every size', () => {
    const random = seededRandom(5n);
    for (const size of [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 63, 64]) {
      const batch = Array.from({ length: size }, () => pickOf(random, true));
      expect(verifier.verifyBatch(batch), `${size} proofs`).toEqual(batch.map(() => true));
    }
  });

  it('with a single invalid proof rejects only that one, for every kind and position', () => {
    const random = seededRandom(6n);
    for (const size of [2, 5, 8]) {
      for (const [kind, bad] of invalid.entries()) {
        const at = (kind + size) % size;
        const batch = Array.from({ length: size }, (_, i) => (i === at ? copyOf(bad) : pickOf(random, true)));
        expect(verifier.verifyBatch(batch), Object.keys(mutations)[kind]).toEqual(
          batch.map((_, i) => i !== at),
        );
      }
    }
  });

  it('returns the same verdicts as verifying one by one, for any mixture [proofs/batches]', () => {
    const random = seededRandom(7n);
    for (let round = 0; round < 40; round++) {
      const size = 1 + Number(random.word() % 24n);
      const share = random.word() % 5n;
      const expected = Array.from({ length: size }, () => random.word() % 4n >= share);
      const batch = expected.map((good) => pickOf(random, good));
      expect(verifier.verifyBatch(batch), `round ${round}`).toEqual(expected);
    }
  });

  it('rejects proofs whose errors cancel each other, because the random factors differ', () => {
    const error = G1Point.BASE.multiplyUnsafe(99n);
    const shift = (proof: ParsedProof, by: typeof error): ParsedProof => ({
      ...proof,
      c: fromNobleG1(toNobleG1(proof.c).add(by)),
    });
    const [first, second, third] = valid as [ParsedProof, ParsedProof, ParsedProof];
    const pair = [shift(first, error), shift(second, error.negate())];
    for (let round = 0; round < 20; round++)
      expect(verifier.verifyBatch([...pair, third])).toEqual([false, false, true]);
    // The same holds for two copies of a negated proof.
    const turned = { ...first, a: fromNobleG1(toNobleG1(first.a).negate()) };
    expect(verifier.verifyBatch([turned, copyOf(turned)])).toEqual([false, false]);
  });

  it('does not affect the next batch', () => {
    const random = seededRandom(8n);
    const large = Array.from({ length: MAX_BATCH_SIZE }, (_, i) => pickOf(random, i % 9 !== 0));
    const expected = large.map((_, i) => i % 9 !== 0);
    const alone = valid[0] as ParsedProof;
    for (let round = 0; round < 3; round++) {
      expect(verifier.verifyBatch(large)).toEqual(expected);
      expect(verifier.verify(alone)).toBe(true);
      expect(verifier.verify(invalid[0] as ParsedProof)).toBe(false);
      expect(verifier.verifyBatch([alone, copyOf(alone)])).toEqual([true, true]);
    }
  });

  it('is limited in size', () => {
    const tooMany = Array.from({ length: MAX_BATCH_SIZE + 1 }, () => valid[0] as ParsedProof);
    expect(() => verifier.verifyBatch(tooMany)).toThrow(RangeError);
  });

  it('agrees if the signals cancel the IC points', async () => {
    const g = G1Point.BASE;
    const crafted = {
      ...vkey,
      ic: [g, g.negate(), g.double(), g.multiplyUnsafe(3n)].map(fromNobleG1) as never,
    };
    const own = await createVerifier(crafted, kernel);
    const cancelling: ParsedProof = { ...sampleParsed(), signals: [1n, 0n, 0n] };
    expect(own.verifyBatch([cancelling, copyOf(cancelling)])).toEqual([false, false]);
  });
});
