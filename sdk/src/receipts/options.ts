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
}

/** What the checker knows from elsewhere. Nothing of it may come from the receipt, or from the service that made the receipt. */
export interface ReceiptCheckOptions {
  /**
   * A head that you kept from before: of the audit chain (`GET /v1/audit`), or of its tree (`tree` of an earlier receipt). With one of the
   * chain, pass `rows` too: only they show what lies at or before it. With one of the tree, pass `consistency`.
   */
  readonly head?: SignedHead | TreeHead | undefined;
  /** `proof` of `GET /v1/audit/consistency`, between the tree that you kept and that of the receipt. Not needed if they are the same. */
  readonly consistency?: readonly string[] | undefined;
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
