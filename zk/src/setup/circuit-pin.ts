import { CIRCUITS } from '../generated/circuits.js';
import { disagreement } from '../key-agreement.js';
import { sha256, toHex } from '../prover/sha256.js';
import { parseVerificationKey, type VerificationKey } from '../verifier/verification-key.js';

/** What a proof is made with. */
export interface CircuitFiles {
  /** circom's witness generator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
}

/**
 * A circuit that the caller trusts in place of the pinned ones. Its values belong in the caller's code: taken from the
 * server that sends the files, they protect against nothing.
 */
export interface ExpectedCircuit {
  /** SHA-256 of the witness generator, 64 lower-case hex digits. */
  readonly wasmSha256: string;
  /** SHA-256 of the proving key, 64 lower-case hex digits. */
  readonly zkeySha256: string;
  /** The text of the verification key's file, as snarkjs writes it. Every proof is verified under it. */
  readonly vkey: string;
}

/** The circuit's files, or a proof made with them, are not what is pinned or expected. Nothing of them was used. */
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
 * @returns copies of what was compared, so that nobody can change it afterwards, and the key that verifies its proofs
 * @throws CircuitNotPinnedError when they differ, or the proving key is not the verification key's
 * @throws TypeError when `expected` is malformed
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
  const fault = faultOf(zkey, pin.vkey);
  if (fault !== undefined) throw new CircuitNotPinnedError(`The proving key can't be used: ${fault}.`);
  return { wasm, zkey, vkey: pin.vkey };
}

/** Twice, for the first is a view where somebody passes an ArrayBuffer. */
const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes).slice();

function readExpected({ wasmSha256, zkeySha256, vkey }: ExpectedCircuit): Pin {
  for (const [name, hash] of Object.entries({ wasmSha256, zkeySha256 }))
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
      throw new TypeError(`expected.${name} must be 64 lower-case hex digits`);
  try {
    return { wasmSha256, zkeySha256, vkey: parseVerificationKey(vkey) };
  } catch (cause) {
    throw new TypeError('expected.vkey must be the text of a sound verification key', { cause });
  }
}

function faultOf(zkey: Uint8Array, vkey: VerificationKey): string | undefined {
  try {
    const differs = disagreement(zkey, vkey);
    return differs && `it has another ${differs} than the verification key`;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
