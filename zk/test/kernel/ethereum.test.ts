// @module-tag if-touched @proofs: the arithmetic below the verifier, against other implementations
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCoordinate, BASE_FIELD as q, SCALAR_FIELD as r } from '../../src/curve/modulus.js';
import { type Kernel, LAMBDA } from '../../src/kernel/kernel.js';
import type { AffineG1, AffineG2 } from '../../src/wire.js';
import { combination, kernels, ONE, type Pair, pairing } from '../support/kernels.js';
import {
  fromNobleG1,
  fromNobleG2,
  G1Point,
  G2Point,
  type NobleG1,
  randomTwistPoint,
  sampleParsed,
  seededRandom,
} from '../support/support.js';

const generator: Pair = [fromNobleG1(G1Point.BASE), fromNobleG2(G2Point.BASE)];
const g1 = (k: bigint): AffineG1 => fromNobleG1(G1Point.BASE.multiplyUnsafe(k));
const g2 = (k: bigint): AffineG2 => fromNobleG2(G2Point.BASE.multiplyUnsafe(k));
const negateG2 = ([x, y]: AffineG2): AffineG2 => [x, [(q - y[0]) % q, (q - y[1]) % q]];

/**
 * Ethereum's precompiled contracts for this curve, on a kernel: addition and multiplication (EIP-196) and the pairing check
 * (EIP-197). Bytes in hex; `undefined` for input that the contracts reject.
 */
const contracts = {
  Add: (kernel: Kernel, input: string): string | undefined => {
    const [x1, y1, x2, y2] = numbersOf(input, 4);
    return combine(kernel, [
      [[x1!, y1!], 1n],
      [[x2!, y2!], 1n],
    ]);
  },
  ScalarMul: (kernel: Kernel, input: string): string | undefined => {
    const [x, y, factor] = numbersOf(input, 3);
    return combine(kernel, [[[x!, y!], factor!]]);
  },
  Pairing: (kernel: Kernel, input: string): string | undefined => {
    if (input.length % 384 !== 0) return undefined;
    const pairs = Array.from({ length: input.length / 384 }, (_, i): Pair => {
      const [x, y, x1, x0, y1, y0] = numbersOf(input.slice(384 * i), 6);
      return [
        [x!, y!],
        [
          [x0!, x1!],
          [y0!, y1!],
        ],
      ];
    });
    const isValid = ([p, twistPoint]: Pair) =>
      (isInfinity(p) || isOnCurve(kernel, p)) &&
      (isInfinity(twistPoint) ||
        (twistPoint.flat().every(isCoordinate) && kernel.locate(twistPoint) === 'in G2'));
    if (!pairs.every(isValid)) return undefined;
    // A kernel's pairing has affine points, so not infinity, for which it would be one.
    const finite = pairs.filter((pair) => !pair.some(isInfinity));
    const product = finite.length === 0 ? ONE : pairing(kernel, finite);
    return hex([product.join() === ONE.join() ? 1n : 0n]);
  },
};
type Contract = keyof typeof contracts;

/** The numbers of an input, which counts as followed by zeros. */
const numbersOf = (input: string, count: number): bigint[] =>
  Array.from({ length: count }, (_, i) => BigInt(`0x${input.slice(64 * i, 64 * (i + 1)).padEnd(64, '0')}`));
const hex = (numbers: readonly bigint[]) => numbers.map((n) => n.toString(16).padStart(64, '0')).join('');
const isInfinity = (point: AffineG1 | AffineG2) => point.flat().every((coordinate) => coordinate === 0n);

/** Whether A is not reported in a batch. The second proof is off the curve, so the kernel computes no pairings. */
const isOnCurve = (kernel: Kernel, a: AffineG1): boolean => {
  if (!a.every(isCoordinate)) return false;
  const batch = [a, [1n, 1n] as const].map((point) => ({ ...sampleParsed(), a: point }));
  return kernel.verifyBatch(batch, BigUint64Array.of(1n, 0n, 1n, 0n)).outside.join() === '1';
};

function combine(kernel: Kernel, terms: readonly (readonly [AffineG1, bigint])[]): string | undefined {
  const finite = terms.filter(([point]) => !isInfinity(point));
  if (!finite.every(([point]) => isOnCurve(kernel, point))) return undefined;
  return hex(combination(kernel, finite));
}

interface Vector {
  readonly Name: string;
  readonly Input: string;
  /** Absent if the contract rejects the input. */
  readonly Expected?: string;
}

/** Cases of the kinds that Ethereum's clients share, with results of @noble/curves. */
function createVectors(): Record<Contract, Vector[]> {
  const random = seededRandom(196n);
  const point = () => G1Point.BASE.multiplyUnsafe(random.below(r - 1n) + 1n);
  const flat = (p: NobleG1) => (p.is0() ? [0n, 0n] : fromNobleG1(p));
  const add = (Name: string, p: NobleG1, other: NobleG1): Vector => ({
    Name,
    Input: hex([...flat(p), ...flat(other)]),
    Expected: hex(flat(p.add(other))),
  });
  const multiply = (Name: string, p: NobleG1, factor: bigint): Vector => ({
    Name,
    Input: hex([...flat(p), factor]),
    Expected: hex(flat(p.multiplyUnsafe(factor % r))),
  });
  const [p, other, base, infinity] = [point(), point(), G1Point.BASE, G1Point.ZERO];
  const infinityPair = [0n, 0n];
  const pair = (a: readonly bigint[], [x, y]: AffineG2) => [...a, x[1], x[0], y[1], y[0]];
  const check = (Name: string, pairs: readonly (readonly bigint[])[], holds?: boolean): Vector => ({
    Name,
    Input: hex(pairs.flat()),
    ...(holds !== undefined && { Expected: hex([holds ? 1n : 0n]) }),
  });
  const match = [pair(generator[0], generator[1]), pair(generator[0], negateG2(generator[1]))];
  const noPoint: AffineG2 = [
    [0n, 0n],
    [0n, 0n],
  ];
  const [k, m] = [random.below(r), random.below(r)];
  const outside = fromNobleG2(randomTwistPoint(random));
  return {
    Add: [
      add('two points', p, other),
      add('a point and itself', p, p),
      add('the generator and itself', base, base),
      add('a point and its negative', p, p.negate()),
      add('a point and infinity', p, infinity),
      add('infinity and a point', infinity, p),
      add('infinity and infinity', infinity, infinity),
      add('a point and its double', p, p.double()),
      { Name: 'nothing', Input: '', Expected: hex([0n, 0n]) },
      { Name: 'a point alone', Input: hex(flat(p)), Expected: hex(flat(p)) },
      { Name: 'trailing bytes', Input: `${hex([1n, 2n, 1n, 2n])}ff`, Expected: hex(flat(base.double())) },
      { Name: 'a point off the curve', Input: hex([1n, 1n, 1n, 2n]) },
      { Name: 'a second point off the curve', Input: hex([1n, 2n, 1n, 3n]) },
      { Name: 'a coordinate of q', Input: hex([q, 0n, 1n, 2n]) },
      { Name: 'a coordinate above q', Input: hex([1n + q, 2n, 1n, 2n]) },
    ],
    ScalarMul: [
      ...[0n, 1n, 2n, 9n, 1n << 64n, 1n << 128n, LAMBDA, r - 1n, r, r + 1n, q, 1n << 255n].map((factor) =>
        multiply(`by ${factor}`, p, factor),
      ),
      multiply('by the largest number', p, 2n ** 256n - 1n),
      multiply('the generator by the largest number', base, 2n ** 256n - 1n),
      multiply('infinity', infinity, 5n),
      multiply('by a random number', other, random.below(2n ** 256n)),
      { Name: 'nothing', Input: '', Expected: hex([0n, 0n]) },
      { Name: 'without a factor', Input: hex([1n, 2n]), Expected: hex([0n, 0n]) },
      {
        Name: 'a truncated factor',
        Input: `${hex([1n, 2n])}40`,
        Expected: multiply('', base, 1n << 254n).Expected!,
      },
      { Name: 'a point off the curve', Input: hex([1n, 1n, 3n]) },
    ],
    Pairing: [
      check('no pairs', [], true),
      check('one pair', match.slice(0, 1), false),
      check('a pair and its negative', match, true),
      check('ten pairs that cancel', Array.from({ length: 5 }, () => match).flat(), true),
      check('64 pairs that cancel', Array.from({ length: 32 }, () => match).flat(), true),
      check(
        'nine pairs that don’t cancel',
        Array.from({ length: 5 }, () => match)
          .flat()
          .slice(1),
        false,
      ),
      check('multiples that cancel', [pair(g1(k), g2(m)), pair(g1(r - ((k * m) % r)), generator[1])], true),
      check('multiples that don’t cancel', [pair(g1(k), g2(m)), pair(g1((k * m) % r), generator[1])], false),
      check('infinity in G1', [pair(infinityPair, generator[1])], true),
      check('infinity in G2', [pair(generator[0], noPoint)], true),
      check('infinity in both', [pair(infinityPair, noPoint)], true),
      check('infinity and one pair', [pair(infinityPair, g2(3n)), match[0]!], false),
      check('infinity and pairs that cancel', [match[0]!, pair(generator[0], noPoint), match[1]!], true),
      check('G1 off the curve', [pair([1n, 1n], generator[1])]),
      check('G1 off the curve with infinity', [pair([1n, 1n], noPoint)]),
      check('G2 off the twist', [pair(generator[0], [generator[1][0], [1n, 1n]])]),
      check('G2 off the twist with infinity', [
        pair(infinityPair, [
          [1n, 1n],
          [1n, 1n],
        ]),
      ]),
      check('G2 outside the subgroup', [match[0]!, pair(generator[0], outside)]),
      check('G2 outside the subgroup with infinity', [pair(infinityPair, outside)]),
      check('G2 with swapped halves', [
        pair(generator[0], [[generator[1][0][1], generator[1][0][0]], generator[1][1]]),
      ]),
      check('a coordinate of G2 above q', [
        pair(generator[0], [[generator[1][0][0] + q, generator[1][0][1]], generator[1][1]]),
      ]),
      { Name: 'an incomplete pair', Input: `${hex(match[0]!)}00` },
    ],
  };
}

/**
 * Go-ethereum's own vectors, if `ZK_EIP_VECTORS` names its folder core/vm/testdata/precompiles. They are not part of this repository.
 */
function ethereumVectors(contract: Contract): Vector[] {
  const folder = process.env.ZK_EIP_VECTORS;
  if (folder === undefined) return [];
  return JSON.parse(readFileSync(join(folder, `bn256${contract}.json`), 'utf8'));
}

describe.each(kernels)('the curve of %s agrees with Ethereum’s contracts', (_, kernel) => {
  const vectors = createVectors();
  it.each([
    ['addition (EIP-196)', 'Add'],
    ['multiplication (EIP-196)', 'ScalarMul'],
    ['the pairing check (EIP-197)', 'Pairing'],
  ] as const)('on %s', (_name, contract) => {
    for (const { Name, Input, Expected } of [...vectors[contract], ...ethereumVectors(contract)])
      expect(contracts[contract](kernel, Input), Name).toBe(Expected);
  });
});
