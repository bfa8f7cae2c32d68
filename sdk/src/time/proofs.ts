import {
  attendanceContestBind,
  attendanceListBind,
  attendancePinBind,
  attendBind,
  correctBind,
  correctDeclineBind,
  memberLinkBind,
} from '@svc/zk/field';
import { sha256Hex } from '@svc/zk/prover/sha256';
import type {
  PhoneCorrectionCreateParams,
  PhoneCorrectionDecideParams,
  PunchParams,
} from '../generated/api.js';
import type { PhoneProof, PhoneUse } from '../identity-proofs.js';
import type { PhoneIdentity, ProofWithSignals } from '../phone-identity.js';
import {
  type AttendanceStatement,
  attendanceDigest,
  correctionDigest,
  type ShownCorrection,
} from './statements.js';

/** What the person says to a correction, and when by the service's time in Unix milliseconds. */
export interface CorrectionChoice {
  readonly decision: 'agree' | 'contest';
  readonly decidedAt: number;
}

/** The phone's proofs about its person's working time. Each is valid for its purpose only. */
export interface TimeProofs {
  /** For `svc.phone.attendance.create`, with the `ticket` of the context. Show all of the statement before the person clocks in or out. */
  provePunch(identity: PhoneIdentity, statement: AttendanceStatement): Promise<Omit<PunchParams, 'ticket'>>;
  /** For `svc.phone.attendance.list`. `month` is YYYY-MM. */
  proveAttendance(
    identity: PhoneIdentity,
    use: PhoneUse,
    month: string,
  ): Promise<PhoneProof & { readonly month: string }>;
  /** For `svc.phone.attendance.contest`. */
  proveAttendanceContest(
    identity: PhoneIdentity,
    use: PhoneUse,
    attendanceId: string,
  ): Promise<PhoneProof & { readonly attendanceId: string }>;
  /** For `svc.phone.attendance.setPin`. `pin` is six digits. */
  proveAttendancePin(
    identity: PhoneIdentity,
    use: PhoneUse,
    pin: string,
  ): Promise<PhoneProof & { readonly pin: string }>;
  /** For `svc.phone.linkMember`, with the token that names this member. */
  proveMemberLink(identity: PhoneIdentity, use: PhoneUse, memberId: string): Promise<PhoneProof>;
  /** For `svc.phone.attendance.proposeCorrection`. */
  proveCorrection(identity: PhoneIdentity, shown: ShownCorrection): Promise<PhoneCorrectionCreateParams>;
  /** For `svc.phone.attendance.decideCorrection`. The digest is computed from the correction: show all of it before the person decides. */
  proveCorrectionDecision(
    identity: PhoneIdentity,
    shown: ShownCorrection,
    choice: CorrectionChoice,
  ): Promise<PhoneCorrectionDecideParams & { readonly correctionId: string }>;
}

/** @internal The proofs of a prover. */
export function timeProofs(
  prove: (identity: PhoneIdentity, bind: bigint) => Promise<ProofWithSignals>,
  proved: (identity: PhoneIdentity, use: PhoneUse, bind: bigint) => Promise<PhoneProof>,
): TimeProofs {
  const bound = ({ timestamp, ...use }: PhoneUse) => ({ ...use, timestampMs: timestamp });
  const answer = ({ tenant, environment, correctionId }: ShownCorrection, digest: string, at: number) => ({
    ...{ tenantId: tenant, environment, correctionId, digest, decidedAtMs: at },
  });
  return {
    async provePunch(identity, statement) {
      const { tenant: tenantId, environment, type, reason, activity, contract, nonce } = statement;
      const bind = attendBind({ tenantId, environment, nonce, digest: attendanceDigest(statement) });
      const own = { tenantId, environment, did: identity.did, ...(await prove(identity, bind)) };
      return { ...own, nonce, type, reason, activity, contract };
    },
    async proveAttendance(identity, use, month) {
      return { ...(await proved(identity, use, attendanceListBind({ ...bound(use), month }))), month };
    },
    async proveAttendanceContest(identity, use, attendanceId) {
      const bind = attendanceContestBind({ ...bound(use), attendanceId });
      return { ...(await proved(identity, use, bind)), attendanceId };
    },
    async proveAttendancePin(identity, use, pin) {
      const pinHash = sha256Hex(`svc-pin-v1|${use.nonce}|${pin}`);
      return { ...(await proved(identity, use, attendancePinBind({ ...bound(use), pinHash }))), pin };
    },
    proveMemberLink: (identity, use, memberId) =>
      proved(identity, use, memberLinkBind({ ...bound(use), memberId })),
    async proveCorrection(identity, shown) {
      const { tenant: tenantId, environment, correctionId: id, correction } = shown;
      const createdAt = Date.parse(shown.createdAt);
      const bind = correctBind(answer(shown, correctionDigest(shown), createdAt));
      const own = { tenantId, environment, did: identity.did, ...(await prove(identity, bind)) };
      return { ...own, id, createdAt, correction };
    },
    async proveCorrectionDecision(identity, shown, { decision, decidedAt }) {
      const { tenant: tenantId, environment, correctionId } = shown;
      const digest = correctionDigest(shown);
      const fields = answer(shown, digest, decidedAt);
      const bind = decision === 'agree' ? correctBind(fields) : correctDeclineBind(fields);
      const own = { tenantId, environment, did: identity.did, ...(await prove(identity, bind)) };
      return { ...own, correctionId, decision, digest, decidedAt };
    },
  };
}
