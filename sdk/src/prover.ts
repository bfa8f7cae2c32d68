/**
 * The phone's part: secrets, commitments and proofs. Apart from the client, so that a server never loads it. Runs wherever
 * WebAssembly does; a proof blocks its thread for some 50 ms, so on a page call it from a web worker.
 *
 * @example
 * const identity = createIdentity();
 * const prover = await createProver(await fetchArtifacts(svc));
 * await svc.identity.verify(await prover.proveVerify(identity, await svc.identity.nonce()));
 */
import { boundSignal, didHash, pairingBind, registrationBind, verifyBind } from '@svc/zk/field';
import { createIdentity as newIdentity } from '@svc/zk/phone';
import { createProver as newProver } from '@svc/zk/prover';
import { sha256, toHex } from '@svc/zk/sha256';
import { SvcError } from './errors.js';
import type { Groth16Proof } from './generated/api.js';
import type { Environment } from './options.js';
import type { EnrolledAt, PairingCode } from './pairing-code.js';
import { readPairingCode } from './pairing-code.js';
import type { RegistrationChallenge } from './registrations.js';
import type { Svc } from './sdk.js';

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

/** The circuit's files, as the service publishes them. */
export interface Artifacts {
  /** circom's witness generator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
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

/** What `svc.identity.nonce()` answers. */
export interface VerifyChallenge {
  readonly nonce: string;
  /** Unix milliseconds; the server's. */
  readonly timestamp: number;
  readonly tenantId: string;
  readonly environment: Environment;
}

/** Make one and keep it: its tables, some 2 MB, are not given back. Its running time depends on the secrets: prove on their owner's device. */
export interface IdentityProver {
  /** For `svc.identity.verify`. */
  proveVerify(identity: PhoneIdentity, challenge: VerifyChallenge): Promise<VerifyBody>;
  /**
   * For `svc.pairing.submit`, from the text of a pairing's QR code.
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

/** @throws TypeError or Error when the files are not those of `identity_proof` */
export async function createProver(artifacts: Artifacts): Promise<IdentityProver> {
  const prover = await newProver(artifacts);
  const prove = ({ biometricSecret, salt, did }: PhoneIdentity, bind: bigint): Promise<ProofWithSignals> =>
    prover.prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });
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
 * The circuit's files from the service that will verify, some 600 KB; cache them under their paths, which never name other
 * files. The key needs the scope `zkp:verify`. A phone without such a key takes the files that come with this package.
 * @throws SvcError `connection_cut` when what came is not what the service named
 */
export async function fetchArtifacts(
  svc: Svc,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Artifacts> {
  const { wasmPath, zkeyPath } = await svc.identity.circuitInfo(options);
  const [wasm, zkey] = await Promise.all([wasmPath, zkeyPath].map((path) => fetchFile(svc, path, options)));
  return { wasm: wasm as Uint8Array, zkey: zkey as Uint8Array };
}

/** A path ends in the first 16 digits of its file's SHA-256. */
async function fetchFile(
  svc: Svc,
  path: string,
  options: { readonly signal?: AbortSignal },
): Promise<Uint8Array> {
  const bytes = await svc.download(path, options);
  const hex = toHex(sha256(bytes).subarray(0, 8));
  if (new URLSearchParams(path.split('?')[1]).get('v') === hex) return bytes;
  throw new SvcError(
    'connection_cut',
    `${path.split('?', 1)[0]} came altered or cut short. Try again; if it stays so, a proxy in between alters files.`,
  );
}
