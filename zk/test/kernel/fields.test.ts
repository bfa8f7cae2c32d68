// @module-tag if-touched @proofs: the arithmetic below the verifier, against other implementations
import { describe, expect, it } from 'vitest';
import { BASE_FIELD as p } from '../../src/curve/modulus.js';
import type { Kernel } from '../../src/kernel/kernel.js';
import type { KernelName } from '../../src/verifier/verifier.js';
import { kernels } from '../support/kernels.js';
import { type SeededRandom, seededRandom } from '../support/support.js';

type Fp2 = readonly [bigint, bigint];

/** Where an operand's limbs are in memory, and how large the limbs of what can be multiplied may be (fp2-*.hpp). */
const LAYOUTS = {
  fma: { bits: 52n, count: 5, slack: 2n, at: (lane: number, limb: number) => 2 * limb + lane },
  scalar: { bits: 29n, count: 9, slack: 8n, at: (lane: number, limb: number) => 9 * lane + limb },
};
const OPERANDS = 6;

const mod = (value: bigint) => ((value % p) + p) % p;
const abs = (value: bigint) => (value < 0n ? -value : value);
const times = ([a, b]: Fp2, [c, d]: Fp2): Fp2 => [a * c - b * d, a * d + b * c];
const sum = (...terms: readonly Fp2[]): Fp2 =>
  terms.reduce(([a, b], [c, d]) => [a + c, b + d] as const, [0n, 0n] as const);

/** Reads and writes operands limb by limb. */
function operandsOf(name: KernelName, kernel: Kernel) {
  const { bits, count, slack, at } = LAYOUTS[name];
  const { memory, operands, operate } = kernel.exports;
  const [address, length] = [operands(), OPERANDS * 2 * count];
  const limbs =
    name === 'fma'
      ? new Float64Array(memory.buffer, address, length)
      : new Int32Array(memory.buffer, address, length);
  const numberOf = (digits: readonly bigint[]) =>
    digits.reduce((value, digit, i) => value + (digit << (bits * BigInt(i))), 0n);
  const half = 1n << (bits - 1n);
  return {
    half,
    slack,
    /** The top limb of `multiple` p. */
    top: (multiple: bigint) => (multiple * p) >> (bits * BigInt(count - 1)),
    set(operand: number, digits: (lane: number, limb: number) => bigint): Fp2 {
      const lanes = [0, 1].map((lane) => Array.from({ length: count }, (_, limb) => digits(lane, limb)));
      lanes.forEach((own, lane) => {
        own.forEach((digit, limb) => {
          limbs[operand * 2 * count + at(lane, limb)] = Number(digit);
        });
      });
      return lanes.map(numberOf) as unknown as Fp2;
    },
    /** The result's value, and its largest limb except the top one. */
    run(operation: number) {
      operate(operation);
      const lanes = [0, 1].map((lane) =>
        Array.from({ length: count }, (_, limb) => BigInt(limbs[at(lane, limb)] ?? 0)),
      );
      const largest = Math.max(
        ...lanes.flatMap((own) => own.slice(0, -1)).map((digit) => Math.abs(Number(digit))),
      );
      return { value: lanes.map(numberOf) as unknown as Fp2, largest };
    },
    R: 1n << (bits * BigInt(count)),
    count,
  };
}
type Operands = ReturnType<typeof operandsOf>;

/** A digit at the edge of its range in two of three cases. `scale`: 1 for what is normalised, 2 for a sum of two. */
function edge({ half, slack, top, count }: Operands, random: SeededRandom, scale: bigint, multiple: bigint) {
  return (_: number, limb: number): bigint => {
    const limit = limb === count - 1 ? top(multiple) : scale * (half + slack);
    const kind = random.word() % 6n;
    if (kind < 2n) return limit;
    if (kind < 4n) return -limit;
    return (random.word() % (2n * limit + 1n)) - limit;
  };
}

/** Operations and their exact results, which the kernel returns divided by R. */
const PRODUCTS: readonly (readonly [string, number, (o: readonly Fp2[]) => Fp2])[] = [
  ['a product', 0, ([a, b]) => times(a!, b!)],
  ['lane products', 1, ([a, b]) => [a![0] * b![0], a![1] * b![1]]],
  ['a sum of two products', 2, ([a, b, c, d]) => sum(times(a!, b!), times(c!, d!))],
  ['a sum of three products', 3, ([a, b, c, d, e, f]) => sum(times(a!, b!), times(c!, d!), times(e!, f!))],
  ['a square', 4, ([a]) => times(a!, a!)],
];
const ROUNDS = 1_500;

describe.each(kernels)('the arithmetic of %s', (name, kernel) => {
  const operands = operandsOf(name, kernel);
  const { half, slack, R } = operands;

  it.each(PRODUCTS)('is exact at the largest limbs that its bounds allow: %s', (_, operation, expected) => {
    const random = seededRandom(BigInt(operation));
    for (let round = 0; round < ROUNDS; round++) {
      const values = Array.from({ length: OPERANDS }, (__, i) =>
        operands.set(i, edge(operands, random, 1n, 16n)),
      );
      const { value, largest } = operands.run(operation);
      const wanted = expected(values);
      expect(value.map((part) => mod(part * R))).toEqual(wanted.map(mod));
      expect(largest).toBeLessThanOrEqual(Number(half + slack));
      // |value| <= p + products / R
      for (const i of [0, 1] as const)
        expect(abs(value[i]) * R).toBeLessThanOrEqual(p * R + abs(wanted[i]) + R);
    }
  });

  it('carries sums without changing their value', () => {
    const random = seededRandom(5n);
    for (let round = 0; round < ROUNDS; round++) {
      const wanted = operands.set(0, edge(operands, random, name === 'fma' ? 3n : 6n, 100n));
      const { value, largest } = operands.run(5);
      expect(value).toEqual(wanted);
      expect(largest).toBeLessThanOrEqual(Number(half + slack));
    }
  });

  it.each([
    ['a sum', 6, 3n, 100n, (a: Fp2) => a],
    ['a multiple of ξ', 7, 1n, 16n, (a: Fp2) => times(a, [9n, 1n])],
  ] as const)('reduces %s to at most 0.51 p', (_, operation, scale, multiple, expected) => {
    const random = seededRandom(BigInt(operation));
    for (let round = 0; round < ROUNDS; round++) {
      const wanted = expected(operands.set(0, edge(operands, random, scale, multiple)));
      const { value, largest } = operands.run(operation);
      expect(value.map(mod)).toEqual(wanted.map(mod));
      expect(largest).toBeLessThanOrEqual(Number(half + slack));
      for (const part of value) expect(100n * abs(part)).toBeLessThanOrEqual(51n * p);
    }
  });

  it('gives wrong products of sums that were not normalised, which is why multiplication does not accept them', () => {
    const largest = (_: number, limb: number) =>
      limb === operands.count - 1 ? operands.top(16n) : 3n * (half + slack);
    const values = Array.from({ length: OPERANDS }, (_, i) => operands.set(i, largest));
    const wanted = PRODUCTS[3]?.[2](values).map(mod);
    expect(operands.run(3).value.map((part) => mod(part * R))).not.toEqual(wanted);
  });
});
