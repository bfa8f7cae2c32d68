import type { BindScope, Purpose } from '@svc/zk/field';
import type { ErrorCode } from '../../base/errors.js';
import type { Sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Read, Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import type { SingleUseProof, Use } from './use.js';

/** A proof as it was sent. */
export interface SentProof extends Pick<SingleUseProof, 'proof' | 'publicSignals'> {
  /** The names of its parts in the body, for error messages. */
  readonly names?: { readonly proof?: string; readonly publicSignals?: string };
}

/** What proofs are bound to: where they are valid, and what limits them to one use. */
export type BoundUse = BindScope & Pick<Use, 'nonce' | 'timestampMs'>;

/** An assertion that came with a proof and was accepted. The statement that decides checks its key again. */
export interface Verified {
  readonly level: number;
  readonly evidenceHash: string;
  /** An SQL condition on the identity that a statement finds: the key is one of its own, and can be used. */
  isUsable(scope: Scope, identityId: Sql): Sql;
  /** Records the use. False if the condition does not hold. */
  recordUse(w: Write, now: Date, condition: Sql): Promise<boolean>;
}

/** Why an assertion or a key was not accepted. Only the log and the audit row have it. */
export interface Refused {
  readonly refused: string;
  /** Nothing can read it. */
  readonly isMalformed: boolean;
}

/** What an assertion signs: a proof as it was sent, and what limits it to one use. */
export interface AttestedProof extends Pick<SentProof, 'proof' | 'publicSignals'> {
  readonly purpose: Purpose;
  readonly subject: string;
  /** Of the identity that proves, in stored form. */
  readonly did: string;
}

/** How the assertion that came with a proof is judged. */
export interface Assertion {
  /** Undefined: none came. */
  readonly judge: ((read: Read, of: AttestedProof) => Promise<Verified | Refused>) | undefined;
  /** Default: the nonce. */
  readonly subject?: string;
  /** The lowest level that the policy accepts. 0: it asks for none. */
  readonly level: number;
}

/** What proofs must show. */
interface Shown {
  readonly purpose: Purpose;
  /** What the proof must be bound to. */
  readonly bindOf: (use: BoundUse) => bigint;
  /** What it may be bound to instead. Null: to nothing but the DID. */
  readonly orBoundTo?: bigint | null;
  /** The assertion that can come with the proof. Absent: it is not judged, and no policy asks for one. */
  readonly attested?: Assertion;
}

/** The same for `judge`, which compares. */
export interface Statement extends Omit<Shown, 'bindOf'> {
  /** Of the secret that is proved, in stored form. Null with a `bindOf` of null: of any secret, bound to anything. */
  readonly did: string | null;
  readonly bindOf: Shown['bindOf'] | null;
  /** Of a secret that is not registered yet, in stored form. Absent: that of the identity, which a statement compares. */
  readonly commitment?: string;
  /** What the second proof must show: a new secret, bound to the same nonce. In stored form. */
  readonly joining?: { readonly did: string; readonly commitment: string } | undefined;
  /** Ends the request before a proof that is bound to something else is verified. Default: it fails as others do. */
  readonly onOtherBinding?: () => Promise<never>;
}

/** The proofs of a request as they were sent. */
export interface Sent extends SentProof {
  /** What limits them to one use. Absent: what the proof is bound to does. */
  readonly use?: Pick<SingleUseProof, 'nonce' | 'timestamp'>;
  /** The second proof, of a new secret. */
  readonly joining?: SentProof | undefined;
  /** mcl verifies the first one again after its verdict. */
  readonly confirm?: boolean;
}

/** What a registered identity asks for, by a proof of its secret. `prove` judges it and `decide` does it. */
export interface Claim extends Shown {
  /** Also of the audit event of a failure. Only callers with an API key leave one. */
  readonly action: AuditAction;
  readonly input: SingleUseProof & { readonly did: string };
  /** A second proof, of a new secret for `did`, bound to the same nonce. DID and commitment are in stored form. */
  readonly joining?: NonNullable<Statement['joining']> & { readonly sent: SentProof };
  /** What does not make an identity unusable for this claim. */
  readonly admits?: readonly FailureReason[];
  /** False if what it decides is single-use by itself. Default: true, which spends the nonce. */
  readonly spends?: false;
  /**
   * False if it changes no identity. Default: true, and mcl verifies the proof again after its verdict. A proof of another claim is one of
   * 64 that mcl verifies, as in a verification.
   */
  readonly confirms?: false;
  /** The error of every failure. Default: `verification_failed`. */
  readonly failure?: ErrorCode;
}
