import { type Curve, FR_BYTES, G1_BYTES, G2_BYTES, type Pointer } from '../curve/curve.js';
import { SCALAR_FIELD } from '../curve/modulus.js';
import { g1Group, g2Group, loadPoint, PointList } from '../curve/point-list.js';
import { bytesToBigInt } from '../field.js';
import type { Groth16Proof } from '../verifier/proof.js';
import type { AffineG1, AffineG2 } from '../wire.js';
import { createQuotient } from './quotient.js';
import type { ProvingKey } from './zkey.js';

/**
 * The three sums of a Groth16 proof: A = α + Σ wᵢ·Aᵢ + r·δ, B likewise with s, and
 * C = Σ wᵢ·Cᵢ + Σ hᵢ·Hᵢ + s·A + r·B₁ − rs·δ. B₁ is a sum over the same witness. When it is expanded, δ cancels and the
 * r·wᵢ become scalars of B₁'s points, so that C takes one long multi-scalar multiplication instead of three.
 *
 * It trusts its key: a malicious key gives proofs that reveal the witness. `createProver` uses pinned keys only.
 */
export class Groth16 {
  readonly #curve: Curve;
  readonly #key: ProvingKey;
  readonly #quotient: ReturnType<typeof createQuotient>;
  readonly #a: PointList;
  readonly #b: PointList;
  readonly #c: PointList;
  readonly #alpha1: Pointer;
  readonly #beta2: Pointer;
  readonly #plain: Pointer;
  readonly #wires: Pointer;
  readonly #h: Pointer;
  readonly #scratch: Readonly<Record<'a' | 'b' | 'c' | 'blinded' | 'r' | 's' | 'product', Pointer>>;

  constructor(curve: Curve, key: ProvingKey) {
    const [g1, g2] = [g1Group(curve), g2Group(curve)];
    this.#curve = curve;
    this.#key = key;
    this.#quotient = createQuotient(curve, key);
    this.#a = new PointList(curve, g1, [key.a, key.delta1]);
    this.#b = new PointList(curve, g2, [key.b2, key.delta2]);
    this.#c = new PointList(curve, g1, [key.c, key.h, key.b1, key.beta1]);
    this.#alpha1 = curve.allocate(G1_BYTES);
    this.#beta2 = curve.allocate(G2_BYTES);
    loadPoint(curve, g1, this.#alpha1, key.alpha1);
    loadPoint(curve, g2, this.#beta2, key.beta2);
    this.#plain = curve.allocate(key.wires * FR_BYTES);
    this.#wires = curve.allocate(key.wires * FR_BYTES);
    this.#h = curve.allocate(key.domain * FR_BYTES);
    this.#scratch = {
      a: curve.allocate(G1_BYTES),
      b: curve.allocate(G2_BYTES),
      c: curve.allocate(G1_BYTES),
      blinded: curve.allocate(G1_BYTES),
      r: curve.allocate(FR_BYTES),
      s: curve.allocate(FR_BYTES),
      product: curve.allocate(FR_BYTES),
    };
  }

  prove(witness: Uint8Array): Groth16Proof {
    const { raw } = this.#curve;
    const { wires, domain, publicSignals } = this.#key;
    if (witness.length !== wires * FR_BYTES)
      throw new TypeError('the wasm and the zkey belong to different circuits');
    const curve = this.#curve;
    const { a, b, c, blinded, r, s, product } = this.#scratch;
    try {
      this.#loadWitness(witness);
      curve.writeFr(r, randomScalar());
      curve.writeFr(s, randomScalar());
      this.#quotient.compute(this.#plain, this.#h);

      this.#a.setScalars(0, this.#wires, wires);
      this.#a.setScalar(wires, r);
      this.#a.sum(a);
      raw._mclBnG1_add(a, a, this.#alpha1);

      this.#b.setScalars(0, this.#wires, wires);
      this.#b.setScalar(wires, s);
      this.#b.sum(b);
      raw._mclBnG2_add(b, b, this.#beta2);

      const privateWires = wires - publicSignals - 1;
      this.#c.setScalars(0, this.#wires + (publicSignals + 1) * FR_BYTES, privateWires);
      this.#c.setScalars(privateWires, this.#h, domain);
      for (let i = 0; i < wires; i++) {
        raw._mclBnFr_mul(product, r, this.#wires + i * FR_BYTES);
        this.#c.setScalar(privateWires + domain + i, product);
      }
      this.#c.setScalar(privateWires + domain + wires, r);
      this.#c.sum(c);
      raw._mclBnG1_mul(blinded, a, s);
      raw._mclBnG1_add(c, c, blinded);
      return toWire(curve.readG1(a), curve.readG2(b), curve.readG1(c));
    } finally {
      this.#wipe();
    }
  }

  /** Loads both forms: plain for the coefficients, which contain R², and Montgomery for the points. */
  #loadWitness(witness: Uint8Array): void {
    this.#curve.view(this.#plain, witness.length).set(witness);
    for (let at = 0; at < witness.length; at += FR_BYTES) {
      this.#curve.raw._mclBnFr_setLittleEndian(this.#wires + at, this.#plain + at, FR_BYTES);
    }
  }

  #wipe(): void {
    this.#quotient.wipe();
    for (const list of [this.#a, this.#b, this.#c]) list.wipe();
    const { r, s, product } = this.#scratch;
    for (const address of [r, s, product]) this.#curve.view(address, FR_BYTES).fill(0);
    for (const address of [this.#plain, this.#wires]) {
      this.#curve.view(address, this.#key.wires * FR_BYTES).fill(0);
    }
    this.#curve.view(this.#h, this.#key.domain * FR_BYTES).fill(0);
  }
}

/** Uniform in [1, r), always from the platform's CSPRNG. */
function randomScalar(): bigint {
  for (;;) {
    const bytes = globalThis.crypto.getRandomValues(new Uint8Array(32));
    const value = bytesToBigInt(bytes) >> 2n;
    bytes.fill(0);
    if (value > 0n && value < SCALAR_FIELD) return value;
  }
}

function toWire(a: AffineG1, b: AffineG2, c: AffineG1): Groth16Proof {
  const pair = ([x, y]: AffineG1): [string, string] => [String(x), String(y)];
  return {
    protocol: 'groth16',
    curve: 'bn128',
    pi_a: [...pair(a), '1'],
    pi_b: [pair(b[0]), pair(b[1]), ['1', '0']],
    pi_c: [...pair(c), '1'],
  };
}
