// @module-tag if-touched @proofs: makes real proofs of hostile circuits
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCurve } from '../src/curve/curve.js';
import { CIRCUITS } from '../src/generated/circuits.js';
import { createIdentity } from '../src/phone.js';
import { Groth16 } from '../src/prover/groth16.js';
import { createProver } from '../src/prover/prover.js';
import { createWitnessCalculator } from '../src/prover/witness.js';
import { readZkey } from '../src/prover/zkey.js';
import { type CircuitFiles, CircuitNotPinnedError, type ExpectedCircuit } from '../src/setup/circuit-pin.js';
import { createVerifier } from '../src/verifier/create-verifier.js';
import { parseProof } from '../src/verifier/proof.js';
import { type HostileFiles, hostileFiles, leakedByte, SECRET_BYTES } from './support/hostile-circuit.js';
import { artifact, sampleParsed, sha256Of } from './support/support.js';

const ours: CircuitFiles = { wasm: new Uint8Array(artifact('wasm')), zkey: new Uint8Array(artifact('zkey')) };
const vkey = artifact('vkey').toString('utf8');
const inputs = { biometricSecret: 1n, salt: 2n, didHash: 3n };

/** The expected circuit for these files and a verification key. */
const expecting = ({ wasm, zkey }: CircuitFiles, key = vkey): ExpectedCircuit => ({
  wasmSha256: sha256Of(wasm),
  zkeySha256: sha256Of(zkey),
  vkey: key,
});

/** Flips the last bit, which in a proving key belongs to the record of its contributions. */
const flipped = (file: Uint8Array): Uint8Array => file.with(-1, file.at(-1)! ^ 1);

/** The committed proving key with some of its bytes changed. */
function altered(change: (key: ReturnType<typeof readZkey>) => void): CircuitFiles {
  const zkey = ours.zkey.slice();
  change(readZkey(zkey));
  return { ...ours, zkey };
}

describe('a hostile circuit', () => {
  let hostile: HostileFiles;
  beforeAll(async () => {
    hostile = await hostileFiles();
  });

  it(`would reveal the whole secret in ${SECRET_BYTES} proofs, and no such proof verifies`, async () => {
    const { biometricSecret, salt } = createIdentity();
    const generator = await createWitnessCalculator(hostile.wasm);
    // The prover without its checks.
    const engine = new Groth16(await loadCurve(), hostile.key);
    const verifier = await createVerifier(CIRCUITS[0]!.vkey);
    let revealed = 0n;
    for (let at = 0; at < SECRET_BYTES; at++) {
      const signals = { commitment: 5n, didHash: BigInt(at), identityBinding: 7n };
      const proof = engine.prove(await generator.calculate({ biometricSecret, salt, ...signals }));
      revealed |= BigInt(leakedByte(proof.pi_a) ?? 0) << BigInt(8 * at);
      const read = parseProof(proof, Object.values(signals).map(String));
      expect(read.ok && verifier.verify(read.parsed)).toBe(false);
    }
    expect(revealed).toBe(biometricSecret);
  });

  it('is never run, even if only one of its files is hostile', async () => {
    for (const files of [hostile, { ...ours, wasm: hostile.wasm }, { ...ours, zkey: hostile.zkey }])
      await expect(createProver(files)).rejects.toThrow(CircuitNotPinnedError);
  });

  it('is not run even if its hashes are expected, together with an honest verification key', async () => {
    await expect(createProver(hostile, { expected: expecting(hostile) })).rejects.toThrow(
      'δ is the point at infinity',
    );
  });
});

describe('the circuit of the prover', () => {
  it('is the committed circuit, whose key verifies the published proof', async () => {
    expect(CIRCUITS.map(({ wasmSha256, zkeySha256 }) => [wasmSha256, zkeySha256])).toEqual([
      [sha256Of(ours.wasm), sha256Of(ours.zkey)],
    ]);
    expect((await createVerifier(CIRCUITS[0]!.vkey)).verify(sampleParsed())).toBe(true);
  });

  it.each(['wasm', 'zkey'] as const)('is rejected if one bit of its %s differs', async (name) => {
    await expect(createProver({ ...ours, [name]: flipped(ours[name]) })).rejects.toThrow(
      CircuitNotPinnedError,
    );
  });

  it('is copied when the prover is created, so later changes have no effect', async () => {
    const files = { wasm: ours.wasm.slice(), zkey: ours.zkey.slice() };
    const creating = createProver(files);
    files.wasm.fill(0);
    files.zkey.fill(0);
    expect((await (await creating).prove(inputs)).publicSignals).toHaveLength(3);
  });

  it('can be one that the caller expects, and then no other is accepted', async () => {
    const files = { ...ours, zkey: flipped(ours.zkey) };
    const prover = await createProver(files, { expected: expecting(files) });
    expect((await prover.prove(inputs)).publicSignals).toHaveLength(3);
    const hashes = expecting(ours);
    for (const expected of [
      { ...hashes, wasmSha256: hashes.zkeySha256 },
      { ...hashes, zkeySha256: hashes.wasmSha256 },
    ])
      await expect(createProver(ours, { expected })).rejects.toThrow(CircuitNotPinnedError);
  });

  it.each([
    ['wasmSha256', 'A'.repeat(64)],
    ['zkeySha256', undefined],
    ['vkey', '{}'],
    ['vkey', JSON.parse(vkey)],
  ])('rejects a malformed expected %s', async (name, value) => {
    const expected = { ...expecting(ours), [name]: value } as ExpectedCircuit;
    await expect(createProver(ours, { expected })).rejects.toThrow(`expected.${name}`);
  });

  it.each(['alpha1', 'beta1', 'beta2', 'gamma2', 'delta1', 'delta2'] as const)(
    'rejects %s at infinity or with a coordinate of q or more',
    async (name) => {
      for (const [byte, message] of [
        [0, 'is the point at infinity'],
        [0xff, 'has a coordinate of q or more'],
      ] as const) {
        const files = altered((key) => key[name].fill(byte));
        await expect(createProver(files, { expected: expecting(files) })).rejects.toThrow(message);
      }
    },
  );

  it('must have a proving key that matches the expected verification key', async () => {
    const files = altered(({ alpha1, ic }) => alpha1.set(ic.subarray(0, alpha1.length)));
    await expect(createProver(files, { expected: expecting(files) })).rejects.toThrow(
      'its α differs from the verification key',
    );
  });

  it('never returns a proof that does not verify', async () => {
    // H points are not part of the verification key, so only verifying a proof detects the change.
    const files = altered(({ h }) => h.copyWithin(0, 64));
    const prover = await createProver(files, { expected: expecting(files) });
    await expect(prover.prove(inputs)).rejects.toThrow(CircuitNotPinnedError);
  });
});
