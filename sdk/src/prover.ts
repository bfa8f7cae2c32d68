/**
 * The phone's part: secrets, commitments and proofs. Separate from the client, so a server never loads it. Needs WebAssembly.
 * A proof blocks its thread for about 50 ms, so call it from a web worker in a page.
 *
 * @example
 * const identity = createIdentity();
 * const prover = await createProver(await fetchArtifacts(svc));
 * await svc.identity.verify(await prover.proveVerify(identity, await svc.identity.createNonce()));
 */

import { createProver as newProver } from '@svc/zk/prover/prover';
import { sha256, toHex } from '@svc/zk/prover/sha256';
import { CircuitNotPinnedError, checkCircuit } from '@svc/zk/setup/circuit-pin';
import { type IdentityProver, proofsBy } from './identity-prover.js';
import type { Svc } from './sdk.js';
import { SvcError } from './transport/errors.js';

export {
  type AssertedProof,
  type AttestedPlace,
  type AttestedPurpose,
  assertionDigest,
  enrolmentDigest,
} from './attestation.js';
export type { ApprovalStatement } from './generated/api.js';
export type { DecisionChoice, IdentityProofs, JoinProof, PhoneProof, PhoneUse } from './identity-proofs.js';
export type {
  IdentityProver,
  PairingDeclineProof,
  PairingProof,
  PairingProofOptions,
  VerifyChallenge,
} from './identity-prover.js';
export { commitToIdentity, digitsToExpect, digitsToShow } from './phone/digits.js';
export { phoneProver, type SecretFormat } from './phone/prover.js';
export { createRandom } from './phone/random.js';
export {
  createIdentity,
  type PhoneIdentity,
  type ProofWithSignals,
  renewIdentity,
  type VerifyBody,
} from './phone-identity.js';
export { readStatement, statementDigest } from './statements.js';
export type { CorrectionChoice, TimeProofs } from './time/proofs.js';
export {
  type AttendanceStatement,
  attendanceDigest,
  correctionDigest,
  correctionSha256,
  type PunchChoice,
  type ShownCorrection,
  statementOf,
} from './time/statements.js';

/** The circuit's files, from any source. Files that are not pinned or expected are never run. */
export interface Artifacts {
  /** circom's witness generator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
}

/**
 * A circuit that you trust instead of the ones in this package, for a service with keys from its own ceremony. Hard-code the
 * values: they give no protection if they come from the service that sends the files.
 */
export interface ExpectedCircuit {
  /** SHA-256 of the witness generator, 64 lower-case hex digits. */
  readonly wasmSha256: string;
  /** SHA-256 of the proving key, 64 lower-case hex digits. */
  readonly zkeySha256: string;
  /** The text of `identity_proof.vkey.json`. Every proof is verified with this key before it is returned. */
  readonly vkey: string;
}

export interface CircuitOptions {
  readonly expected?: ExpectedCircuit | undefined;
}

/**
 * @throws SvcError `circuit_not_pinned` if the files belong neither to a circuit in this package nor to the expected one; they
 * are not run
 * @throws SvcError `invalid_options` if `expected` is malformed
 */
export async function createProver(
  artifacts: Artifacts,
  { expected }: CircuitOptions = {},
): Promise<IdentityProver> {
  const prover = await newProver(artifacts, { expected }).catch(rethrow(expected));
  return proofsBy((witness) => prover.prove(witness).catch(rethrow(expected)));
}

/**
 * Downloads the circuit's files from the service, about 600 KB. Cache them by path: the files at a path never change. The API
 * key needs the scope `zkp:verify`. A phone without such a key can use the files that come with this package.
 * @throws SvcError `circuit_not_pinned` if the service's circuit is neither in this package nor the expected one
 * @throws SvcError `connection_cut` if a download doesn't have the hash in its path
 */
export async function fetchArtifacts(
  svc: Svc,
  { signal, expected }: CircuitOptions & { readonly signal?: AbortSignal } = {},
): Promise<Artifacts> {
  const options = signal && { signal };
  const { wasmPath, zkeyPath } = await svc.identity.getCircuitInfo(options);
  const [wasm, zkey] = await Promise.all([svc.download(wasmPath, options), svc.download(zkeyPath, options)]);
  try {
    const checked = checkCircuit({ wasm, zkey }, expected);
    return { wasm: checked.wasm, zkey: checked.zkey };
  } catch (error) {
    if (error instanceof CircuitNotPinnedError)
      for (const [path, bytes] of [
        [wasmPath, wasm],
        [zkeyPath, zkey],
      ] as const)
        checkDownload(path, bytes);
    return rethrow(expected)(error);
  }
}

/** A path ends in the first 16 digits of its file's SHA-256. This only distinguishes a broken download from another circuit. */
function checkDownload(path: string, bytes: Uint8Array): void {
  const named = new URLSearchParams(path.split('?')[1]).get('v');
  if (named === null || named === toHex(sha256(bytes).subarray(0, 8))) return;
  throw new SvcError(
    'connection_cut',
    `${path.split('?', 1)[0]} was altered or cut short. Try again. If it keeps failing, look for a proxy that alters files.`,
  );
}

const rethrow =
  (expected: ExpectedCircuit | undefined) =>
  (cause: unknown): never => {
    if (cause instanceof CircuitNotPinnedError)
      throw new SvcError(
        'circuit_not_pinned',
        `${cause.message} Use the SDK of the service's version. If the service has keys of its own ceremony, pass them as \`expected\`.`,
        { cause },
      );
    if (cause instanceof TypeError && expected !== undefined)
      throw new SvcError('invalid_options', `${cause.message}.`, { cause });
    throw cause;
  };
