// The literals of every language, as the dashboard writes them.
import { loadSource } from '../source.mjs';

/** @type {typeof import('../../src/snippets/literal')} */
const { doubleQuoted, literal, PYTHON_SYNTAX, singleQuoted, TYPESCRIPT_SYNTAX } =
  await loadSource('snippets/literal.ts');

export { doubleQuoted, literal, PYTHON_SYNTAX, singleQuoted, TYPESCRIPT_SYNTAX };
