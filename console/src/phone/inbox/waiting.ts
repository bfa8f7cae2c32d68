import type { ApprovalStatement } from '@svc/sdk';
import type { Identity } from '../vault/identities';

/** An approval that waits for the person of an identity. Everything that the phone shows of it is in its statement. */
export interface Waiting {
  readonly identity: Identity;
  readonly statement: ApprovalStatement;
}
