import { readStatement, type Statement } from '@svc/zk/approvals/statement';
import type { Identity } from '../identities/identity';
import { SERVICE } from '../service';

/** An approval that waits for the person of an identity. Everything that the phone shows of it is in its statement. */
export interface Waiting {
  readonly identity: Identity;
  readonly statement: Statement;
}

/** Who an approval has to be for, if this phone may show it. */
type Owner = Pick<Identity, 'tenantId' | 'environment' | 'enrolment'>;

/**
 * The statement of a response if an honest service could have sent it to this identity, and undefined otherwise. The phone checks it
 * again: a text with hidden characters could look like another one.
 */
export function checkedStatement(value: unknown, owner: Owner): Statement | undefined {
  const statement = readOrNothing(value);
  return statement !== undefined && isFor(statement, owner) ? statement : undefined;
}

function readOrNothing(value: unknown): Statement | undefined {
  try {
    return readStatement(value);
  } catch {
    return undefined;
  }
}

function isFor(statement: Statement, { tenantId, environment, enrolment }: Owner): boolean {
  return (
    statement.issuer === SERVICE &&
    statement.tenantId === tenantId &&
    statement.environment === environment &&
    // Registrations from before the service sent this have none.
    (enrolment === undefined || statement.approvers.includes(enrolment.userId))
  );
}
