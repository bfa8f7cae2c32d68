import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../test-vectors.json' with { type: 'json' };
import { BASE_FIELD, SCALAR_FIELD } from '../curve/modulus.js';
import { parseProof } from './proof.js';

const { proof, publicSignals } = vectors.proof;
/** The valid proof with one value replaced. The path has the format of an issue's, e.g. `pi_b[0][1]`. */
const withAt = (path: string, value: unknown): unknown => {
  const copy = structuredClone(proof);
  const keys = path.replace(/\]/g, '').split(/[.[]/);
  const last = keys.pop() ?? '';
  let target = copy as unknown as Record<string, unknown>;
  for (const key of keys) target = target[key] as Record<string, unknown>;
  target[last] = value;
  return copy;
};

const pathsOf = (candidate: unknown, signals: unknown = publicSignals): string[] => {
  const result = parseProof(candidate, signals);
  return result.ok ? [] : result.issues.map((issue) => issue.path);
};

/** Spellings that other libraries accept for the number n. */
const otherSpellings = (n: bigint): unknown[] => [
  `0${n}`,
  `+${n}`,
  `-${n}`,
  ` ${n}`,
  `${n} `,
  `${n}\n`,
  `${n}n`,
  `${n}.0`,
  `${n}e0`,
  `0x${n.toString(16)}`,
  n.toString(16),
  '',
  '-0',
  '00',
  '١',
  Number(n),
  n,
  null,
  undefined,
  true,
  [String(n)],
  { toString: () => String(n) },
  '1'.repeat(79),
  '9'.repeat(50_000),
];

const coordinates = ['pi_a', 'pi_c', 'pi_b[0]', 'pi_b[1]'].flatMap((point) => [`${point}[0]`, `${point}[1]`]);

describe('the proof parser', () => {
  it('parses a valid proof to the same numbers', () => {
    const result = parseProof(proof, publicSignals);
    expect(result.ok && result.parsed).toEqual({
      a: proof.pi_a.slice(0, 2).map(BigInt),
      b: proof.pi_b.slice(0, 2).map((pair) => pair.map(BigInt)),
      c: proof.pi_c.slice(0, 2).map(BigInt),
      signals: publicSignals.map(BigInt),
    });
    expect(structuredClone(result)).toEqual(result);
  });

  it.each(coordinates)('accepts only one spelling of %s', (path) => {
    for (const spelling of otherSpellings(171n)) {
      expect(pathsOf(withAt(path, spelling))).toEqual([`proof.${path}`]);
    }
  });

  it.each(coordinates)('bounds %s by the base field', (path) => {
    for (const [value, issues] of [
      [BASE_FIELD, [`proof.${path}`]],
      [BASE_FIELD + 1n, [`proof.${path}`]],
      [BASE_FIELD + BigInt(proof.pi_a[0]!), [`proof.${path}`]],
      [BASE_FIELD - 1n, []],
      [SCALAR_FIELD, []],
      [0n, []],
    ] as const) {
      expect(pathsOf(withAt(path, String(value)))).toEqual(issues);
    }
  });

  it.each([0, 1, 2])('accepts only one spelling of signal %i, below r', (i) => {
    const withSignal = (value: unknown): unknown[] => publicSignals.with(i, value as string);
    for (const spelling of otherSpellings(171n)) {
      expect(pathsOf(proof, withSignal(spelling))).toEqual([`publicSignals[${i}]`]);
    }
    for (const value of [SCALAR_FIELD, SCALAR_FIELD + 1n, BASE_FIELD, 10n ** 78n - 1n]) {
      expect(pathsOf(proof, withSignal(String(value)))).toEqual([`publicSignals[${i}]`]);
    }
    for (const value of [0n, SCALAR_FIELD - 1n])
      expect(pathsOf(proof, withSignal(String(value)))).toEqual([]);
  });

  it('requires exactly three signals', () => {
    const lists = [
      [],
      publicSignals.slice(1),
      [...publicSignals, '1'],
      {},
      null,
      'abc',
      { length: 3 },
      new Array(3),
    ];
    for (const signals of lists) {
      expect(pathsOf(proof, signals).every((path) => path.startsWith('publicSignals'))).toBe(true);
      expect(pathsOf(proof, signals)).not.toEqual([]);
    }
  });

  it.each(['groth', 'GROTH16', 'plonk', '', null, ['groth16'], 1])('rejects protocol %j', (protocol) => {
    expect(pathsOf({ ...proof, protocol })).toEqual(['proof.protocol']);
  });

  it.each(['bn254', 'BN128', 'bls12381', '', null, ['bn128']])('rejects curve %j', (curve) => {
    expect(pathsOf({ ...proof, curve })).toEqual(['proof.curve']);
  });

  it.each(['2', '0', '01', '1n', 1, null, undefined])('requires affine points and rejects z = %j', (z) => {
    expect(pathsOf(withAt('pi_a[2]', z))).toEqual(['proof.pi_a[2]']);
    expect(pathsOf(withAt('pi_c[2]', z))).toEqual(['proof.pi_c[2]']);
    expect(pathsOf(withAt('pi_b[2][0]', z))).toEqual(['proof.pi_b[2][0]']);
  });

  it.each(['1', '00', 0, null])('requires affine points and rejects imaginary z = %j', (z) => {
    expect(pathsOf(withAt('pi_b[2][1]', z))).toEqual(['proof.pi_b[2][1]']);
  });

  it('rejects points at infinity, in both spellings', () => {
    for (const zero of [
      ['0', '0', '1'],
      ['0', '1', '0'],
    ]) {
      expect(pathsOf({ ...proof, pi_a: zero })).not.toEqual([]);
      expect(pathsOf({ ...proof, pi_c: zero })).not.toEqual([]);
    }
    for (const z of [
      ['1', '0'],
      ['0', '0'],
    ]) {
      expect(pathsOf({ ...proof, pi_b: [['0', '0'], ['0', '0'], z] })).not.toEqual([]);
    }
    expect(
      pathsOf({
        ...proof,
        pi_b: [
          ['0', '0'],
          ['1', '0'],
          ['0', '0'],
        ],
      }),
    ).not.toEqual([]);
  });

  it('accepts a single zero coordinate', () => {
    expect(pathsOf({ ...proof, pi_a: ['0', '2', '1'] })).toEqual([]);
    expect(
      pathsOf({
        ...proof,
        pi_b: [
          ['0', '0'],
          ['1', '0'],
          ['1', '0'],
        ],
      }),
    ).toEqual([]);
  });

  it.each(['pi_a', 'pi_b', 'pi_c'])('requires exactly three elements in %s', (key) => {
    const list = proof[key as 'pi_a'];
    for (const bad of [
      list.slice(0, 2),
      [...list, '1'],
      [],
      {},
      null,
      'x',
      '111',
      { 0: '1', 1: '1', 2: '1', length: 3 },
    ]) {
      expect(pathsOf({ ...proof, [key]: bad })).toEqual([`proof.${key}`]);
    }
    expect(pathsOf({ ...proof, [key]: new Array(3) })).not.toEqual([]);
  });

  it.each([0, 1, 2])('requires a pair in row %i of pi_b', (i) => {
    for (const bad of [['1'], ['1', '0', '0'], '10', null, {}]) {
      expect(pathsOf(withAt(`pi_b[${i}]`, bad))).toEqual([`proof.pi_b[${i}]`]);
    }
  });

  it.each(['protocol', 'curve', 'pi_a', 'pi_b', 'pi_c'])('requires %s as an own property', (key) => {
    const { [key as 'pi_a']: value, ...rest } = proof;
    expect(pathsOf(rest)).toEqual([`proof.${key}`]);
    expect(pathsOf(Object.assign(Object.create({ [key]: value }), rest))).toEqual([`proof.${key}`]);
  });

  it('rejects unknown keys, including those of the prototype', () => {
    expect(pathsOf({ ...proof, extra: 1 })).toEqual(['proof']);
    const text = JSON.stringify(proof);
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(pathsOf(JSON.parse(`${text.slice(0, -1)},"${key}":{}}`))).toEqual(['proof']);
    }
    expect(({} as Record<string, unknown>).protocol).toBeUndefined();
  });

  it.each([null, undefined, 1, 'x', [], [proof], true, () => proof])('rejects %j as a proof', (value) => {
    expect(pathsOf(value)).toEqual(['proof']);
  });

  it('accepts a proof without a prototype', () => {
    expect(pathsOf(Object.assign(Object.create(null), proof))).toEqual([]);
  });

  it('reports every problem in one pass and repeats none of the input', () => {
    const secret = 'x'.repeat(40);
    const result = parseProof({ ...proof, pi_a: [secret, '1', '1'], protocol: secret }, [secret, '1', '2']);
    expect(result.ok).toBe(false);
    const text = JSON.stringify(result);
    for (const path of ['proof.pi_a[0]', 'proof.protocol', 'publicSignals[0]']) expect(text).toContain(path);
    expect(text).not.toContain(secret);
  });

  it('stays fast on hostile input', () => {
    const digits = '9'.repeat(50_000);
    const hostile = {
      ...proof,
      pi_a: [digits, digits, digits],
      pi_b: [
        [digits, digits],
        [digits, digits],
        [digits, digits],
      ],
    };
    const before = process.cpuUsage();
    for (let i = 0; i < 200; i++) expect(parseProof(hostile, [digits, digits, digits]).ok).toBe(false);
    // Converting one such string to a bigint takes about 1 ms, so 2000 would take seconds of CPU.
    expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
  });

  it('never throws for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const result = parseProof(a, b);
        expect(result.ok ? 0 : result.issues.length).toBeGreaterThan(0);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('accepts a string if and only if it is the canonical decimal of an element', () => {
    const texts = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 260n }).map(String),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefx+-. en'), maxLength: 80 }),
      fc.integer({ min: 0, max: 9 }).map((digit) => `${digit}`),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(...coordinates), (text, path) => {
        const isCanonical = /^\d+$/.test(text) && String(BigInt(text)) === text && BigInt(text) < BASE_FIELD;
        expect(pathsOf(withAt(path, text))).toEqual(isCanonical ? [] : [`proof.${path}`]);
      }),
      { seed: 4, numRuns: 1000 },
    );
  });
});
