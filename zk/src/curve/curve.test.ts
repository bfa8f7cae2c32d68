import { beforeAll, describe, expect, it } from 'vitest';
import { type Curve, FQ_BYTES, G1_BYTES, G2_BYTES, loadCurve } from './curve.js';
import { BASE_FIELD, SCALAR_FIELD } from './modulus.js';

describe('the curve module', () => {
  let curve: Curve;
  beforeAll(async () => {
    curve = await loadCurve();
  });

  it('is loaded once per thread', async () => {
    expect(await loadCurve()).toBe(curve);
  });

  it('reads back every number it wrote, including those with leading zero bytes', () => {
    const [at, other] = [curve.allocate(FQ_BYTES), curve.allocate(FQ_BYTES)];
    // Processes a long number before each read, to show that none of its bytes remain in the buffer.
    const lengths = [253n, 0n, 252n, 8n, 247n, 64n, 248n, 1n];
    const numbers = lengths.flatMap((bits) => [(1n << bits) - 1n, 1n << bits]);
    for (const value of [SCALAR_FIELD - 1n, ...numbers, 0n]) {
      curve.writeFq(at, value);
      curve.writeFr(other, SCALAR_FIELD - 1n);
      expect(curve.readFq(at)).toBe(value);
    }
    for (const value of [SCALAR_FIELD - 1n, ...numbers, 0n]) {
      curve.writeFr(at, value);
      curve.writeFq(other, BASE_FIELD - 1n);
      expect(curve.readFr(at)).toBe(value);
    }
  });

  it('reads back points in affine form', () => {
    const { raw } = curve;
    const [g1, g2] = [curve.allocate(G1_BYTES), curve.allocate(G2_BYTES)];
    curve.writeG1(g1, [1n, 2n]);
    raw._mclBnG1_dbl(g1, g1);
    raw._mclBnG1_neg(g1, g1);
    const [x, y] = curve.readG1(g1);
    expect((y * y - x ** 3n - 3n) % BASE_FIELD).toBe(0n);
    expect(raw._mclBnG2_isZero(g2)).toBe(1);
  });
});
