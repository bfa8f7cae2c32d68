import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { StatementError } from '@svc/zk/approvals/fields';
import { type Action, readAction, readStatement, type Statement } from '@svc/zk/approvals/statement';
import { textFault } from '@svc/zk/approvals/text';
import { invalid } from '../../base/errors.js';

/** Names are texts of the account, which may have characters that a statement must not have. */
const NAME = { max: 200 };

/** A name as a statement may have it: without the characters that it must not have. */
export function nameFor(name: string, otherwise: string): string {
  const kept = Array.from(name.normalize('NFC'))
    .filter((character) => textFault(`a${character}b`, { max: 3 }) === undefined)
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/^[\s\p{M}]+/u, '')
    .trim();
  const cut = Array.from(kept).slice(0, NAME.max).join('').trim();
  return textFault(cut, NAME) === undefined ? cut : otherwise;
}

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
