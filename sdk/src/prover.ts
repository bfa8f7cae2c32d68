/**
 * The phone's part: secrets, commitments and proofs. Separate from the client, so a server never loads it. Needs WebAssembly.
 * A proof blocks its thread for about 50 ms, so call it from a web worker in a page.
 *
 * @example
 * const identity = createIdentity();
 * const prover = await createProver(await fetchArtifacts(svc));
 * await svc.identity.verify(await prover.proveVerify(identity, await svc.identity.createNonce()));
 */

import { evidenceHash as hashOf } from '@svc/zk/attestation';
import {
  boundSignal,
  didHash,
  pairingBind,
  pairingDeclineBind,
  registrationBind,
  verifyBind,
} from '@svc/zk/field';
import { createIdentity as newIdentity } from '@svc/zk/phone';
import { createProver as newProver } from '@svc/zk/prover/prover';
import { sha256, toHex } from '@svc/zk/prover/sha256';
import { CircuitNotPinnedError, checkCircuit } from '@svc/zk/setup/circuit-pin';
import type { EnrolledAt, PairingCode } from './codecs/pairing-code.js';
import { readPairingCode } from './codecs/pairing-code.js';
import { type IdentityProofs, identityProofs } from './identity-proofs.js';
import type { PhoneIdentity, ProofWithSignals, VerifyBody } from './phone-identity.js';
import type { RegistrationChallenge } from './resources/registrations.js';
import type { Svc } from './sdk.js';
import { SvcError } from './transport/errors.js';
import type { Environment } from './transport/options.js';

export {
  type AssertedProof,
  type AttestedPlace,
  type AttestedPurpose,
  assertionDigest,
  enrolmentDigest,
} from './attestation.js';
export type { ApprovalStatement } from './generated/api.js';
export {
  commitToIdentity,
  createRandom,
  type DecisionChoice,
  digitsToExpect,
  digitsToShow,
  type IdentityProofs,
  type JoinProof,
  type PhoneProof,
  type PhoneUse,
} from './identity-proofs.js';
export type { PhoneIdentity, ProofWithSignals, VerifyBody } from './phone-identity.js';
export { readStatement, statementDigest } from './statements.js';

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

/** The proof of a pairing's decline, with its session. */
export interface PairingDeclineProof extends ProofWithSignals {
  readonly sessionId: string;
  readonly did: string;
}

/** The body of a pairing's submit, with its session. */
export interface PairingProof extends PairingDeclineProof {
  /** The number that the proof is bound to. Absent if the session asks for none. */
  readonly matchCode?: string;
}

export interface PairingProofOptions {
  /** The two digits that the desktop shows, as the person typed them. Required if the session asks for a number. */
  readonly matchCode?: string | undefined;
}

/** The response of `svc.identity.createNonce()`. */
export interface VerifyChallenge {
  readonly nonce: string;
  /** The server's time in Unix milliseconds. */
  readonly timestamp: number;
  readonly tenantId: string;
  readonly environment: Environment;
}

/**
 * Create one and reuse it: its tables, about 2 MB, are never freed. Its running time depends on the secrets, so prove on the
 * owner's device only. A proof that doesn't verify is discarded with `circuit_not_pinned`.
 */
export interface IdentityProver extends IdentityProofs {
  /** For `svc.identity.verify`. */
  proveVerify(identity: PhoneIdentity, challenge: VerifyChallenge): Promise<VerifyBody>;
  /**
   * For `svc.phone.pairing.submit`, from the text of a pairing's QR code.
   * @throws SvcError `foreign_code` if the code belongs to another service, account or environment than the phone's
   */
  provePairing(
    identity: PhoneIdentity,
    code: string,
    enrolledAt: EnrolledAt,
    options?: PairingProofOptions,
  ): Promise<PairingProof>;
  /**
   * For `svc.phone.pairing.decline`, from the text of a pairing's QR code. It shows that a registered person declined, and can't be
   * used to approve.
   * @throws SvcError `foreign_code` like `provePairing`
   */
  provePairingDecline(
    identity: PhoneIdentity,
    code: string,
    enrolledAt: EnrolledAt,
  ): Promise<PairingDeclineProof>;
  /** For `svc.registrations.takePart`. Bound to the attestation key of the challenge, if it has one. */
  proveRegistration(identity: PhoneIdentity, challenge: RegistrationChallenge): Promise<ProofWithSignals>;
}

/**
 * Creates an identity from the platform's CSPRNG. Create one for each base URL, tenant and environment: reusing a commitment
 * would identify its owner across them.
 */
export const createIdentity = (): PhoneIdentity => newIdentity();

/** The same identity with a new secret, for `proveRotate`. Its DID stays, so it no longer follows from the commitment. */
export const renewIdentity = ({ did }: Pick<PhoneIdentity, 'did'>): PhoneIdentity => ({
  ...newIdentity(),
  did,
});

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
  const prove = ({ biometricSecret, salt, did }: PhoneIdentity, bind: bigint): Promise<ProofWithSignals> =>
    prover
      .prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) })
      .catch(rethrow(expected));
  return {
    ...identityProofs(prove),
    async proveVerify(identity, { nonce, timestamp, tenantId, environment }) {
      const bind = verifyBind({ tenantId, environment, nonce, timestampMs: timestamp });
      return { did: identity.did, ...(await prove(identity, bind)), nonce, timestamp };
    },
    async provePairing(identity, code, enrolledAt, { matchCode } = {}) {
      const { sessionId, nonce }: PairingCode = readPairingCode(code, enrolledAt);
      const { tenantId, environment } = enrolledAt;
      const bind = pairingBind({ tenantId, environment, sessionId, nonce, matchCode });
      const number = matchCode === undefined ? {} : { matchCode };
      return { sessionId, did: identity.did, ...(await prove(identity, bind)), ...number };
    },
    async provePairingDecline(identity, code, enrolledAt) {
      const { sessionId, nonce }: PairingCode = readPairingCode(code, enrolledAt);
      const { tenantId, environment } = enrolledAt;
      const bind = pairingDeclineBind({ tenantId, environment, sessionId, nonce });
      return { sessionId, did: identity.did, ...(await prove(identity, bind)) };
    },
    proveRegistration(identity, { tenantId, environment, sessionId, challengeNonce, attestation }) {
      const evidenceHash = attestation && hashOf(attestation.evidence);
      const bound = { tenantId, environment, sessionId, challengeNonce, evidenceHash };
      return prove(identity, registrationBind(bound));
    },
  };
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
