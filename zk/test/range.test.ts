import { beforeAll, describe, expect, it } from 'vitest';
import { hasOrderR, isOnG1, isOnTwist } from '../src/curve/bn254.js';
import { type Curve, FQ_BYTES, FR_BYTES, G1_BYTES, loadCurve } from '../src/curve/curve.js';
import { createFixedBase, createMultiple } from '../src/curve/fixed-base.js';
import { BASE_FIELD, SCALAR_FIELD } from '../src/curve/modulus.js';
import { loadPinnedKey } from '../src/setup/artifacts.js';
import { createVerifier } from '../src/verifier/create-verifier.js';
import type { ParsedProof } from '../src/verifier/proof.js';
import type { Verifier } from '../src/verifier/verifier.js';
import { verifierKernels } from './support/kernels.js';
import { sampleParsed } from './support/support.js';

const { vkey } = loadPinnedKey();
const proof = sampleParsed();

/** The published proof with one number replaced, at a path such as `b.1.0`. */
function withNumber(path: string, change: (value: bigint) => unknown): ParsedProof {
  const copy = structuredClone(proof) as never as Record<string, never>;
  const keys = path.split('.');
  const last = keys.pop() as string;
  const parent = keys.reduce<Record<string, never>>((part, key) => part[key] as never, copy);
  parent[last] = change(parent[last] as never) as never;
  return copy as never as ParsedProof;
}

const POINTS = ['a.0', 'a.1', 'b.0.0', 'b.0.1', 'b.1.0', 'b.1.1', 'c.0', 'c.1'];
const SIGNALS = ['signals.0', 'signals.1', 'signals.2'];

describe.each(verifierKernels)('unparsed numbers with %s', (kernel) => {
  let curve: Curve;
  let verifier: Verifier;
  beforeAll(async () => {
    curve = await loadCurve();
    verifier = await createVerifier(vkey, kernel);
  });

  it.each([...POINTS, ...SIGNALS])('make a proof invalid if out of range: %s', (path) => {
    const modulus = path.startsWith('signals') ? SCALAR_FIELD : BASE_FIELD;
    for (const change of [
      (value: bigint) => value + modulus,
      (value: bigint) => value - modulus,
      (value: bigint) => value + (1n << 256n),
      (value: bigint) => value - (1n << 256n),
      (value: bigint) => String(value),
    ]) {
      const parsed = withNumber(path, change);
      expect(verifier.verify(parsed)).toBe(false);
      expect(verifier.verifyBatch([proof, parsed, proof])).toEqual([true, false, true]);
    }
  });

  it('make a proof invalid if there are too many or too few', () => {
    const [first, second, third] = proof.signals;
    for (const signals of [[first, second], [first, second, third, 0n], []])
      expect(verifier.verify({ ...proof, signals: signals as never })).toBe(false);
    for (const a of [[...proof.a, 1n], [proof.a[0]]])
      expect(verifier.verify({ ...proof, a: a as never })).toBe(false);
    expect(verifier.verify({ ...proof, b: [...proof.b, [1n, 0n]] as never })).toBe(false);
  });

  it.each([-1n, BASE_FIELD, 1n << 256n])('are rejected as coordinates: %s', async (value) => {
    const to = curve.allocate(G1_BYTES);
    expect(() => curve.writeFq(to, value)).toThrow(RangeError);
    expect(() => curve.writeG1(to, [value, 2n])).toThrow(RangeError);
    await expect(createVerifier({ ...vkey, alpha: [vkey.alpha[0], value] }, kernel)).rejects.toThrow(
      RangeError,
    );
    expect(curve.view(to, FQ_BYTES).every((byte) => byte === 0)).toBe(true);
  });

  it.each([-1n, SCALAR_FIELD, 1n << 256n])('are rejected as scalars: %s', (value) => {
    const base = curve.allocate(G1_BYTES);
    curve.writeG1(base, vkey.alpha);
    expect(() => curve.writeFr(curve.allocate(FR_BYTES), value)).toThrow(RangeError);
    for (const create of [createFixedBase, createMultiple])
      expect(() => create(curve, base)(curve.allocate(G1_BYTES), value)).toThrow(RangeError);
  });

  it('are rejected as points of a group if out of range', () => {
    const [x, y] = vkey.alpha;
    const [[x0, x1], [y0, y1]] = vkey.beta;
    expect([isOnG1([x, y]), isOnTwist(vkey.beta), hasOrderR(vkey.beta)]).toEqual([true, true, true]);
    for (const off of [BASE_FIELD, -BASE_FIELD]) {
      expect([isOnG1([x + off, y]), isOnG1([x, y + off])]).toEqual([false, false]);
      expect(
        isOnTwist([
          [x0 + off, x1],
          [y0, y1],
        ]),
      ).toBe(false);
      expect(
        isOnTwist([
          [x0, x1],
          [y0, y1 + off],
        ]),
      ).toBe(false);
    }
  });
});
