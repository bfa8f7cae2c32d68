import { evidenceHash as hashOf } from '@svc/zk/attestation';
import {
  boundSignal,
  didHash,
  pairingBind,
  pairingDeclineBind,
  registrationBind,
  verifyBind,
} from '@svc/zk/field';
import type { Prover } from '@svc/zk/prover/prover';
import { type EnrolledAt, type PairingCode, readPairingCode } from './codecs/pairing-code.js';
import { type IdentityProofs, identityProofs, proofsOfUse } from './identity-proofs.js';
import type { PhoneIdentity, ProofWithSignals, VerifyBody } from './phone-identity.js';
import type { RegistrationChallenge } from './resources/registrations.js';
import { type TimeProofs, timeProofs } from './time/proofs.js';
import type { Environment } from './transport/options.js';

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
export interface IdentityProver extends IdentityProofs, TimeProofs {
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

/** @internal The proofs of a phone by whatever proves. */
export function proofsBy(proveWitness: Prover['prove']): IdentityProver {
  const prove = ({ biometricSecret, salt, did }: PhoneIdentity, bind: bigint): Promise<ProofWithSignals> =>
    proveWitness({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });
  return {
    ...identityProofs(prove),
    ...timeProofs(prove, proofsOfUse(prove)),
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
