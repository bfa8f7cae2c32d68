// @module-tag if-touched @proofs: tests the circuit and repeats its trusted setup
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCALAR_FIELD as r } from '../src/curve/modulus.js';
import { poseidon2, poseidon3 } from '../src/poseidon.js';
import { createWitnessCalculator, type WitnessCalculator } from '../src/prover/witness.js';
import vectors from '../test-vectors.json' with { type: 'json' };
import { brokenConstraints, type ConstraintSystem, readR1cs } from './support/r1cs.js';
import { buildCircuit, grain, testVectors } from './support/scripts.js';
import { artifact, sample, seededRandom } from './support/support.js';

const inputs = Object.fromEntries(
  Object.entries(sample.inputs).map(([name, value]) => [name, BigInt(value)]),
);

async function witnessOf(calculator: WitnessCalculator, values: Record<string, bigint>): Promise<bigint[]> {
  const bytes = Buffer.from(await calculator.calculate(values));
  return Array.from({ length: bytes.length / 32 }, (_, i) =>
    BigInt(
      `0x${Buffer.from(bytes.subarray(i * 32, i * 32 + 32))
        .reverse()
        .toString('hex')}`,
    ),
  );
}

describe('the circuit', () => {
  let system: ConstraintSystem;
  let calculator: WitnessCalculator;
  let honest: bigint[];
  beforeAll(async () => {
    system = readR1cs(artifact('r1cs'));
    calculator = await createWitnessCalculator(artifact('wasm'));
    honest = await witnessOf(calculator, inputs);
  });

  it('compiles to the committed bytes', async () => {
    const built = (await buildCircuit()).compile();
    expect(built.r1cs.equals(artifact('r1cs'))).toBe(true);
    expect(built.wasm.equals(artifact('wasm'))).toBe(true);
  });

  it('has 501 constraints and three public inputs: commitment, didHash, identityBinding', () => {
    expect(system.constraints.length).toBe(501);
    expect(system.publicInputs).toBe(3);
    expect(honest.slice(0, 4)).toEqual([1n, inputs.commitment, inputs.didHash, inputs.identityBinding]);
  });

  it('is satisfied by a valid witness', () => {
    expect(brokenConstraints(system, honest)).toBe(0);
  });

  it.each([1, 2, 3])('is not satisfied if only public signal %i is changed', (wire) => {
    for (const value of [honest[wire]! + 1n, honest[wire]! - 1n, 0n, r - 1n, honest[(wire % 3) + 1]!]) {
      expect(brokenConstraints(system, honest.with(wire, value % r))).toBeGreaterThan(0);
    }
  });

  it('constrains every wire: changing any of them breaks a constraint', () => {
    const free = honest.flatMap((value, wire) =>
      brokenConstraints(system, honest.with(wire, (value + 1n) % r)) > 0 ? [] : [wire],
    );
    expect(honest.length).toBe(system.wires);
    expect(free).toEqual([]);
  });

  it('is not satisfied by other secrets with the same public signals', async () => {
    for (const other of [
      { biometricSecret: 5n },
      { salt: 6n },
      { biometricSecret: inputs.salt!, salt: inputs.biometricSecret! },
    ]) {
      const { biometricSecret, salt } = {
        ...(inputs as { biometricSecret: bigint; salt: bigint }),
        ...other,
      };
      const witness = await witnessOf(calculator, {
        biometricSecret,
        salt,
        didHash: inputs.didHash!,
        commitment: poseidon2(biometricSecret, salt),
        identityBinding: poseidon3(biometricSecret, salt, inputs.didHash!),
      });
      expect(brokenConstraints(system, witness)).toBe(0);
      const forged = [1n, inputs.commitment!, inputs.didHash!, inputs.identityBinding!, ...witness.slice(4)];
      expect(brokenConstraints(system, forged)).toBeGreaterThan(0);
      for (const wire of [1, 3])
        expect(brokenConstraints(system, witness.with(wire, honest[wire]!))).toBeGreaterThan(0);
    }
  });

  it.each(['biometricSecret', 'salt', 'commitment', 'didHash', 'identityBinding'])(
    'has no witness if %s is wrong',
    async (name) => {
      for (const wrong of [(inputs[name]! + 1n) % r, 0n, r - 1n]) {
        await expect(calculator.calculate({ ...inputs, [name]: wrong })).rejects.toThrow('witness generator');
      }
    },
  );

  it('has no witness if an input is missing or unknown', async () => {
    const { salt, ...rest } = inputs;
    await expect(calculator.calculate(rest)).rejects.toThrow('expected 5 inputs');
    await expect(calculator.calculate({ ...rest, pepper: salt! })).rejects.toThrow(
      "no single input signal 'pepper'",
    );
    await expect(calculator.calculate({ ...inputs, pepper: 1n })).rejects.toThrow('expected 5 inputs');
  });

  it.each([0n, 1n, r - 1n])('is satisfied at the border of the field: %s', async (value) => {
    for (const name of ['biometricSecret', 'salt', 'didHash'] as const) {
      const { biometricSecret, salt, didHash } = {
        ...(inputs as Record<string, bigint>),
        [name]: value,
      } as Record<'biometricSecret' | 'salt' | 'didHash', bigint>;
      const witness = await witnessOf(calculator, {
        biometricSecret,
        salt,
        didHash,
        commitment: poseidon2(biometricSecret, salt),
        identityBinding: poseidon3(biometricSecret, salt, didHash),
      });
      expect(brokenConstraints(system, witness)).toBe(0);
    }
  });

  it.each([-1n, r, r + 1n])('has no witness for %s, which is not a canonical element', async (value) => {
    for (const name of Object.keys(inputs)) {
      await expect(calculator.calculate({ ...inputs, [name]: value })).rejects.toThrow(RangeError);
    }
  });
});

describe('Poseidon here and in circomlib', () => {
  const circomlib = dirname(createRequire(import.meta.url).resolve('circomlib/circuits/poseidon.circom'));
  it('returns the same hashes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'circomlib-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of ['poseidon.circom', 'poseidon_constants.circom'])
      copyFileSync(join(circomlib, file), join(folder, file));
    writeFileSync(
      join(folder, 'agreement.circom'),
      `pragma circom 2.2.0;
       include "poseidon.circom";
       template Agreement() {
         signal input a; signal input b; signal input c;
         signal output two <== Poseidon(2)([a, b]);
         signal output three <== Poseidon(3)([a, b, c]);
       }
       component main = Agreement();`,
    );
    const { wasm } = (await buildCircuit()).compile(folder, 'agreement');
    const theirs = await createWitnessCalculator(wasm);
    const { referencePoseidon } = await testVectors();
    const random = seededRandom(3n);
    const border = [0n, 1n, r - 1n];
    const triples = [
      ...border.flatMap((a) => border.flatMap((b) => border.map((c) => [a, b, c]))),
      ...Array.from({ length: 30 }, () => [random.below(r), random.below(r), random.below(r)]),
    ] as [bigint, bigint, bigint][];
    for (const [a, b, c] of triples) {
      const [, two, three] = await witnessOf(theirs, { a, b, c });
      expect([poseidon2(a, b), poseidon3(a, b, c)]).toEqual([two, three]);
      expect([referencePoseidon([a, b]), referencePoseidon([a, b, c])]).toEqual([two, three]);
    }
  });

  it('uses the same constants, and the committed circuit file contains them', async () => {
    const numbers = (file: string): Set<bigint> =>
      new Set(
        [...readFileSync(file, 'utf8').matchAll(/0x[0-9a-f]+|\b\d{20,}\b/g)].map(([text]) => BigInt(text)),
      );
    // This file of circomlib has the constants as the paper defines them. circomlib itself uses a rewritten form.
    const theirs = numbers(join(circomlib, 'poseidon_constants_old.circom'));
    const ours = numbers(new URL('../circuit/poseidon-constants.circom', import.meta.url).pathname);
    const { poseidonConstants } = await grain();
    for (const t of [3, 4] as const) {
      const { roundConstants, mds } = poseidonConstants(t);
      for (const constant of [...roundConstants, ...mds.flat()]) {
        expect(theirs.has(constant) && ours.has(constant)).toBe(true);
      }
    }
    expect(ours.size).toBe(195 + 9 + 256 + 16);
  });
});

describe('the published vectors', () => {
  it('match what the generating script computes without this package', async () => {
    expect(vectors).toMatchObject((await testVectors()).encodingVectors());
  });
});
