import { beforeAll, describe, expect, it } from 'vitest';
import { loadPinnedKey } from '../src/artifacts.js';
import { BASE_FIELD, SCALAR_FIELD } from '../src/modulus.js';
import type { ParsedProof } from '../src/proof.js';
import { createVerifier, type Verifier } from '../src/verifier.js';
import {
  createNobleVerifier,
  fromNobleG1,
  fromNobleG2,
  G1Point,
  G2Point,
  randomTwistPoint,
  type SeededRandom,
  sampleParsed,
  seededRandom,
  toNobleG1,
  toNobleG2,
} from './support.js';

const ROUNDS = Number(process.env.ZK_DIFFERENTIAL_ROUNDS ?? 2000);
const { vkey } = loadPinnedKey();
const delta = toNobleG2(vkey.delta);
const scalar = (random: SeededRandom): bigint => (random.word() >> 16n) + 2n;
const inverse = (value: bigint): bigint => {
  let [result, base] = [1n, value];
  for (let e = SCALAR_FIELD - 2n; e > 0n; e >>= 1n, base = (base * base) % SCALAR_FIELD) {
    if (e & 1n) result = (result * base) % SCALAR_FIELD;
  }
  return result;
};

/** Another valid proof of the same statement: (kA, (B + tδ)/k, C + tA). */
function rerandomise(proof: ParsedProof, random: SeededRandom): ParsedProof {
  const [k, t] = [scalar(random), scalar(random)];
  const a = toNobleG1(proof.a);
  const b = toNobleG2(proof.b).add(delta.multiplyUnsafe(t)).multiplyUnsafe(inverse(k));
  const c = toNobleG1(proof.c).add(a.multiplyUnsafe(t));
  return { ...proof, a: fromNobleG1(a.multiplyUnsafe(k)), b: fromNobleG2(b), c: fromNobleG1(c) };
}

type Mutation = (proof: ParsedProof, random: SeededRandom) => ParsedProof;
const onA =
  (change: (a: ReturnType<typeof toNobleG1>) => typeof a): Mutation =>
  (proof) => ({
    ...proof,
    a: fromNobleG1(change(toNobleG1(proof.a))),
  });
const signal =
  (i: number, change: (value: bigint) => bigint): Mutation =>
  (proof) => ({
    ...proof,
    signals: proof.signals.map((value, at) =>
      at === i ? change(value) : value,
    ) as unknown as ParsedProof['signals'],
  });

/** Each breaks a valid proof; most keep every point in its group, so that only the pairing can tell. */
const mutations: Record<string, Mutation> = {
  'A negated': onA((a) => a.negate()),
  'A plus the generator': onA((a) => a.add(G1Point.BASE)),
  'A doubled': onA((a) => a.double()),
  'B negated': (proof) => ({ ...proof, b: fromNobleG2(toNobleG2(proof.b).negate()) }),
  'B plus the generator': (proof) => ({ ...proof, b: fromNobleG2(toNobleG2(proof.b).add(G2Point.BASE)) }),
  'B plus delta': (proof) => ({ ...proof, b: fromNobleG2(toNobleG2(proof.b).add(delta)) }),
  'C negated': (proof) => ({ ...proof, c: fromNobleG1(toNobleG1(proof.c).negate()) }),
  'C random': (proof, random) => ({ ...proof, c: fromNobleG1(G1Point.BASE.multiplyUnsafe(scalar(random))) }),
  'A and C swapped': (proof) => ({ ...proof, a: proof.c, c: proof.a }),
  'B conjugated': (proof) => ({
    ...proof,
    b: [
      [proof.b[0][0], BASE_FIELD - proof.b[0][1]],
      [proof.b[1][0], BASE_FIELD - proof.b[1][1]],
    ],
  }),
  'B with swapped halves': (proof) => ({ ...proof, b: [[proof.b[0][1], proof.b[0][0]], proof.b[1]] }),
  'a bit of A flipped': (proof, random) => {
    const bit = 1n << (random.word() % 250n);
    return { ...proof, a: [proof.a[0], (proof.a[1] ^ bit) % BASE_FIELD] };
  },
  'a bit of B flipped': (proof, random) => {
    const bit = 1n << (random.word() % 250n);
    return { ...proof, b: [proof.b[0], [proof.b[1][0], (proof.b[1][1] ^ bit) % BASE_FIELD]] };
  },
  'a zero coordinate': (proof) => ({ ...proof, c: [0n, proof.c[1]] }),
  'B random on the twist': (proof, random) => ({ ...proof, b: fromNobleG2(randomTwistPoint(random)) }),
  'B plus a point of the cofactor': (proof, random) => ({
    ...proof,
    b: fromNobleG2(
      toNobleG2(proof.b)
        .add(randomTwistPoint(random).multiplyUnsafe(SCALAR_FIELD - 1n))
        .add(randomTwistPoint(random)),
    ),
  }),
  'all points random': (proof, random) => ({
    ...proof,
    a: fromNobleG1(G1Point.BASE.multiplyUnsafe(scalar(random))),
    b: fromNobleG2(G2Point.BASE.multiplyUnsafe(scalar(random))),
    c: fromNobleG1(G1Point.BASE.multiplyUnsafe(scalar(random))),
  }),
  'commitment plus one': signal(0, (value) => (value + 1n) % SCALAR_FIELD),
  'didHash zero': signal(1, () => 0n),
  'didHash random': (proof, random) => signal(1, () => random.below(SCALAR_FIELD))(proof, random),
  'binding negated': signal(2, (value) => SCALAR_FIELD - value),
  'signals swapped': (proof) => ({
    ...proof,
    signals: [proof.signals[1], proof.signals[0], proof.signals[2]],
  }),
  'signals at the top of the field': (proof) => ({
    ...proof,
    signals: [SCALAR_FIELD - 1n, SCALAR_FIELD - 1n, SCALAR_FIELD - 1n],
  }),
};

describe('the verifier and @noble/curves', () => {
  let ours: Verifier;
  const noble = createNobleVerifier(vkey);
  beforeAll(async () => {
    ours = await createVerifier(vkey);
  });

  it.each(Object.keys(mutations))('both refuse a proof with %s', (name) => {
    const random = seededRandom(1n);
    const mutated = mutations[name]!(sampleParsed(), random);
    expect([ours.verify(mutated), noble(mutated)]).toEqual([false, false]);
  });

  it('both accept a re-randomised proof, so proof bytes are no replay key', () => {
    const random = seededRandom(2n);
    const other = rerandomise(sampleParsed(), random);
    expect(other.a).not.toEqual(sampleParsed().a);
    expect(other.b).not.toEqual(sampleParsed().b);
    expect(other.c).not.toEqual(sampleParsed().c);
    expect([ours.verify(other), noble(other)]).toEqual([true, true]);
  });

  it(
    `agree on ${ROUNDS} valid, mutated and random proofs`,
    () => {
      const random = seededRandom(20260101n);
      const seen = { valid: 0, invalid: 0 };
      let proof = sampleParsed();
      for (let round = 0; round < ROUNDS; round++) {
        if (round % 4 === 0) proof = rerandomise(proof, random);
        const name = round % 4 === 0 ? 'a re-randomisation' : random.pick(Object.keys(mutations));
        const candidate = mutations[name]?.(proof, random) ?? proof;
        const expected = noble(candidate);
        if (ours.verify(candidate) !== expected) {
          expect.fail(`round ${round}, ${name}: noble says ${expected}`);
        }
        seen[expected ? 'valid' : 'invalid']++;
      }
      expect(seen.valid).toBe(Math.ceil(ROUNDS / 4));
      expect(seen.invalid).toBe(ROUNDS - seen.valid);
    },
    Math.max(120_000, ROUNDS * 100),
  );

  it('agree when the signals cancel the IC points', async () => {
    // L is infinity for signals (1, 0, 0) of such a key: e(L, γ) is one, and C carries the rest.
    const g = G1Point.BASE;
    const crafted = {
      ...vkey,
      ic: [g, g.negate(), g.double(), g.multiplyUnsafe(3n)].map(fromNobleG1) as never,
    };
    const nobleCrafted = createNobleVerifier(crafted);
    const oursCrafted = await createVerifier(crafted);
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
