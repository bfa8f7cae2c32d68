// @module-tag if-touched @proofs: makes dozens of real proofs
import { execFile } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { build } from 'esbuild';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadCurve } from '../src/curve/curve.js';
import { SCALAR_FIELD } from '../src/curve/modulus.js';
import { Groth16 } from '../src/prover/groth16.js';
import { createProver, type Prover, type ProverInputs, type ProverOutput } from '../src/prover/prover.js';
import { createWitnessCalculator } from '../src/prover/witness.js';
import { readZkey } from '../src/prover/zkey.js';
import { loadPinnedKey } from '../src/setup/artifacts.js';
import { CircuitNotPinnedError } from '../src/setup/circuit-pin.js';
import { createVerifier } from '../src/verifier/create-verifier.js';
import { parseProof } from '../src/verifier/proof.js';
import type { Verifier } from '../src/verifier/verifier.js';
import { artifact, createNobleVerifier, sample, seededRandom, stopSnarkjs } from './support/support.js';

const [wasm, zkey] = [artifact('wasm'), artifact('zkey')];
const vkeyJson = JSON.parse(artifact('vkey').toString('utf8'));
const { vkey } = loadPinnedKey();
const secrets: ProverInputs = {
  biometricSecret: BigInt(sample.inputs.biometricSecret),
  salt: BigInt(sample.inputs.salt),
  didHash: BigInt(sample.inputs.didHash),
};

describe('the prover', () => {
  let prover: Prover;
  let verifier: Verifier;
  const noble = createNobleVerifier(vkey);
  beforeAll(async () => {
    prover = await createProver({ wasm, zkey });
    verifier = await createVerifier(vkey);
  });
  afterAll(stopSnarkjs);

  const verdicts = async ({ proof, publicSignals }: ProverOutput): Promise<boolean[]> => {
    const result = parseProof(proof, publicSignals);
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    return [
      verifier.verify(result.parsed),
      noble(result.parsed),
      await snarkjs.groth16.verify(vkeyJson, publicSignals, proof as unknown as snarkjs.Groth16Proof),
    ];
  };

  it('creates proofs with the published signals, which our verifier, noble and snarkjs accept', async () => {
    const output = await prover.prove(secrets);
    expect(output.publicSignals).toEqual(sample.publicSignals);
    expect(await verdicts(output)).toEqual([true, true, true]);
  });

  it.each([0n, 1n, SCALAR_FIELD - 1n])('proves at the border of the field: %s', async (value) => {
    for (const name of ['biometricSecret', 'salt', 'didHash']) {
      expect(await verdicts(await prover.prove({ ...secrets, [name]: value }))).toEqual([true, true, true]);
    }
  });

  it('creates proofs of one statement only, so all three reject them with another signal', async () => {
    const { proof, publicSignals } = await prover.prove(secrets);
    for (const at of [0, 1, 2]) {
      const others = publicSignals.with(at, String(BigInt(publicSignals[at] as string) - 1n));
      expect(await verdicts({ proof, publicSignals: others as ProverOutput['publicSignals'] })).toEqual([
        false,
        false,
        false,
      ]);
    }
  });

  it('proves for random inputs', async () => {
    const random = seededRandom(11n);
    // Enough rounds that coordinates with leading zero bytes occur, which a wrong conversion would break.
    for (let i = 0; i < 12; i++) {
      const [biometricSecret, salt, didHash] = [0, 1, 2].map(() => random.below(SCALAR_FIELD)) as [
        bigint,
        bigint,
        bigint,
      ];
      expect(await verdicts(await prover.prove({ biometricSecret, salt, didHash }))).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  it.each([-1n, SCALAR_FIELD, SCALAR_FIELD + 1n, 1n << 256n])('rejects %s for every input', async (value) => {
    for (const name of ['biometricSecret', 'salt', 'didHash']) {
      await expect(prover.prove({ ...secrets, [name]: value })).rejects.toThrow(RangeError);
    }
  });

  it('blinds proofs, so two of the same inputs share no coordinate', async () => {
    const [first, second] = [await prover.prove(secrets), await prover.prove(secrets)];
    const numbers = ({ proof }: ProverOutput): string[] => [proof.pi_a, proof.pi_b, proof.pi_c].flat(2);
    const shared = numbers(first).filter((text) => text.length > 1 && numbers(second).includes(text));
    expect(shared).toEqual([]);
    expect(first.publicSignals).toEqual(second.publicSignals);
  });

  it('can create two proofs concurrently', async () => {
    const outputs = await Promise.all([prover.prove(secrets), prover.prove({ ...secrets, didHash: 1n })]);
    for (const output of outputs) expect(await verdicts(output)).toEqual([true, true, true]);
  });

  it('leaves no secrets in the memory of its WebAssembly modules or in the witness', async () => {
    const api = Reflect.get(globalThis, 'WebAssembly') as {
      instantiate(module: object, imports: object): Promise<{ exports: { memory: { buffer: ArrayBuffer } } }>;
    };
    const instantiating = vi.spyOn(api, 'instantiate');
    const proving = vi.spyOn(Groth16.prototype, 'prove');
    try {
      await prover.prove(secrets);
      const [witness] = proving.mock.calls[0]!;
      const generator = await (instantiating.mock.results[0]!.value as ReturnType<typeof api.instantiate>);
      expect(witness.every((byte) => byte === 0)).toBe(true);
      expect(new Uint8Array(generator.exports.memory.buffer).every((byte) => byte === 0)).toBe(true);
    } finally {
      instantiating.mockRestore();
      proving.mockRestore();
    }
    const memory = Buffer.from((await loadCurve()).raw.wasmMemory.buffer);
    for (const secret of [secrets.biometricSecret, secrets.salt]) {
      // Plain, as in the witness, and in Montgomery form, as in the curve module.
      for (const value of [secret, (secret << 256n) % SCALAR_FIELD]) {
        const bytes = Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
        expect(memory.includes(bytes)).toBe(false);
      }
    }
  });

  it('rejects artifacts that are not its own', async () => {
    const cut = zkey.subarray(0, zkey.length - 1);
    const otherField = Buffer.from(zkey);
    otherField[12 + 12 + 4 + 12 + 4] = otherField[12 + 12 + 4 + 12 + 4]! ^ 1;
    for (const bad of [new Uint8Array(), cut, wasm, artifact('ptau'), artifact('r1cs'), otherField]) {
      expect(() => readZkey(bad)).toThrow(TypeError);
      await expect(createProver({ wasm, zkey: bad })).rejects.toThrow(CircuitNotPinnedError);
    }
    await expect(createWitnessCalculator(zkey)).rejects.toThrow();
    const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    await expect(createWitnessCalculator(emptyModule)).rejects.toThrow('witness generator');
  });

  it('creates keys compatible with snarkjs, whose proofs our verifier accepts', async () => {
    const { proof, publicSignals } = await snarkjs.groth16.fullProve(
      { ...sample.inputs },
      { type: 'mem', data: wasm } as never,
      { type: 'mem', data: zkey } as never,
    );
    const result = parseProof(proof, publicSignals);
    expect(result.ok && verifier.verify(result.parsed)).toBe(true);
  });
});

describe('the environment of the prover', () => {
  it('has no threads left after a proof, so the process exits by itself', async () => {
    const dist = (name: string): string => new URL(`../dist/${name}.js`, import.meta.url).href;
    const script = `
      import { readFileSync } from 'node:fs';
      import { createProver } from ${JSON.stringify(dist('prover/prover'))};
      import { artifactsFolder } from ${JSON.stringify(dist('setup/artifacts'))};
      const read = (name) => readFileSync(artifactsFolder + name);
      const prover = await createProver({ wasm: read('identity_proof.wasm'), zkey: read('identity_proof.zkey') });
      await prover.prove({ biometricSecret: 1n, salt: 2n, didHash: 3n });
      console.log(JSON.stringify(process.getActiveResourcesInfo()));
    `;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 30_000,
    });
    const resources = JSON.parse((await run).stdout) as string[];
    expect(resources.filter((name) => /worker|messageport/i.test(name))).toEqual([]);
  });

  it('can be a browser: the bundle imports nothing from Node and proves with web globals only', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `export * from './prover/prover.js'; export * from './phone.js'; export * from './field.js';`,
        resolveDir: fileURLToPath(new URL('../dist/', import.meta.url)),
      },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'zk',
      write: false,
    });
    const context = vm.createContext({
      WebAssembly: Reflect.get(globalThis, 'WebAssembly'),
      crypto: webcrypto,
      TextEncoder,
      atob,
      wasm,
      zkey,
    });
    vm.runInContext(outputFiles[0]!.text, context);
    const output = (await vm.runInContext(
      `(async () => {
        const { biometricSecret, salt, did } = zk.createIdentity();
        const prover = await zk.createProver({ wasm, zkey });
        return prover.prove({ biometricSecret, salt, didHash: zk.didHash(did) });
      })()`,
      context,
    )) as ProverOutput;
    const result = parseProof(structuredClone(output.proof), structuredClone(output.publicSignals));
    const verifier = await createVerifier(vkey);
    expect(result.ok && verifier.verify(result.parsed)).toBe(true);
  });
});
