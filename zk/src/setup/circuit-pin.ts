import { CIRCUITS } from '../generated/circuits.js';
import { findMismatch } from '../key-agreement.js';
import { sha256, toHex } from '../prover/sha256.js';
import { parseVerificationKey, type VerificationKey } from '../verifier/verification-key.js';

/** The files that the prover needs. */
export interface CircuitFiles {
  /** circom's witness generator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
}

/**
 * A circuit that the caller trusts instead of the pinned ones. Hard-code these values: they give no protection if they come
 * from the server that sends the files.
 */
export interface ExpectedCircuit {
  /** SHA-256 of the witness generator, 64 lower-case hex digits. */
  readonly wasmSha256: string;
  /** SHA-256 of the proving key, 64 lower-case hex digits. */
  readonly zkeySha256: string;
  /** The text of the verification key's file, as snarkjs writes it. Every proof is verified with this key. */
  readonly vkey: string;
}

/** The circuit's files, or a proof created with them, don't match the pinned or expected circuit. They were not used. */
export class CircuitNotPinnedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CircuitNotPinnedError';
  }
}

interface Pin {
  readonly wasmSha256: string;
  readonly zkeySha256: string;
  readonly vkey: VerificationKey;
}

/**
 * Compares files with the circuits that this build pins, or with the one that the caller expects.
 * @returns copies of the compared files, so that later changes have no effect, and the key that verifies their proofs
 * @throws CircuitNotPinnedError if they differ, or if the proving key doesn't match the verification key
 * @throws TypeError if `expected` is malformed
 */
export function checkCircuit(
  files: CircuitFiles,
  expected?: ExpectedCircuit,
): CircuitFiles & { readonly vkey: VerificationKey } {
  const [wasm, zkey] = [copy(files.wasm), copy(files.zkey)];
  const pins: readonly Pin[] = expected === undefined ? CIRCUITS : [readExpected(expected)];
  const [wasmSha256, zkeySha256] = [toHex(sha256(wasm)), toHex(sha256(zkey))];
  const pin = pins.find((each) => each.wasmSha256 === wasmSha256 && each.zkeySha256 === zkeySha256);
  if (pin === undefined)
    throw new CircuitNotPinnedError(
      `The circuit's files are not ${expected ? 'the expected ones' : 'those of a pinned circuit'}: the witness generator has ` +
        `SHA-256 ${wasmSha256}, the proving key ${zkeySha256}. They were not used.`,
    );
  const problem = findProblem(zkey, pin.vkey);
  if (problem !== undefined) throw new CircuitNotPinnedError(`The proving key can't be used: ${problem}.`);
  return { wasm, zkey, vkey: pin.vkey };
}

/** The slice matters: if a caller passes an ArrayBuffer, `new Uint8Array` returns a view of it. */
const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes).slice();

function readExpected({ wasmSha256, zkeySha256, vkey }: ExpectedCircuit): Pin {
  for (const [name, hash] of Object.entries({ wasmSha256, zkeySha256 }))
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
      throw new TypeError(`expected.${name} must be 64 lower-case hex digits`);
  try {
    return { wasmSha256, zkeySha256, vkey: parseVerificationKey(vkey) };
  } catch (cause) {
    throw new TypeError('expected.vkey must be the text of a valid verification key', { cause });
  }
}

function findProblem(zkey: Uint8Array, vkey: VerificationKey): string | undefined {
  try {
    const differs = findMismatch(zkey, vkey);
    return differs && `its ${differs} differs from the verification key's`;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
