import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitStatements } from './split-statements.js';

const quoted = fc.string({
  unit: fc.constantFrom("'", '"', ';', '$', '-', '/', '*', 'a', ' ', '\n'),
  maxLength: 12,
});
/** What a semicolon may stand in without ending a statement. */
const part = fc.oneof(
  fc.constantFrom('select', 'a.b', '1', '(', ')', ', '),
  quoted.map((text) => `'${text.replaceAll("'", "''")}'`),
  quoted.map((text) => `"${text.replaceAll('"', '""')}"`),
  quoted.map((text) => `$f$${text.replaceAll('$', '')}$f$`),
  quoted.map((text) => `--${text.replaceAll('\n', '')}\n`),
  quoted.map((text) => `/*${text.replaceAll('*', '').replaceAll('/', '')}*/`),
);
const statement = fc.array(part, { maxLength: 6 }).map((parts) => ['x', ...parts, 'x'].join(' '));

describe('the statements of a script', () => {
  it('are split at semicolons, and nowhere within a text, a name, a function or a comment', () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 5 }), (all) => {
        expect(splitStatements(all.join(';\n'))).toEqual(all);
      }),
    );
  });

  it.each([
    ['', []],
    [' ;; -- nothing\n; /* or ; */', []],
    ['select 1;', ['select 1']],
    ['-- why;\nselect 1; select 2 -- end', ['-- why;\nselect 1', 'select 2 -- end']],
  ])('of %j are %j', (text, statements) => {
    expect(splitStatements(text)).toEqual(statements);
  });
});
