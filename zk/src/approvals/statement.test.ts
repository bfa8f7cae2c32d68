import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultPath } from '../../test/support/fault-path.js';
import { canonicalJson } from './canonical-json.js';
import { actionHash, readAction, readStatement, type Statement, statementDigest } from './statement.js';

/** Read as text, because a bundler would reject the half of a surrogate pair. */
const vectors = JSON.parse(
  readFileSync(new URL('../../../docs/vectors/approvals.json', import.meta.url), 'utf8'),
) as {
  readonly good: readonly Readonly<
    Record<'name' | 'canonical' | 'digest' | 'actionSha256', string> & { statement: Statement }
  >[];
  readonly bad: readonly Readonly<Record<'name' | 'path', string> & { statement: unknown }>[];
};
const [first] = vectors.good;
const statement = first!.statement;

describe('the statement of an approval', () => {
  it.each(vectors.good)('is read, and hashed as docs/vectors say: $name', (vector) => {
    const read = readStatement(vector.statement);
    expect(canonicalJson(read)).toBe(vector.canonical);
    expect(statementDigest(read)).toBe(vector.digest);
    expect(actionHash(read.action)).toBe(vector.actionSha256);
    expect(createHash('sha256').update(vector.canonical).digest('hex')).toBe(vector.digest);
  });

  it.each(vectors.bad)('is rejected with $name, at its path', (vector) => {
    expect(faultPath(() => readStatement(vector.statement))).toBe(vector.path);
  });

  it.each([null, [], 'statement', 1, {}])('is rejected as %j', (value) => {
    expect(faultPath(() => readStatement(value))).toBeDefined();
  });

  it('has another digest or is rejected when any of its values is another one', { tags: ['ci'] }, () => {
    const leaves = paths(statement);
    fc.assert(
      fc.property(fc.constantFrom(...leaves), fc.jsonValue(), (path, value) => {
        const changed = structuredClone(statement) as unknown as Record<string, unknown>;
        set(changed, path, value);
        if (canonicalJson(JSON.parse(JSON.stringify(changed))) === first?.canonical) return;
        const wrong = faultPath(() => readStatement(changed));
        if (wrong === undefined)
          expect(statementDigest(changed as unknown as Statement)).not.toBe(first?.digest);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('an action', () => {
  it('is read with the path of the field that it came in', () => {
    const action = { ...statement.action, note: 'a\u202eb' };
    expect(faultPath(() => readAction(action, 'body.action'))).toBe('body.action.note');
    expect(readAction(statement.action, 'body.action')).toEqual(statement.action);
  });
});

type Path = readonly string[];

const paths = (value: unknown): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => paths(each).map((path) => [key, ...path]))
    : [[]];

function set(target: Record<string, unknown>, [key, ...rest]: Path, value: unknown): void {
  if (rest.length === 0) target[key as string] = value;
  else set(target[key as string] as Record<string, unknown>, rest, value);
}
