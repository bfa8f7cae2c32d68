import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { StatementError } from '@svc/zk/approvals/fields';
import { type Action, readAction, readStatement, type Statement } from '@svc/zk/approvals/statement';
import { invalid } from '../../base/errors.js';

/** The action of a request. 400 with the path of its first fault. */
export function requireAction(action: unknown): Action {
  try {
    return readAction(action, 'body.action');
  } catch (error) {
    if (error instanceof StatementError) return invalid(error.path, error.message);
    throw error;
  }
}

/** The canonical JSON of a statement. 400 if the action makes it too large. */
export function canonicalStatement(statement: Statement): string {
  try {
    return canonicalJson(readStatement(statement));
  } catch (error) {
    if (error instanceof StatementError && error.path === '')
      return invalid('body.action', 'must be shorter: the statement would have more than 8 KiB');
    throw error;
  }
}
