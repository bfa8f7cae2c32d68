import type { Statement } from '@svc/zk/approvals/statement';
import type { Read } from '../../ledger/write.js';
import { includes, nameIn } from '../../records/list.js';
import { namesOf } from '../users/users.js';
import * as store from './approvals.store.js';

/** Approvals with the names of who asked and of who may decide, if the query includes them. */
export async function withNames<Shown extends { readonly id: string; readonly approvers: readonly string[] }>(
  read: Read,
  query: { readonly include?: string },
  approvals: readonly Shown[],
) {
  if (!includes(query, 'names')) return approvals;
  const [statements, names] = await Promise.all([
    store.listStatements(
      read,
      approvals.map(({ id }) => id),
    ),
    namesOf(
      read,
      approvals.flatMap(({ approvers }) => approvers),
    ),
  ]);
  const texts = new Map(statements.map(({ id, statement }) => [id, statement]));
  return approvals.map((approval) => {
    const text = texts.get(approval.id) ?? null;
    return {
      ...approval,
      requestedBy: text === null ? null : (JSON.parse(text) as Statement).requestedBy,
      approverNames: approval.approvers.map((userId) => ({ userId, userName: nameIn(names, userId) })),
    };
  });
}
