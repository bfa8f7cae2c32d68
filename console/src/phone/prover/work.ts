import type { AttestationEvidence, EnrolledAt, RegistrationChallenge } from '@svc/sdk';
import type {
  ApprovalStatement,
  DecisionChoice,
  IdentityProofs,
  JoinProof,
  PairingDeclineProof,
  PairingProof,
  PhoneUse,
  ProofWithSignals,
} from '@svc/sdk/prover';
import type { Sealed } from '../vault/seal';

/** The public parts of an identity, and its secret in encrypted form. */
export interface SealedIdentity {
  readonly did: string;
  readonly commitment: string;
  readonly secret: Sealed;
}

/** The identity that proves, and the key that decrypts its secret. */
interface Proving {
  readonly key: CryptoKey;
  readonly identity: SealedIdentity;
}

/** A task for the prover. It creates, encrypts and decrypts secrets, so the page never sees one. */
export type Work =
  | { readonly kind: 'create'; readonly key: CryptoKey }
  /** A new secret for an identity, whose DID stays. */
  | { readonly kind: 'renew'; readonly key: CryptoKey; readonly did: string }
  /** A second copy of the secret, encrypted with another key. */
  | {
      readonly kind: 'copy';
      readonly key: CryptoKey;
      readonly identity: SealedIdentity;
      readonly newKey: CryptoKey;
    }
  | ProofWork;

export type ProofWork = Proving &
  (
    | { readonly kind: 'registration'; readonly challenge: RegistrationChallenge }
    | {
        readonly kind: 'pairing';
        readonly code: string;
        readonly enrolledAt: EnrolledAt;
        /** The number that the person typed, if the session asks for one. */
        readonly matchCode: string | undefined;
      }
    | { readonly kind: 'decline'; readonly code: string; readonly enrolledAt: EnrolledAt }
    /** Of what the person read. The proof is bound to all of it. */
    | { readonly kind: 'decision'; readonly statement: ApprovalStatement; readonly choice: DecisionChoice }
    | {
        readonly kind: 'attest';
        readonly account: EnrolledScope;
        readonly challenge: string;
        readonly evidence: AttestationEvidence;
      }
    | PersonWork
  );

type EnrolledScope = Pick<EnrolledAt, 'tenantId' | 'environment'>;

/** What a person does with their own phones. */
export type PersonWork = { readonly use: PhoneUse } & (
  | { readonly kind: 'identities' }
  | { readonly kind: 'inbox' }
  | { readonly kind: 'revoke'; readonly revokedDid: string }
  | { readonly kind: 'contest'; readonly recoveryId: string }
  | { readonly kind: 'browsers' }
  | { readonly kind: 'forget-browser'; readonly browserId: string }
  | { readonly kind: 'rendezvous'; readonly a: string }
  | { readonly kind: 'add'; readonly joined: JoinProof }
  /** By the identity that is added, to the person of `did`. */
  | { readonly kind: 'join'; readonly did: string }
  | {
      readonly kind: 'rotate';
      readonly renewed: SealedIdentity;
      /** The key of the renewed secret. */
      readonly renewedKey: CryptoKey;
    }
);

type ProofOf<M extends keyof IdentityProofs> = Awaited<ReturnType<IdentityProofs[M]>>;

export interface Results {
  readonly create: SealedIdentity;
  readonly renew: SealedIdentity;
  readonly copy: SealedIdentity;
  readonly registration: ProofWithSignals;
  readonly pairing: PairingProof;
  readonly decline: PairingDeclineProof;
  readonly decision: ProofOf<'proveDecision'>;
  readonly identities: ProofOf<'proveIdentities'>;
  readonly inbox: ProofOf<'proveInbox'>;
  readonly revoke: ProofOf<'proveRevoke'>;
  readonly contest: ProofOf<'proveContest'>;
  readonly browsers: ProofOf<'proveBrowsers'>;
  readonly 'forget-browser': ProofOf<'proveForgetBrowser'>;
  readonly attest: ProofOf<'proveAttestation'>;
  readonly rendezvous: ProofOf<'proveRendezvous'>;
  readonly add: ProofOf<'proveAdd'>;
  readonly join: JoinProof;
  readonly rotate: ProofOf<'proveRotate'>;
}

/** The prover's messages: its progress, its result or its error. */
export type ProverMessage =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'done'; readonly result: Results[Work['kind']] }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

export type Stage = 'loading' | 'proving';
