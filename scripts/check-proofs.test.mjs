import { describe, expect, test } from 'vitest';
import { findProblems, requiredRows, rowsOf } from './check-proofs.mjs';

const contract = {
  spec: `# Contract
## States and transitions
### Door
| State | Moved by | Condition | Next state | Also happens |
|---|---|---|---|---|
| shut | POST /v1/open | | open | Rings. |
## Endpoints
| Method | Path | Request | Response |
|---|---|---|---|
| POST | /v1/open (no auth) | \`{ how: a|b }\` | Opens. |
### Scopes
\`doors:read\`. A key without gets \`insufficient_scopes\`.
### Response headers on every authenticated /v1 response
\`X-Door\`.
## Events
### Server-Sent Events on the pairing stream
| Event | Data shape |
|---|---|
| door_opened | \`{ id }\` |
## Errors
| HTTP | Code | When |
|---|---|---|
| 404 | door_not_found | None there. |
| 429 | (no code shown) | Too often. |
## Limits
| Limit | Value |
|---|---|
| Doors | 10 |
`,
  decisions:
    '# Decisions\n## 1. Doors\n- **Doors** open inwards.\n  And shut.\n- They are `red`.\n## 11. Codes\nno bullets\n',
  routes: '# METHOD PATH\nPOST  /v1/open  none\nGET   /v1/doors  key\n',
  errors: '# codes\n404 door_not_found  None.\n423 door_locked  Shut.\n',
  actions: '# actions\ndoor.opened  A door was opened\n',
};
const PROOF = 'test/door.test.ts › a door › opens';
const SUBJECTS = {
  Endpoints: ['`POST /v1/open`', '`GET /v1/doors`'],
  'States and transitions': ['Door: shut → open by `POST /v1/open`'],
  Limits: ['Doors'],
  'Error codes': ['`door_not_found`', '429 (no code shown)', '`door_locked`'],
  Scopes: ['doors:read'],
  Events: ['door_opened'],
  'Audit actions': ['door.opened'],
  Headers: ['X-Door'],
  Decisions: ['“Doors open inwards. And shut”', '“They are red”'],
};
const table = Object.entries(SUBJECTS)
  .map(([section, subjects]) => {
    const rows = subjects.map((subject) => `| ${subject} | ${PROOF} |`).join('\n');
    return `## ${section}\n| What | Tests |\n|---|---|\n${rows}\n`;
  })
  .join('\n')
  .replace(/^/, '# Proofs\n');
const ran = (state = 'passed', project = 'pglite', name = 'a door > opens') => ({
  project,
  file: 'test/door.test.ts',
  name,
  state,
});
const tests = [ran(), ran('passed', 'postgres')];
const problemsOf = (/** @type {Partial<Parameters<typeof findProblems>[0]>} */ change = {}) =>
  findProblems({ contract, table, tests, ...change });

describe('the table of proofs', () => {
  test('passes when each row of the contract names tests that passed on every database', () => {
    expect(problemsOf()).toEqual([]);
    expect(problemsOf({ tests: tests.map(({ state: _, ...listed }) => listed) })).toEqual([]);
  });

  test('is asked for everything that the contract’s tables and lists hold', () => {
    expect(requiredRows(contract)).toEqual({
      Endpoints: ['POST /v1/open', 'GET /v1/doors'],
      'States and transitions': ['Door: shut → open by POST /v1/open'],
      Limits: ['Doors'],
      'Error codes': ['door_not_found', '429 (no code shown)', 'door_locked'],
      Scopes: ['doors:read'],
      Events: ['door_opened'],
      'Audit actions': ['door.opened'],
      Headers: ['X-Door'],
    });
  });

  const lines = table.split('\n');
  const rows = rowsOf(table).map(({ line, subject }) => /** @type {const} */ ([subject, line - 1]));

  test.each(rows)('fails without the row of %s', (subject, index) => {
    const without = lines.filter((_, at) => at !== index).join('\n');
    const problems = problemsOf({ table: without });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(subject.replace(/[“”]/g, '').slice(0, 12));
  });

  test.each(rows)('fails when the row of %s names no test', (subject, index) => {
    const bare = lines.with(index, `${lines[index]?.split(' | ')[0]} | |`).join('\n');
    expect(problemsOf({ table: bare })).toEqual([expect.stringContaining(`${subject}: no test proves it`)]);
  });

  test('fails on a test that nobody knows, in its file, its describe or its name', () => {
    for (const name of ['test/gate.test.ts › a door › opens', 'test/door.test.ts › opens', `${PROOF} wide`]) {
      const problems = problemsOf({ table: table.replace(`| ${PROOF} |`, `| ${PROOF}<br>${name} |`) });
      expect(problems).toEqual([expect.stringContaining(`there is no test “${name}”`)]);
    }
  });

  test.each(['failed', 'skipped', 'pending'])('fails on a test that is %s on one database', (state) => {
    const problems = problemsOf({ tests: [ran(), ran(state, 'postgres')] });
    expect(problems).toHaveLength(rows.length);
    for (const problem of problems) expect(problem).toContain(`is ${state} on postgres`);
  });

  test('fails on a test that one of the databases of its file lacks', () => {
    const problems = problemsOf({ tests: [ran(), ran('passed', 'postgres', 'a door > shuts')] });
    expect(problems).toHaveLength(rows.length);
    expect(problems[0]).toContain('is not among the tests of postgres');
  });

  test('fails when one of several tests of that name failed', () => {
    expect(problemsOf({ tests: [...tests, ran('failed')] })).toHaveLength(rows.length);
  });

  test('fails when no test ran at all', () => {
    expect(problemsOf({ tests: [] })).toHaveLength(rows.length);
  });

  test('fails on a row for what the contract no longer has, and on a second row for one thing', () => {
    const gone = { ...contract, routes: '# none\nPOST /v1/open none\n' };
    expect(problemsOf({ contract: gone })).toEqual([
      expect.stringContaining('the contract has no such thing'),
    ]);
    const changed = { ...contract, decisions: contract.decisions.replace('red', 'blue') };
    expect(problemsOf({ contract: changed })).toEqual([
      expect.stringContaining('quotes nothing of the decision in §1: They are blue'),
      expect.stringContaining('these words stand neither in SPEC.md nor in DECISIONS.md'),
    ]);
    const twice = table.replace('| Doors |', `| Doors | ${PROOF} |\n| Doors |`);
    expect(problemsOf({ table: twice })).toEqual([expect.stringContaining('a second row')]);
  });

  test('fails when a part of the contract cannot be read', () => {
    const problems = problemsOf({ contract: { ...contract, errors: '', spec: '# Nothing' } });
    expect(problems).toContain('nothing was read from the contract for “Limits”');
    expect(problems).toContain('nothing was read from the contract for “Scopes”');
  });
});
