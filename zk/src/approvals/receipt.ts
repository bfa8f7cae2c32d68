import type { Groth16Proof } from '../verifier/proof.js';
import type { Statement } from './statement.js';

/**
 * A receipt: what people decided about an approval, with everything that somebody needs to check it without the service. Hashes, roots,
 * signatures and salts are lower-case hex; times are ISO 8601 in UTC with milliseconds. docs/receipts.md describes each field.
 */
export interface Receipt {
  readonly v: 'svc-receipt-1';
  /** How the keys of the proofs were made. Checkers compare it with the keys that they pin. */
  readonly setup: {
    readonly kind: 'development' | 'ceremony';
    readonly contributors: number;
    readonly vkeySha256: string;
  };
  readonly statement: Statement;
  readonly outcome: Outcome;
  /** The decisions that count, at most one a person. */
  readonly decisions: readonly ReceiptDecision[];
  /**
   * Rows of the audit chain, each once, in the order of `seq`: that of every enrolment, and those of the approval
   * (`entityId` = `approvalId`): `approval.created`, `…approved_by` or `…declined_by` of each decision, and `approval.<outcome>`.
   */
  readonly chain: readonly ReceiptRow[];
  /** Null if the tree did not contain the newest of the rows yet. The receipt can be fetched again later. */
  readonly tree: TreeHead | null;
  /** The proof that the tree of the first `from` rows is the beginning of `tree`, if it was asked for. RFC 9162, section 2.1.4. */
  readonly consistency?: { readonly from: number; readonly proof: readonly string[] };
  /** The newest head of the chain. */
  readonly head: ReceiptHead;
}

export const OUTCOMES = ['approved', 'declined', 'expired', 'cancelled', 'consumed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface ReceiptDecision {
  readonly did: string;
  readonly decision: 'approve' | 'decline';
  /** By the phone's clock. */
  readonly decidedAt: string;
  readonly reason?: string;
  readonly matchCode?: string;
  readonly circuit: 'identity_proof';
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly [string, string, string];
  /**
   * First the commitment that decided, then the one whose proof put it in force, and so on, back to one that no other authorized
   * (a registration, a recovery, or `identity.leaf_added`). Every one but the last has `authorization`.
   */
  readonly enrolment: readonly ReceiptEnrolment[];
}

export interface ReceiptEnrolment {
  readonly leaf: EnrolmentLeaf;
  /** Of the row in `chain` that has this leaf as `identity_leaf` in its metadata. */
  readonly seq: number;
  readonly authorization?: Authorization;
}

/** What `identity_leaf` is the hash of, with the tag of tenant and environment. */
export interface EnrolmentLeaf {
  readonly identityId: string;
  readonly userId: string;
  /** 32 bytes, as hex. */
  readonly didHash: string;
  readonly commitment: string;
  readonly salt: string;
}

/** The proof by the next enrolment of the list that put this one in force (`identity.added`, `identity.rotated`), as it was sent. */
export interface Authorization {
  /** Of the identity that authorized. */
  readonly did: string;
  readonly nonce: string;
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly [string, string, string];
}

export interface ReceiptRow {
  readonly row: AuditRow;
  /** The hashes that lead from the row to the root of `tree`. Null beside `tree: null`. */
  readonly inclusion: readonly string[] | null;
}

/** A row as `GET /v1/audit/export` writes it. */
export interface AuditRow {
  readonly id: string;
  readonly seq: number;
  readonly environment: 'live' | 'test';
  readonly actorType: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly entityType: string;
  readonly entityId: string | null;
  readonly status: 'success' | 'failure';
  readonly summary: string;
  readonly createdAt: string;
  readonly metadata: Readonly<Record<string, string | number | boolean | null>>;
  readonly prevHash: string;
  readonly hash: string;
}

/** The signed tree over the chain. `hash` is the chain's at `seq` = `size`. */
export interface TreeHead {
  readonly size: number;
  readonly root: string;
  readonly hash: string;
  readonly at: string;
  /** Ed25519 of `svc-audit-tree-v1|tenantId|environment|size|root|hash|at`, where `at` is in Unix milliseconds. */
  readonly signature: string;
  readonly keyId: string;
}

/** A signed head, as `GET /v1/audit` returns it. */
export interface ReceiptHead {
  readonly tenantId: string;
  readonly seq: number;
  readonly hash: string;
  readonly at: string;
  readonly keyId: string;
  readonly publicKey: string | null;
  readonly signature: string;
}
