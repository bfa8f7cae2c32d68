import type { AuditExportEnd } from '../codecs/audit-chain.js';
import type { AuditEvent, SignedHead } from '../generated/api.js';

/** A signed tree over the audit chain, as in `tree` of a receipt. */
export interface TreeHead {
  readonly size: number;
  readonly root: string;
  readonly hash: string;
  readonly at: string;
  readonly signature: string;
  readonly keyId: string;
  /** The key of the signature in hex, as you kept it with the tree. */
  readonly publicKey?: string | null;
}

/** What the checker knows from elsewhere. Nothing of it may come from the receipt, or from the service that made the receipt. */
export interface ReceiptCheckOptions {
  /**
   * A head that you kept from before: of the tree over the audit chain (`tree` of `svc.audit.proof`, or of an earlier receipt), or of the
   * chain (`GET /v1/audit`). Fetch the receipt with the size of the tree as `from`. With a head of the chain, pass `rows` too: only they
   * show what lies at or before it.
   */
  readonly head?: SignedHead | TreeHead | undefined;
  /** An export of the audit chain: all rows, then the head (`svc.audit.export()`). */
  readonly rows?:
    | AsyncIterable<AuditEvent | AuditExportEnd>
    | Iterable<AuditEvent | AuditExportEnd>
    | undefined;
  /** The public keys that you know, in hex, by their `keyId`. The key of `head` is one of them. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** Takes the operator's word that the identities belong to the people, if no head was kept. */
  readonly acceptOperatorEnrolment?: boolean | undefined;
  /** Takes proofs under development keys, which their maker can forge. */
  readonly allowDevelopmentKeys?: boolean | undefined;
}
