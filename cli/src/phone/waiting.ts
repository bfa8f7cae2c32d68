import { type ApprovalStatement, statementDigest } from '@svc/sdk/prover';
import type { Context } from '../command.js';
import { framedText } from '../statement.js';
import { plain, styleFor } from '../terminal.js';

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
