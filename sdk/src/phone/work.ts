import type { EnrolledAt } from '../codecs/pairing-code.js';
import type { ApprovalStatement, AttestationEvidenceParams } from '../generated/api.js';
import type { DecisionChoice, JoinProof, PhoneUse } from '../identity-proofs.js';
import type { IdentityProver, VerifyChallenge } from '../identity-prover.js';
import type { PhoneIdentity } from '../phone-identity.js';
import type { RegistrationChallenge } from '../resources/registrations.js';
import type { CorrectionChoice } from '../time/proofs.js';
import type { AttendanceStatement, ShownCorrection } from '../time/statements.js';
import type { Place, Secret } from './records.js';

export type ProverStage = 'unlocking' | 'loading' | 'proving';

/** What is proved. Plain data, so that a worker can do it. */
export type ProofWork<S extends Secret> =
  | { readonly kind: 'registration'; readonly challenge: RegistrationChallenge }
  | { readonly kind: 'verify'; readonly challenge: VerifyChallenge }
  | {
      readonly kind: 'pairing';
      readonly code: string;
      readonly enrolledAt: EnrolledAt;
      /** The number that the person typed, if the session asks for one. */
      readonly matchCode?: string | undefined;
    }
  | { readonly kind: 'decline'; readonly code: string; readonly enrolledAt: EnrolledAt }
  /** Of what the person read. The proof is bound to all of it. */
  | { readonly kind: 'decision'; readonly statement: ApprovalStatement; readonly choice: DecisionChoice }
  | {
      readonly kind: 'attest';
      readonly place: Place;
      readonly key: AttestationEvidenceParams & { readonly challenge: string };
    }
  | { readonly kind: 'punch'; readonly statement: AttendanceStatement }
  | { readonly kind: 'correction'; readonly shown: ShownCorrection }
  | {
      readonly kind: 'correction-decision';
      readonly shown: ShownCorrection;
      readonly choice: CorrectionChoice;
    }
  | PersonWork<S>;

/** What a person does with their own phones. */
export type PersonWork<S extends Secret> = { readonly use: PhoneUse } & (
  | { readonly kind: 'identities' }
  | { readonly kind: 'inbox' }
  | { readonly kind: 'revoke'; readonly revokedDid: string }
  | { readonly kind: 'contest'; readonly recoveryId: string }
  | { readonly kind: 'browsers' }
  | { readonly kind: 'forget-browser'; readonly browserId: string }
  | { readonly kind: 'attendance'; readonly month: string }
  | { readonly kind: 'attendance-contest'; readonly attendanceId: string }
  | { readonly kind: 'attendance-pin'; readonly pin: string }
  | { readonly kind: 'member-link'; readonly memberId: string }
  | { readonly kind: 'rendezvous'; readonly a: string }
  | { readonly kind: 'add'; readonly joined: JoinProof }
  /** By the identity that is added, to the person of `did`. */
  | { readonly kind: 'join'; readonly did: string }
  | { readonly kind: 'rotate'; readonly renewed: S }
);

type ProofOf<M extends keyof IdentityProver> = Awaited<ReturnType<IdentityProver[M]>>;

/** The proof of each kind of work. */
export interface Results {
  readonly registration: ProofOf<'proveRegistration'>;
  readonly verify: ProofOf<'proveVerify'>;
  readonly pairing: ProofOf<'provePairing'>;
  readonly decline: ProofOf<'provePairingDecline'>;
  readonly decision: ProofOf<'proveDecision'>;
  readonly attest: ProofOf<'proveAttestation'>;
  readonly identities: ProofOf<'proveIdentities'>;
  readonly inbox: ProofOf<'proveInbox'>;
  readonly revoke: ProofOf<'proveRevoke'>;
  readonly contest: ProofOf<'proveContest'>;
  readonly browsers: ProofOf<'proveBrowsers'>;
  readonly 'forget-browser': ProofOf<'proveForgetBrowser'>;
  readonly punch: ProofOf<'provePunch'>;
  readonly correction: ProofOf<'proveCorrection'>;
  readonly 'correction-decision': ProofOf<'proveCorrectionDecision'>;
  readonly attendance: ProofOf<'proveAttendance'>;
  readonly 'attendance-contest': ProofOf<'proveAttendanceContest'>;
  readonly 'attendance-pin': ProofOf<'proveAttendancePin'>;
  readonly 'member-link': ProofOf<'proveMemberLink'>;
  readonly rendezvous: ProofOf<'proveRendezvous'>;
  readonly add: ProofOf<'proveAdd'>;
  readonly join: JoinProof;
  readonly rotate: ProofOf<'proveRotate'>;
}

/** Proves with a prover of `@svc/sdk/prover`, where the secrets are readable: in a worker, or in a program. `open` reads one. */
export async function proveWork<S extends Secret, W extends ProofWork<S>>(
  prover: IdentityProver,
  secret: S,
  work: W,
  open: (secret: S) => PhoneIdentity | Promise<PhoneIdentity>,
): Promise<Results[W['kind']]> {
  const identity = await open(secret);
  const prove = async () => {
    switch (work.kind) {
      case 'registration':
        return prover.proveRegistration(identity, work.challenge);
      case 'verify':
        return prover.proveVerify(identity, work.challenge);
      case 'pairing':
        return prover.provePairing(identity, work.code, work.enrolledAt, { matchCode: work.matchCode });
      case 'decline':
        return prover.provePairingDecline(identity, work.code, work.enrolledAt);
      case 'decision':
        return prover.proveDecision(identity, work.statement, work.choice);
      case 'attest':
        return prover.proveAttestation(identity, work.place, work.key);
      case 'identities':
        return prover.proveIdentities(identity, work.use);
      case 'inbox':
        return prover.proveInbox(identity, work.use);
      case 'revoke':
        return prover.proveRevoke(identity, work.use, work.revokedDid);
      case 'contest':
        return prover.proveContest(identity, work.use, work.recoveryId);
      case 'browsers':
        return prover.proveBrowsers(identity, work.use);
      case 'forget-browser':
        return prover.proveForgetBrowser(identity, work.use, work.browserId);
      case 'punch':
        return prover.provePunch(identity, work.statement);
      case 'correction':
        return prover.proveCorrection(identity, work.shown);
      case 'correction-decision':
        return prover.proveCorrectionDecision(identity, work.shown, work.choice);
      case 'attendance':
        return prover.proveAttendance(identity, work.use, work.month);
      case 'attendance-contest':
        return prover.proveAttendanceContest(identity, work.use, work.attendanceId);
      case 'attendance-pin':
        return prover.proveAttendancePin(identity, work.use, work.pin);
      case 'member-link':
        return prover.proveMemberLink(identity, work.use, work.memberId);
      case 'rendezvous':
        return prover.proveRendezvous(identity, work.use, work.a);
      case 'add':
        return prover.proveAdd(identity, work.use, work.joined);
      case 'join':
        return prover.proveJoin(identity, work.use, work.did);
      case 'rotate':
        return prover.proveRotate(identity, await open(work.renewed as S), work.use);
    }
  };
  return (await prove()) as Results[W['kind']];
}
