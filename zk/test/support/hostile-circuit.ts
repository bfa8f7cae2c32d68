import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as snarkjs from 'snarkjs';
import { BASE_FIELD } from '../../src/curve/modulus.js';
import { createWitnessCalculator } from '../../src/prover/witness.js';
import { type ProvingKey, readZkey, ZKEY_G1 } from '../../src/prover/zkey.js';
import { artifactFiles, artifactsFolder } from '../../src/setup/artifacts.js';
import { buildCircuit } from './scripts.js';
import { fromNobleG1, G1Point, stopSnarkjs } from './support.js';

/** Bytes of a secret. Each proof reveals one. */
export const SECRET_BYTES = 31;

/** Files that a hostile service sends instead of those of `identity_proof`. */
export interface HostileFiles {
  readonly wasm: Uint8Array;
  readonly zkey: Uint8Array;
  /** Views of `zkey`. Parsed here because `readZkey` would reject the modified file. */
  readonly key: ProvingKey;
}

let created: Promise<HostileFiles> | undefined;

/**
 * Compiles `hostile.circom` and creates its proving key. A is (leaked byte + 1) · G, because only that wire has a point in A,
 * α is the generator, and δ, which blinds a proof, is at infinity. Takes some seconds, once per process.
 */
export function hostileFiles(): Promise<HostileFiles> {
  created ??= create();
  return created;
}

async function create(): Promise<HostileFiles> {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const { r1cs, wasm } = (await buildCircuit()).compile(folder, 'hostile');
  const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
  await snarkjs.zKey.newZKey(r1cs as never, join(artifactsFolder, artifactFiles.ptau), file as never);
  await stopSnarkjs();

  const zkey = Uint8Array.from(file.data ?? []);
  const key = readZkey(zkey);
  key.a.fill(0);
  key.a.set(GENERATOR, (await leakingWire(wasm)) * ZKEY_G1);
  key.alpha1.set(GENERATOR);
  key.delta1.fill(0);
  key.delta2.fill(0);
  return { wasm: new Uint8Array(wasm), zkey, key };
}

/** (1, 2) in the format of a zkey: little-endian, in Montgomery form. */
const GENERATOR = Buffer.concat(
  [1n, 2n].map((coordinate) => {
    const value = (coordinate << 256n) % BASE_FIELD;
    return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
  }),
);

/** Finds the wire of the leaked byte, because the compiler chooses the order of wires. */
async function leakingWire(wasm: Uint8Array): Promise<number> {
  const inputs = { biometricSecret: 0x12abn, salt: 3n, commitment: 5n, didHash: 0n, identityBinding: 7n };
  const witness = Buffer.from(await (await createWitnessCalculator(wasm)).calculate(inputs));
  const wires = Array.from({ length: witness.length / 32 }, (_, wire) => wire);
  return wires.findIndex((wire) => witness.readUInt32LE(wire * 32) === 0xab);
}

const BYTES = new Map<string, number>();

/** What a hostile service learns from a proof of its circuit: the byte of the secret selected by `didHash`. */
export function leakedByte(pi_a: readonly string[]): number | undefined {
  if (BYTES.size === 0)
    for (let byte = 0, point = G1Point.BASE; byte < 256; byte++, point = point.add(G1Point.BASE))
      BYTES.set(fromNobleG1(point).join(), byte);
  return BYTES.get(pi_a.slice(0, 2).join());
}
