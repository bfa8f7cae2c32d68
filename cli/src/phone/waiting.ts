import { type ApprovalStatement, readStatement, statementDigest } from '@svc/sdk/prover';
import type { PhoneIdentity } from '@svc/zk/phone';
import type { Context } from '../command.js';
import { Failure } from '../failure.js';
import { framedText } from '../statement.js';
import { plain, styleFor } from '../terminal.js';
import { identityProver, type OwnPhone } from './places.js';

type Own = Pick<OwnPhone, 'svc' | 'place'>;

/** What waits for the phone's person. Each statement is checked again, because the phone proves exactly what it shows. */
export async function readInbox({ svc, place }: Own, identity: PhoneIdentity): Promise<ApprovalStatement[]> {
  const proof = await (await identityProver()).proveInbox(identity, await svc.phone.createUse(place));
  const { approvals } = await svc.phone.approvals.list(proof);
  return approvals.map(({ statement }) => checkedStatement(statement, { svc, place }));
}

/** @throws Failure for a statement that no honest service sends to this phone */
function checkedStatement(value: unknown, { svc, place }: Own): ApprovalStatement {
  const statement = statementOf(value);
  const { issuer, tenantId, environment } = statement;
  if (
    issuer !== new URL(svc.baseUrl).origin ||
    tenantId !== place.tenantId ||
    environment !== place.environment
  )
    throw new Failure(
      'refused',
      `The service at ${svc.baseUrl} sent an approval of another place (${plain(issuer)}, ${environment}). Nothing was proved.`,
    );
  return statement;
}

function statementOf(value: unknown): ApprovalStatement {
  try {
    return readStatement(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(
      'refused',
      `The service sent an approval that no service may send (its text ${plain(reason)}). Nothing was proved.`,
    );
  }
}

const SENDERS: Readonly<Record<ApprovalStatement['requestedBy']['kind'], string>> = {
  api_key: 'API key',
  member: 'member of the team',
  client: 'application',
};

/** A statement for the person to read. */
export function describeStatement(
  statement: ApprovalStatement,
  { err, env }: Pick<Context, 'err' | 'env'>,
): string {
  const style = styleFor(err, env);
  const { company, requestedBy, approvers, required, expiresAt } = statement;
  return [
    `${style('bold', plain(company))} asks you to approve:`,
    ...framedText(statement, err.columns || 80),
    `Sent by:  ${SENDERS[requestedBy.kind]} “${plain(requestedBy.name)}”`,
    ...(approvers.length > 1 ? [`Needs:    ${required} of ${approvers.length} people`] : []),
    `Expires:  ${expiresAt}`,
    `Digest:   ${statementDigest(statement)}`,
  ].join('\n');
}
