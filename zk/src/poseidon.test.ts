import { describe, expect, it } from 'vitest';
import vectors from '../test-vectors.json' with { type: 'json' };
import { SCALAR_FIELD } from './curve/modulus.js';
import { poseidon2, poseidon3 } from './poseidon.js';

describe('poseidon', () => {
  it('matches the vectors computed from the Grain constants', () => {
    for (const { inputs, value } of vectors.poseidon) {
      const [a = 0n, b = 0n, c] = inputs.map(BigInt);
      expect(String(c === undefined ? poseidon2(a, b) : poseidon3(a, b, c))).toBe(value);
    }
  });

  it.each([-1n, SCALAR_FIELD, SCALAR_FIELD + 1n, 1n << 256n])('rejects %s in every position', (bad) => {
    expect(() => poseidon2(bad, 0n)).toThrow(RangeError);
    expect(() => poseidon2(0n, bad)).toThrow(RangeError);
    for (const inputs of [
      [bad, 0n, 0n],
      [0n, bad, 0n],
      [0n, 0n, bad],
    ] as const) {
      expect(() => poseidon3(...(inputs as [bigint, bigint, bigint]))).toThrow(RangeError);
    }
  });

  it('rejects values that the underlying library would convert', () => {
    for (const bad of ['1', '0x1', 1, null, undefined, [1n]]) {
      expect(() => poseidon2(bad as unknown as bigint, 0n)).toThrow(RangeError);
    }
  });

  it('never includes the value in the error', () => {
    expect(() => poseidon2(SCALAR_FIELD + 123456789n, 0n)).toThrow(/^(?!.*\d{5}).*$/);
  });
});
