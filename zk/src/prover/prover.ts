import { loadCurve } from '../curve/curve.js';
import { createMultiple } from '../curve/fixed-base.js';
import { assertScalar } from '../curve/modulus.js';
import { poseidon2, poseidon3 } from '../poseidon.js';
import {
  type CircuitFiles,
  CircuitNotPinnedError,
  checkCircuit,
  type ExpectedCircuit,
} from '../setup/circuit-pin.js';
import { createMclVerifier } from '../verifier/mcl-verifier.js';
import { type Groth16Proof, parseProof } from '../verifier/proof.js';
import { Groth16 } from './groth16.js';
import { createWitnessCalculator } from './witness.js';
import { readZkey } from './zkey.js';

/** The secrets behind a commitment, and the value to bind the proof to. Each is below r. */
export interface ProverInputs {
  readonly biometricSecret: bigint;
  readonly salt: bigint;
  /** The second public signal: `boundSignal(didHash(did), …Bind(…))`, or the bare `didHash` for deprecated endpoints. */
  readonly didHash: bigint;
}

/** A proof in the service's format. `publicSignals` are commitment, didHash and identityBinding, in decimal. */
export interface ProverOutput {
  readonly proof: Groth16Proof;
  readonly publicSignals: [string, string, string];
}

export interface Prover {
  /**
   * Proves knowledge of the secrets. Two proofs of the same inputs differ, and their points cannot be linked. Blocks its
   * thread for most of the time, so call it from a web worker in a page.
   * @throws RangeError for an input outside [0, r)
   * @throws CircuitNotPinnedError if the proof doesn't verify under the circuit's verification key; it is discarded
   */
  prove(inputs: ProverInputs): Promise<ProverOutput>;
}

/**
 * Creates a Groth16 prover for `identity_proof` from the files that the service publishes. A hostile circuit would reveal the
 * secret, so it runs only the circuits that this build pins, or the one in `expected`. It verifies every proof before
 * returning it.
 *
 * Needs WebAssembly and `crypto.getRandomValues`, and starts no worker. Create one and reuse it, because its tables, under
 * 2 MB, are never freed. After each proof it wipes the witness and every scalar derived from it. It can't erase the bigints
 * that the caller passes in. Running time depends on the secrets, so prove on the owner's device only.
 * @throws CircuitNotPinnedError if the files don't belong to a pinned circuit, or to the expected one
 * @throws TypeError if `expected` is malformed, or its key doesn't have three public signals
 * @throws Error if `expected` names a file that isn't a witness generator over BN254's scalar field
 */
export async function createProver(
  files: CircuitFiles,
  { expected }: { readonly expected?: ExpectedCircuit | undefined } = {},
): Promise<Prover> {
  const { wasm, zkey, vkey } = checkCircuit(files, expected);
  const key = readZkey(zkey);
  if (key.publicSignals !== 3) throw new TypeError('zkey: not a key of identity_proof');
  const [curve, witnesses, verifier] = await Promise.all([
    loadCurve(),
    createWitnessCalculator(wasm),
    // Not a kernel: mcl is loaded anyway, and to download and start a kernel takes longer than it saves in a few proofs.
    createMclVerifier(vkey, createMultiple),
  ]);
  const engine = new Groth16(curve, key);
  return {
    async prove({ biometricSecret, salt, didHash }) {
      const commitment = poseidon2(assertScalar(biometricSecret), assertScalar(salt));
      const identityBinding = poseidon3(biometricSecret, salt, assertScalar(didHash));
      const witness = await witnesses.calculate({
        biometricSecret,
        salt,
        commitment,
        didHash,
        identityBinding,
      });
      const publicSignals: ProverOutput['publicSignals'] = [
        String(commitment),
        String(didHash),
        String(identityBinding),
      ];
      let proof: Groth16Proof;
      try {
        proof = engine.prove(witness);
      } finally {
        witness.fill(0);
      }
      const read = parseProof(proof, publicSignals);
      if (!read.ok || !verifier.verify(read.parsed))
        throw new CircuitNotPinnedError(
          'The proof does not verify under the verification key. It was discarded.',
        );
      return { proof, publicSignals };
    },
  };
}
