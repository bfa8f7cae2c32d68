import { BASE_FIELD, SCALAR_FIELD } from '../../src/curve/modulus.js';
import { loadPinnedKey } from '../../src/setup/artifacts.js';
import type { ParsedProof } from '../../src/verifier/proof.js';
import {
  fromNobleG1,
  fromNobleG2,
  G1Point,
  G2Point,
  randomTwistPoint,
  type SeededRandom,
  toNobleG1,
  toNobleG2,
} from './support.js';

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
export function rerandomise(proof: ParsedProof, random: SeededRandom): ParsedProof {
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

/** Each makes a valid proof invalid. Most keep every point in its group, so only the pairing check detects them. */
export const mutations: Record<string, Mutation> = {
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
