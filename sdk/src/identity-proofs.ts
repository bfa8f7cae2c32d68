import { readStatement, statementDigest } from '@svc/zk/approvals/statement';
import { attachedHash } from '@svc/zk/attestation';
import {
  addBind,
  approveBind,
  approveDeclineBind,
  attestBind,
  browsersBind,
  contestBind,
  forgetBrowserBind,
  identitiesBind,
  inboxBind,
  joinBind,
  rendezvousBind,
  revokeBind,
  rotateBind,
} from '@svc/zk/field';
import { hashOfA } from '@svc/zk/rendezvous';
import type {
  ApprovalDecideParams,
  ApprovalStatement,
  AttestationEvidenceParams,
  AttestationKeyCreateParams,
  Groth16Proof,
} from './generated/api.js';
import type { PhoneIdentity, ProofWithSignals, VerifyBody } from './phone-identity.js';
import type { ByPhone } from './resources/phone/identities.js';
import type { Environment } from './transport/options.js';

/** One use of a phone's proofs: the account, a nonce that is used once, and the time. `svc.phone.createUse` makes one. */
export interface PhoneUse {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly nonce: string;
  /** Unix milliseconds. */
  readonly timestamp: number;
}

/** A proof with its use, as the phone's endpoints without an API key accept it. */
export type PhoneProof = VerifyBody & Pick<PhoneUse, 'tenantId' | 'environment'>;

/** A new secret's proof that it joins the person of an identity in force. */
export interface JoinProof {
  readonly newDid: string;
  readonly newCommitment: string;
  readonly newProof: Groth16Proof;
  readonly newPublicSignals: readonly [string, string, string];
}

/** The phone's proofs about its person's identities. Each is valid for its purpose only. */
export interface IdentityProofs {
  /** For `svc.phone.additions.open`. `a` is what `createRandom` drew; keep it. */
  proveRendezvous(
    identity: PhoneIdentity,
    use: PhoneUse,
    a: string,
  ): Promise<PhoneProof & { readonly aHash: string }>;
  /** By the new phone, for `svc.phone.additions.answer`: it joins the person of `did`. */
  proveJoin(joining: PhoneIdentity, use: PhoneUse, did: string): Promise<JoinProof>;
  /** By the phone in force, for `svc.phone.identity.add` and `svc.identity.add`: it adds what `proveJoin` returned for the same use. */
  proveAdd(identity: PhoneIdentity, use: PhoneUse, joined: JoinProof): Promise<PhoneProof & JoinProof>;
  /** For `svc.phone.identity.rotate` and `svc.identity.rotate`. `renewed` is what `renewIdentity` returned; store it first. */
  proveRotate(
    identity: PhoneIdentity,
    renewed: PhoneIdentity,
    use: PhoneUse,
  ): Promise<PhoneProof & Omit<JoinProof, 'newDid'>>;
  /** For `svc.phone.identity.revoke`. `did` is the phone's own, or another one of its person. */
  proveRevoke(
    identity: PhoneIdentity,
    use: PhoneUse,
    did: string,
  ): Promise<PhoneProof & { readonly revoke: string }>;
  /** For `svc.phone.identity.list`. */
  proveIdentities(identity: PhoneIdentity, use: PhoneUse): Promise<PhoneProof>;
  /** For `svc.phone.approvals.list`. */
  proveInbox(identity: PhoneIdentity, use: PhoneUse): Promise<PhoneProof>;
  /**
   * For `svc.phone.approvals.decide`. The digest is computed from the statement: show all of it, exactly as it is, before the person decides.
   * `decidedAt` is the service's time.
   */
  proveDecision(
    identity: PhoneIdentity,
    statement: ApprovalStatement,
    choice: DecisionChoice,
  ): Promise<ApprovalDecideParams & { readonly approvalId: string }>;
  /** For `svc.phone.browsers.list`. */
  proveBrowsers(identity: PhoneIdentity, use: PhoneUse): Promise<PhoneProof>;
  /** For `svc.phone.browsers.forget`. */
  proveForgetBrowser(
    identity: PhoneIdentity,
    use: PhoneUse,
    browserId: string,
  ): Promise<PhoneProof & { readonly browserId: string }>;
  /**
   * For `svc.phone.attestation.createKey`: a new key with its evidence, made for the challenge of `svc.phone.attestation.createChallenge`. To
   * replace a key, add `attestation` to what this returns: an assertion by the old key with purpose `attest` and the challenge as subject.
   */
  proveAttestation(
    identity: PhoneIdentity,
    place: Pick<PhoneUse, 'tenantId' | 'environment'>,
    key: AttestationEvidenceParams & { readonly challenge: string },
  ): Promise<ByPhone<AttestationKeyCreateParams>>;
  /** For `svc.phone.recoveries.contest`. */
  proveContest(
    identity: PhoneIdentity,
    use: PhoneUse,
    recoveryId: string,
  ): Promise<PhoneProof & { readonly recoveryId: string }>;
}

/** What the person chose, and when by the service's time in Unix milliseconds. */
export interface DecisionChoice {
  readonly decision: 'approve' | 'decline';
  readonly decidedAt: number;
  /** The number that the person typed, if the statement's `match` is `type`. */
  readonly matchCode?: string;
  /** With a decline. */
  readonly reason?: 'not_me' | 'mistake' | 'no';
}

type Prove = (identity: PhoneIdentity, bind: bigint) => Promise<ProofWithSignals>;

/** @internal The proof of a use by a prover. */
export const proofsOfUse =
  (prove: Prove) =>
  async (identity: PhoneIdentity, use: PhoneUse, bind: bigint): Promise<PhoneProof> => {
    const { tenantId, environment, nonce, timestamp } = use;
    return { tenantId, environment, did: identity.did, ...(await prove(identity, bind)), nonce, timestamp };
  };

/** @internal The proofs of a prover. */
export function identityProofs(prove: Prove): IdentityProofs {
  const bound = ({ timestamp, ...use }: PhoneUse) => ({ ...use, timestampMs: timestamp });
  const proved = proofsOfUse(prove);
  const join = async (joining: PhoneIdentity, use: PhoneUse, did: string): Promise<JoinProof> => {
    const { did: newDid, commitment: newCommitment } = joining;
    const { proof, publicSignals } = await prove(joining, joinBind({ ...bound(use), did, newCommitment }));
    return { newDid, newCommitment, newProof: proof, newPublicSignals: publicSignals };
  };
  return {
    async proveRendezvous(identity, use, a) {
      const aHash = hashOfA(a);
      return { ...(await proved(identity, use, rendezvousBind({ ...bound(use), aHash }))), aHash };
    },
    proveJoin: join,
    async proveAdd(identity, use, { newDid, newCommitment, newProof, newPublicSignals }) {
      const own = await proved(identity, use, addBind({ ...bound(use), newDid, newCommitment }));
      return { ...own, newDid, newCommitment, newProof, newPublicSignals };
    },
    async proveRotate(identity, renewed, use) {
      const { newDid: _, ...joined } = await join(renewed, use, identity.did);
      const { newCommitment } = joined;
      return { ...(await proved(identity, use, rotateBind({ ...bound(use), newCommitment }))), ...joined };
    },
    async proveRevoke(identity, use, did) {
      return {
        ...(await proved(identity, use, revokeBind({ ...bound(use), revokedDid: did }))),
        revoke: did,
      };
    },
    proveIdentities: (identity, use) => proved(identity, use, identitiesBind(bound(use))),
    proveInbox: (identity, use) => proved(identity, use, inboxBind(bound(use))),
    async proveDecision(identity, statement, { decision, decidedAt, matchCode, reason }) {
      const { tenantId, environment, approvalId } = statement;
      const digest = statementDigest(readStatement(statement));
      const fields = { tenantId, environment, approvalId, digest, decidedAtMs: decidedAt, matchCode };
      const bind = decision === 'approve' ? approveBind(fields) : approveDeclineBind({ ...fields, reason });
      return {
        ...{ approvalId, did: identity.did, decision, digest, decidedAt },
        ...(await prove(identity, bind)),
        ...(matchCode !== undefined && { matchCode }),
        ...(decision === 'decline' && reason !== undefined && { reason }),
      };
    },
    proveBrowsers: (identity, use) => proved(identity, use, browsersBind(bound(use))),
    async proveForgetBrowser(identity, use, browserId) {
      return {
        ...(await proved(identity, use, forgetBrowserBind({ ...bound(use), browserId }))),
        browserId,
      };
    },
    async proveAttestation(identity, { tenantId, environment }, { challenge, platform, keyId, evidence }) {
      const bind = attestBind({ tenantId, environment, attachedHash: attachedHash(challenge, evidence) });
      const key = { challenge, platform, evidence, ...(keyId !== undefined && { keyId }) };
      return { tenantId, environment, did: identity.did, ...key, ...(await prove(identity, bind)) };
    },
    async proveContest(identity, use, recoveryId) {
      return { ...(await proved(identity, use, contestBind({ ...bound(use), recoveryId }))), recoveryId };
    },
  };
}
