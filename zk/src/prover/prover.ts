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
import { Groth16 } from '../verifier/groth16.js';
import { type Groth16Proof, parseProof } from '../verifier/proof.js';
import { createVerifier } from '../verifier/verifier.js';
import { createWitnessCalculator } from './witness.js';
import { readZkey } from './zkey.js';

/** The secrets behind a commitment, and what to bind the proof to; each below r. */
export interface ProverInputs {
  readonly biometricSecret: bigint;
  readonly salt: bigint;
  /** The second public signal: `boundSignal(didHash(did), …Bind(…))`, or the bare `didHash` for deprecated endpoints. */
  readonly didHash: bigint;
}

/** A proof as the service takes it. `publicSignals` are commitment, didHash and identityBinding, in decimal. */
export interface ProverOutput {
  readonly proof: Groth16Proof;
  readonly publicSignals: [string, string, string];
}

export interface Prover {
  /**
   * Proves knowledge of the secrets. Two proofs of the same inputs differ and cannot be linked by their points.
   * Blocks its thread for most of its time; on a page, call it from a web worker.
   * @throws RangeError for an input outside [0, r)
   * @throws CircuitNotPinnedError when the proof doesn't verify under the circuit's verification key; it is discarded
   */
  prove(inputs: ProverInputs): Promise<ProverOutput>;
}

/**
 * A Groth16 prover for `identity_proof`, from the files that the service publishes. It runs the circuits that this build
 * pins and no others, unless the caller names one in `expected`: a hostile circuit reveals the secret. Every proof is
 * verified before it is returned.
 *
 * Runs wherever WebAssembly and `crypto.getRandomValues` do, and starts no worker. Make one and keep it: its tables,
 * under 2 MB, are not given back. It wipes the witness and every scalar derived from it when a proof is done. The bigints
 * passed in are the caller's, and JavaScript cannot erase them. Running time depends on the secrets: prove on the owner's
 * device only.
 * @throws CircuitNotPinnedError when the files are not those of a pinned circuit, or of the expected one
 * @throws TypeError when `expected` is malformed, or names a key that doesn't have three public signals
 * @throws Error when `expected` names a file that is no witness generator over BN254's scalar field
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
    createVerifier(vkey, createMultiple),
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
