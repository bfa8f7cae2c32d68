/**
 * The phone's part: secrets, commitments and proofs. Apart from the client, so that a server never loads it. Runs wherever
 * WebAssembly does; a proof blocks its thread for some 50 ms, so on a page call it from a web worker.
 *
 * @example
 * const identity = createIdentity();
 * const prover = await createProver(await fetchArtifacts(svc));
 * await svc.identity.verify(await prover.proveVerify(identity, await svc.identity.createNonce()));
 */

import { boundSignal, didHash, pairingBind, registrationBind, verifyBind } from '@svc/zk/field';
import { createIdentity as newIdentity } from '@svc/zk/phone';
import { createProver as newProver } from '@svc/zk/prover/prover';
import { sha256, toHex } from '@svc/zk/prover/sha256';
import { CircuitNotPinnedError, checkCircuit } from '@svc/zk/setup/circuit-pin';
import type { EnrolledAt, PairingCode } from './codecs/pairing-code.js';
import { readPairingCode } from './codecs/pairing-code.js';
import type { Groth16Proof } from './generated/api.js';
import type { RegistrationChallenge } from './resources/registrations.js';
import type { Svc } from './sdk.js';
import { SvcError } from './transport/errors.js';
import type { Environment } from './transport/options.js';

/** What a phone keeps for one base URL, tenant and environment; `biometricSecret` and `salt` never leave it. */
export interface PhoneIdentity {
  /** 248 random bits, to be kept behind the phone's biometric lock. */
  readonly biometricSecret: bigint;
  /** 248 random bits. */
  readonly salt: bigint;
  /** 64 lower-case hex digits: what is registered. */
  readonly commitment: string;
  /** `did:svc:` and the hex SHA-256 of the commitment's text. */
  readonly did: string;
}

/** The circuit's files, wherever they come from: what is not pinned or expected is never run. */
export interface Artifacts {
  /** circom's witness generator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
}

/**
 * A circuit that you trust in place of those that this package knows, for a service with keys of its own ceremony. Write
 * the values into your code. Taken from the service that sends the files, they protect against nothing.
 */
export interface ExpectedCircuit {
  /** SHA-256 of the witness generator, 64 lower-case hex digits. */
  readonly wasmSha256: string;
  /** SHA-256 of the proving key, 64 lower-case hex digits. */
  readonly zkeySha256: string;
  /** The text of `identity_proof.vkey.json`. Every proof is verified under this key before you get it. */
  readonly vkey: string;
}

export interface CircuitOptions {
  readonly expected?: ExpectedCircuit | undefined;
}

/** A proof with its signals: commitment, didHash bound to its use, identityBinding; in decimal. */
export interface ProofWithSignals {
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly [string, string, string];
}

/** The body of a verification. */
export interface VerifyBody extends ProofWithSignals {
  readonly did: string;
  readonly nonce: string;
  readonly timestamp: number;
}

/** The body of a pairing's submit, and the session that it is for. */
export interface PairingProof extends ProofWithSignals {
  readonly sessionId: string;
  readonly did: string;
}

/** What `svc.identity.createNonce()` answers. */
export interface VerifyChallenge {
  readonly nonce: string;
  /** Unix milliseconds; the server's. */
  readonly timestamp: number;
  readonly tenantId: string;
  readonly environment: Environment;
}

/**
 * Make one and keep it: its tables, some 2 MB, are not given back. Its running time depends on the secrets: prove on their
 * owner's device. A proof that doesn't verify is discarded, with `circuit_not_pinned`.
 */
export interface IdentityProver {
  /** For `svc.identity.verify`. */
  proveVerify(identity: PhoneIdentity, challenge: VerifyChallenge): Promise<VerifyBody>;
  /**
   * For `svc.pairing.submitProof`, from the text of a pairing's QR code.
   * @throws SvcError `foreign_code` when the code is of another service, account or environment than the phone's
   */
  provePairing(identity: PhoneIdentity, code: string, enrolledAt: EnrolledAt): Promise<PairingProof>;
  /** For `svc.registrations.takePart`. */
  proveRegistration(identity: PhoneIdentity, challenge: RegistrationChallenge): Promise<ProofWithSignals>;
}

/**
 * A fresh identity from the platform's CSPRNG. Make one for each base URL, tenant and environment: a commitment used twice
 * would identify its owner across them.
 */
export const createIdentity = (): PhoneIdentity => newIdentity();

/**
 * @throws SvcError `circuit_not_pinned` when the files are not those of a circuit that this package knows, or of the
 * expected one; they are not run
 * @throws SvcError `invalid_options` when `expected` is malformed
 */
export async function createProver(
  artifacts: Artifacts,
  { expected }: CircuitOptions = {},
): Promise<IdentityProver> {
  const prover = await newProver(artifacts, { expected }).catch(rethrow(expected));
  const prove = ({ biometricSecret, salt, did }: PhoneIdentity, bind: bigint): Promise<ProofWithSignals> =>
    prover
      .prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) })
      .catch(rethrow(expected));
  return {
    async proveVerify(identity, { nonce, timestamp, tenantId, environment }) {
      const bind = verifyBind({ tenantId, environment, nonce, timestampMs: timestamp });
      return { did: identity.did, ...(await prove(identity, bind)), nonce, timestamp };
    },
    async provePairing(identity, code, enrolledAt) {
      const { sessionId, nonce }: PairingCode = readPairingCode(code, enrolledAt);
      const { tenantId, environment } = enrolledAt;
      const bind = pairingBind({ tenantId, environment, sessionId, nonce });
      return { sessionId, did: identity.did, ...(await prove(identity, bind)) };
    },
    proveRegistration: (identity, { tenantId, environment, sessionId, challengeNonce }) =>
      prove(identity, registrationBind({ tenantId, environment, sessionId, challengeNonce })),
  };
}

/**
 * The circuit's files from the service, some 600 KB; cache them under their paths, which never name other files. The API
 * key needs the scope `zkp:verify`. A phone without such a key takes the files that come with this package.
 * @throws SvcError `circuit_not_pinned` when the service has files of another circuit than this package knows, or than is
 * expected
 * @throws SvcError `connection_cut` when what came is not what the service named
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
        refuseAltered(path, bytes);
    return rethrow(expected)(error);
  }
}

/** A path ends in the first 16 digits of its file's SHA-256. That tells a broken download from another circuit, no more. */
function refuseAltered(path: string, bytes: Uint8Array): void {
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
