// @module-tag if-touched @proofs: batches of every size, in the raw kernel
import { beforeEach, describe, expect, it } from 'vitest';
import { BASE_FIELD as q, SCALAR_FIELD as r } from '../../src/curve/modulus.js';
import { LAMBDA } from '../../src/kernel/kernel.js';
import { loadPinnedKey } from '../../src/setup/artifacts.js';
import type { ParsedProof } from '../../src/verifier/proof.js';
import { MAX_BATCH_SIZE } from '../../src/verifier/verifier.js';
import { kernels } from '../support/kernels.js';
import { mutations, rerandomise } from '../support/mutations.js';
import {
  batchResult,
  createNobleJudge,
  fromNobleG1,
  fromNobleG2,
  G1Point,
  G2Point,
  type Judgement,
  type NobleG1,
  type NobleG2,
  randomTwistPoint,
  type SeededRandom,
  sampleParsed,
  seededRandom,
  toNobleG1,
  toNobleG2,
} from '../support/support.js';

/** What @noble/curves says about a proof. */
interface Judged {
  readonly kind: string;
  readonly proof: ParsedProof;
  readonly judgement: Judgement;
}

const judge = createNobleJudge(loadPinnedKey().vkey);
const judged = (kind: string, proof: ParsedProof): Judged => ({ kind, proof, judgement: judge(proof) });

/** A point of the twist whose order is 10069, a factor of the cofactor. */
function pointOfSmallOrder(random: SeededRandom): NobleG2 {
  const point = randomTwistPoint(random);
  return point
    .multiplyUnsafe(r - 1n)
    .add(point)
    .multiplyUnsafe((2n * q - r) / 10069n);
}

let random = seededRandom(41n);
const valid = Array.from({ length: 8 }, () => judged('valid', rerandomise(sampleParsed(), random)));
const pickValid = () => random.pick(valid);
/** One of each kind of mutation, and some more whose points are outside their groups. */
const invalid = (() => {
  const { proof } = valid[0] as Judged;
  const small = pointOfSmallOrder(random);
  return [
    ...Object.entries(mutations).map(([kind, mutate]) => judged(kind, mutate(pickValid().proof, random))),
    judged('B of a small order', { ...proof, b: fromNobleG2(small) }),
    judged('B plus a point of a small order', { ...proof, b: fromNobleG2(toNobleG2(proof.b).add(small)) }),
    judged('A off the curve', { ...proof, a: [proof.a[0], proof.a[0]] }),
    judged('C off the curve', { ...proof, c: [proof.c[1], proof.c[0]] }),
  ];
})();
const withJudgement = (wanted: Judgement) => invalid.filter(({ judgement }) => judgement === wanted);
const unequal = withJudgement('unequal');
const outsideG2 = withJudgement('outside G2');
const offCurves = withJudgement('off a curve');

const randomFactors = (count: number) => BigUint64Array.from({ length: 2 * count }, () => random.word());
const ALL_ONES = 2n ** 64n - 1n;
const HIGH_BIT = 1n << 63n;
/** low and high */
type Factor = readonly [bigint, bigint];
const FACTORS: readonly Factor[] = [
  [0n, 1n],
  [1n, 0n],
  [1n, 1n],
  [ALL_ONES, 0n],
  [0n, ALL_ONES],
  [ALL_ONES, ALL_ONES],
  [HIGH_BIT, 0n],
  [0n, HIGH_BIT],
  [HIGH_BIT, HIGH_BIT],
  [HIGH_BIT, 1n],
  [3n, ALL_ONES - 1n],
  [0x5555_5555_5555_5555n, 0xaaaa_aaaa_aaaa_aaaan],
];
/** The number that a factor stands for. */
const numberOf = ([low, high]: Factor): bigint => (low + LAMBDA * high) % r;

/** Adds a point to C, which multiplies the proof's equation by the pairing of that point and δ. */
const shiftC = (proof: ParsedProof, by: NobleG1): ParsedProof => ({
  ...proof,
  c: fromNobleG1(toNobleG1(proof.c).add(by)),
});

/** Invalid proofs whose equations have a valid product. */
const cancelling: Readonly<Record<string, readonly ParsedProof[]>> = (() => {
  const [first, second, third] = valid.map(({ proof }) => proof) as [ParsedProof, ParsedProof, ParsedProof];
  const error = G1Point.BASE.multiplyUnsafe(99n);
  const shiftA = (by: NobleG1): ParsedProof => ({ ...first, a: fromNobleG1(toNobleG1(first.a).add(by)) });
  const shiftB = (by: NobleG2): ParsedProof => ({ ...first, b: fromNobleG2(toNobleG2(first.b).add(by)) });
  const shiftSignal = (proof: ParsedProof, by: bigint): ParsedProof => ({
    ...proof,
    signals: [(proof.signals[0] + by + r) % r, proof.signals[1], proof.signals[2]],
  });
  return {
    'in C': [shiftC(first, error), shiftC(second, error.negate())],
    'in three C': [shiftC(first, error), shiftC(second, error), shiftC(third, error.double().negate())],
    'in A': [shiftA(error), shiftA(error.negate())],
    'in B': [shiftB(G2Point.BASE), shiftB(G2Point.BASE.negate())],
    'in the signals': [shiftSignal(first, 5n), shiftSignal(second, -5n)],
  };
})();

it('the proofs of these tests are of every kind', () => {
  expect(valid.map(({ judgement }) => judgement)).toEqual(valid.map(() => 'valid'));
  expect(withJudgement('valid')).toEqual([]);
  for (const kinds of [unequal, outsideG2, offCurves]) expect(kinds.length).toBeGreaterThan(3);
  for (const batch of Object.values(cancelling)) {
    for (const proof of batch) expect(judge(proof)).toBe('unequal');
  }
});

// So that a test does not depend on which others have run.
beforeEach(() => {
  random = seededRandom(42n);
});

describe.each(kernels)('a raw batch of %s, without the fallback to single verification', (_, kernel) => {
  const verify = (batch: readonly ParsedProof[], factors = randomFactors(batch.length)) =>
    kernel.verifyBatch(batch, factors);
  /** Expects the result that follows from the judgements of the proofs, for random factors or the given ones. */
  const expectResult = (batch: readonly Judged[], factors?: ReturnType<typeof randomFactors>) =>
    expect(
      verify(
        batch.map(({ proof }) => proof),
        factors,
      ),
      batch.map(({ kind }) => kind).join(),
    ).toEqual(batchResult(batch.map(({ judgement }) => judgement)));
  const validBatch = (size: number) => Array.from({ length: size }, pickValid);

  it('is valid if all proofs are, at every size', () => {
    for (let size = 1; size <= MAX_BATCH_SIZE; size++) {
      const batch = validBatch(size).map(({ proof }) => proof);
      expect(verify(batch), `${size} proofs`).toEqual({ valid: true, outside: [] });
    }
  });

  it.each(invalid.map(({ kind }, i) => [kind, i] as const))(
    'is not valid with a proof with %s',
    (_kind, i) => {
      for (const size of [1, 2, 7]) {
        const batch = validBatch(size).with((i + size) % size, invalid[i] as Judged);
        expectResult(batch);
      }
    },
  );

  it('is not valid with one invalid proof of 64, in any place', () => {
    for (const at of [0, 1, 31, 32, 62, 63]) expectResult(validBatch(64).with(at, random.pick(unequal)));
  });

  it('names the proof with a point off its curve, in any place', () => {
    const batch = validBatch(MAX_BATCH_SIZE);
    for (let at = 0; at < MAX_BATCH_SIZE; at++)
      expectResult(batch.with(at, offCurves[at % offCurves.length]!));
  });

  it('names the proof with a point outside G2, in any place', () => {
    const batch = validBatch(MAX_BATCH_SIZE);
    for (const at of [0, 1, 31, 32, 62, 63]) expectResult(batch.with(at, random.pick(outsideG2)));
    for (let at = 0; at < 8; at++)
      expectResult(batch.slice(0, 8).with(at, outsideG2[at % outsideG2.length]!));
  });

  it('names all proofs with points off their curves, and no others', () => {
    const batch = [...offCurves, ...outsideG2, ...unequal, ...valid].slice(0, MAX_BATCH_SIZE);
    expect(verify(batch.map(({ proof }) => proof)).outside).toEqual([...offCurves.keys()]);
    expectResult(batch.toReversed());
    expectResult(Array.from({ length: MAX_BATCH_SIZE }, () => random.pick(offCurves)));
  });

  it('names all proofs with points outside G2 if no point is off its curve', () => {
    const batch = [...outsideG2, ...unequal, ...valid].slice(0, MAX_BATCH_SIZE);
    expect(verify(batch.map(({ proof }) => proof)).outside).toEqual([...outsideG2.keys()]);
    expectResult(batch.toReversed());
    expectResult(Array.from({ length: MAX_BATCH_SIZE }, () => random.pick(outsideG2)));
  });

  it('agrees with @noble/curves on random mixtures', () => {
    const pools = [
      valid,
      [...valid, ...unequal],
      [...valid, ...unequal, ...outsideG2],
      [...valid, ...invalid],
    ];
    for (let round = 0; round < 40; round++) {
      const pool = pools[round % 4]!;
      expectResult(Array.from({ length: 1 + Number(random.word() % 12n) }, () => random.pick(pool)));
    }
  });

  it('holds for extreme factors if all proofs are valid, and not if one is invalid', () => {
    for (const factor of FACTORS) {
      const factors = BigUint64Array.from([...factor, ...random.pick(FACTORS), ...factor]);
      expectResult(validBatch(3), factors);
      expectResult(validBatch(3).with(Number(random.word() % 3n), random.pick(unequal)), factors);
      expectResult(validBatch(1), BigUint64Array.from(factor));
      expectResult([random.pick(unequal)], BigUint64Array.from(factor));
    }
    expectResult(
      validBatch(64),
      BigUint64Array.from({ length: 128 }, () => ALL_ONES),
    );
  });

  it('misses errors that cancel each other if factors are equal, and detects them otherwise', () => {
    for (const [where, batch] of Object.entries(cancelling)) {
      const equal = BigUint64Array.from(batch.flatMap(() => [5n, 7n]));
      expect(verify(batch, equal), where).toEqual({ valid: true, outside: [] });
      for (let round = 0; round < 2; round++)
        expect(verify([...batch, sampleParsed()]), where).toEqual({ valid: false, outside: [] });
      // The smallest differences between factors.
      for (const [i, difference] of [1n, HIGH_BIT].flatMap((bit) => [[0, bit] as const, [1, bit] as const])) {
        const almostEqual = equal.with(i, equal[i]! ^ difference);
        expect(verify(batch, almostEqual), where).toEqual({ valid: false, outside: [] });
      }
    }
  });

  it('weights errors with exactly low + λ·high', () => {
    const [first, second] = valid.map(({ proof }) => proof) as [ParsedProof, ParsedProof];
    const error = G1Point.BASE.multiplyUnsafe(1234567n);
    for (const [i, factor] of FACTORS.entries()) {
      const other: Factor = [random.word(), random.word()];
      // The first error times the second factor, and the other way round: they cancel for these two factors alone.
      const batch = [
        shiftC(first, error.multiplyUnsafe(numberOf(other))),
        shiftC(second, error.multiplyUnsafe(r - numberOf(factor))),
      ];
      const factors = BigUint64Array.from([...factor, ...other]);
      expect(verify(batch, factors), `factor ${i}`).toEqual({ valid: true, outside: [] });
      for (let word = 0; word < 4; word++) {
        const changed = factors.with(word, factors[word]! ^ (1n << (random.word() % 64n)));
        expect(verify(batch, changed), `factor ${i}`).toEqual({ valid: false, outside: [] });
      }
    }
  });
});
