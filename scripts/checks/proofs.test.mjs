import { describe, expect, test } from 'vitest';
import { findProblems, proofsOf } from './proofs.mjs';

const contract = {
  spec: `# Contract
## States and transitions
### Door
| State | Moved by | Condition | Next state | Also happens |
|---|---|---|---|---|
| shut | POST /v1/open | | open (door_state) | Rings. |
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
  decisions: {
    doors:
      '# Doors\nThey have codes.\n\n## Opening doors\n\nInwards.\nAnd shut.\n\n## Colour\n\nThey are `red`.\n',
    codes: '# Codes\n',
  },
  routes: '# METHOD PATH\nPOST  /v1/open  none\nGET   /v1/doors/:id  key\n',
  errors: '# codes\n404 door_not_found  None.\n423 door_locked  Shut.\n',
  actions: '# actions\ndoor.opened  A door was opened\n',
};
const NAMES = {
  'POST /v1/open': 'POST /v1/open > opens a door',
  'GET /v1/doors/:id': 'shows one door [GET /v1/doors/:id]',
  'Door: shut → open': 'Door: shut → open by a push',
  'limit: Doors': 'an eleventh door is too many [limit: Doors]',
  door_not_found: 'returns door_not_found for a wall',
  door_locked: 'returns door_locked',
  'doors:read': 'doors:read opens the list',
  door_opened: 'sends door_opened',
  'door.opened': 'writes door.opened to the audit log',
  'X-Door': 'sends X-Door',
  'doors/opening-doors': 'doors open inwards [doors/opening-doors]',
  'doors/colour': 'doors are red [doors/colour]',
};
const ran = (
  /** @type {string} */ name,
  state = 'passed',
  project = 'pglite',
  file = 'test/door.test.ts',
) => ({
  project,
  file,
  name,
  state,
});
const tests = Object.values(NAMES).map((name) => ran(name));
const without = (/** @type {string} */ name) => tests.filter((each) => each.name !== name);
const nothingNames = (/** @type {string} */ subject) => [expect.stringContaining(`: ${subject}`)];

describe('the table of proofs', () => {
  test('has a row for everything in the contract, with the tests that name it', () => {
    expect(findProblems(contract, tests)).toEqual([]);
    const table = Object.fromEntries(proofsOf(contract, tests).map((row) => [row.subject, row.tests]));
    expect(table).toEqual(
      Object.fromEntries(
        Object.entries(NAMES).map(([subject, name]) => [subject, [`test/door.test.ts > ${name}`]]),
      ),
    );
  });

  test.each(Object.entries(NAMES))('reports a problem if no test names %s', (subject, name) => {
    expect(findProblems(contract, without(name))).toEqual(nothingNames(subject));
  });

  test.each(['failed', 'skipped', 'pending'])('ignores a test that %s on one of the databases', (state) => {
    const others = [...tests, ran(NAMES.door_locked, state, 'postgres')];
    expect(findProblems(contract, others)).toEqual(nothingNames('door_locked'));
  });

  test('does not count what a test names that the change cannot affect', () => {
    const leftOut = ["it('returns door_locked')"];
    expect(findProblems(contract, without(NAMES.door_locked), leftOut)).toEqual([]);
    expect(findProblems(contract, without(NAMES.door_opened), leftOut)).toEqual(nothingNames('door_opened'));
  });

  test.each([
    ['POST /v1/open', 'POST /v1/open/wide opens a gate'],
    ['POST /v1/open', 'POST /v1/open-wide opens a gate'],
    ['door_locked', 'returns back_door_locked'],
    ['door.opened', 'writes door.opened.twice'],
    ['doors/colour', 'is another decision [doors/colour-of-frames]'],
  ])('does not accept for %s the name "%s"', (subject, name) => {
    const row = proofsOf(contract, [...without(NAMES[/** @type {keyof NAMES} */ (subject)]), ran(name)]).find(
      (each) => each.subject === subject,
    );
    expect(row?.tests).toEqual([]);
  });

  test('requires a test of each endpoint besides the sweeps over all routes', () => {
    const sweep = ran(NAMES['POST /v1/open'], 'passed', 'pglite', 'server/test/sweeps/replies.test.ts');
    expect(findProblems(contract, [...without(NAMES['POST /v1/open']), sweep])).toEqual(
      nothingNames('POST /v1/open'),
    );
  });

  test('reports a tag that the contract does not have', () => {
    const unknown = [
      ...tests,
      ran('opens [doors/width]'),
      ran('is of type %s [application/json]'),
      ran('is wide [limit: Width]'),
    ];
    expect(findProblems(contract, unknown)).toEqual([
      'test/door.test.ts: the contract has no [doors/width]',
      'test/door.test.ts: the contract has no [limit: Width]',
    ]);
  });

  test.each([
    ['without text', 'They are `red`.', ''],
    ['with the name of another', 'Colour', 'Opening doors'],
  ])('reports a decision %s', (_, text, instead) => {
    const decisions = { ...contract.decisions, doors: contract.decisions.doors.replace(text, instead) };
    expect(findProblems({ ...contract, decisions }, tests)).toContainEqual(
      expect.stringMatching(
        /^contract\/decisions: doors\/[a-z-]+ has no text, or another decision has its name$/,
      ),
    );
  });

  test('reports a part of the contract that cannot be parsed', () => {
    const problems = findProblems({ ...contract, errors: '', spec: '# Nothing' }, tests);
    expect(problems).toContain('nothing was read from the contract for “Limits”');
    expect(problems).toContain('nothing was read from the contract for “Scopes”');
  });
});
