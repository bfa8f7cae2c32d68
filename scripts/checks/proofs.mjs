// Which test proves which promise of the contract, by the names of the tests. A test names an endpoint (`POST /v1/devices`), an
// error code, a scope, an event, an audit action or a header literally; a transition as `Device enrollment: pending → enrolled`;
// a limit as `limit: Password`; a decision as `[pairing/one-submit-binds]`. If the name would not read well with it, it is appended in square
// brackets. `npm test`, with or without flags, writes the whole table to .build/proofs.md. `--all` and `--changed` fail if a promise has no test
// that passed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../setup.mjs';

/**
 * A test as vitest reports it; `ms` is absent for one that did not run.
 * @typedef {{ project: string, file: string, name: string, state: string, ms?: number }} Test
 * @typedef {{ spec: string, decisions: Record<string, string>, routes: string, errors: string, actions: string }} Contract `decisions` are
 * the texts of the files, each by its noun
 * @typedef {{ section: string, subject: string, about?: string }} Subject
 * @typedef {Subject & { tests: string[] }} Row `tests` are those that passed in every project that ran them
 */

const TABLE = join(root, '.build', 'proofs.md');
/** These tests cover every route in a loop. An endpoint also needs a test of its own. */
const SWEEPS = /\/(sweeps\/.+|docs\/.+|http-fuzz|openapi|audit-actions)\.test\./;
/** Maximum number of tests in a row of the table, because sweeps have many. */
const MAX_LISTED = 8;

/** @returns {Contract} */
function readContract() {
  const read = (/** @type {string} */ name) => readFileSync(join(root, 'contract', name), 'utf8');
  const nouns = readdirSync(join(root, 'contract/decisions'))
    .filter((file) => file !== 'README.md')
    .map((file) => basename(file, '.md'));
  return {
    spec: read('SPEC.md'),
    decisions: Object.fromEntries(nouns.map((noun) => [noun, read(`decisions/${noun}.md`)])),
    routes: read('routes.txt'),
    errors: read('errors.txt'),
    actions: read('audit-actions.txt'),
  };
}

/** Text without Markdown syntax. */
const plain = (/** @type {string} */ text) =>
  text
    .replace(/\\([|*<>`])/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The cells of each line of a table. A `|` in a code span or after a backslash is text. */
const cellsOf = (/** @type {string} */ line) =>
  line
    .replace(/`[^`]*`/g, (code) => code.replaceAll('|', '\\|'))
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map(plain);

/**
 * The rows of all tables in a Markdown text, each with the headings above it and its cells by column.
 * @returns {{ headings: string[], cells: Record<string, string> }[]}
 */
function tableRowsOf(/** @type {string} */ markdown) {
  /** @type {string[]} */
  const headings = [];
  /** @type {string[] | undefined} */
  let columns;
  const rows = [];
  for (const line of markdown.split('\n')) {
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading) headings.splice(heading[1].length - 1, Infinity, plain(heading[2]));
    if (!line.startsWith('|')) columns = undefined;
    else if (!columns) columns = cellsOf(line);
    else if (!/^[|\s:-]+$/.test(line)) {
      const cells = cellsOf(line);
      const named = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
      rows.push({ headings: [...headings], cells: named });
    }
  }
  return rows;
}

/** Everything in the contract that a test must prove, each by the text that a test must name. @returns {Subject[]} */
function subjectsOf(/** @type {Contract} */ { spec, decisions, routes, errors, actions }) {
  const rows = tableRowsOf(spec);
  const under = (/** @type {string} */ heading) => rows.filter(({ headings }) => headings.includes(heading));
  const lines = (/** @type {string} */ text) =>
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(/\s+/));
  const part = (/** @type {string} */ heading) => spec.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const state = (/** @type {string} */ cell) => cell.replace(/ \(.+\)$/, '');

  const sections = {
    Endpoints: [
      ...under('Endpoints')
        .filter(({ cells }) => cells.Path)
        .map(({ cells }) => `${cells.Method} ${cells.Path.replace(/ \(.*/, '')}`),
      ...lines(routes).map(([method, path]) => `${method} ${path}`),
    ],
    'States and transitions': under('States and transitions').map(
      ({ headings, cells }) =>
        `${headings.at(-1)}: ${state(cells.State)} → ${state(cells['Next state'] ?? cells.Next ?? '')}`,
    ),
    Limits: under('Limits').map(({ cells }) => `limit: ${cells.Limit}`),
    'Error codes': [
      ...under('Errors').flatMap(({ cells }) => (/^[a-z_]+$/.test(cells.Code) ? [cells.Code] : [])),
      ...lines(errors).map(([, code]) => code),
    ],
    Scopes: part('Scopes').match(/(?<=`)[a-z_]+:[a-z]+(?=`)/g) ?? [],
    Events: under('Server-Sent Events on the pairing stream').map(({ cells }) => cells.Event),
    'Audit actions': lines(actions).map(([action]) => action),
    Headers: part('Response headers on every authenticated /v1 response').match(/(?<=`)X-[\w-]+/g) ?? [],
    Decisions: decisionsOf(decisions).map(({ name }) => name),
  };
  const texts = new Map(decisionsOf(decisions).map(({ name, text }) => [name, text]));
  return Object.entries(sections).flatMap(([section, subjects]) =>
    [...new Set(subjects)].map((subject) => ({ section, subject, about: texts.get(subject) })),
  );
}

/** The decisions, one section each, with the name that GitHub's anchor gives it. @returns {{ name: string, text: string }[]} */
function decisionsOf(/** @type {Contract['decisions']} */ files) {
  return Object.entries(files).flatMap(([noun, file]) =>
    file
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [title, ...lines] = section.split('\n');
        const slug = title.toLowerCase().replace(/[^a-z\d]+/g, '-');
        return { name: `${noun}/${slug}`, text: plain(lines.join('\n')) };
      }),
  );
}

/** Problems of the contract itself, one sentence each. @returns {string[]} */
function findMistakes(/** @type {Contract} */ contract) {
  const decisions = decisionsOf(contract.decisions);
  const names = decisions.map(({ name }) => name);
  const bad = decisions.filter(({ name, text }, at) => names.indexOf(name) !== at || text === '');
  const sections = new Set(subjectsOf(contract).map(({ section }) => section));
  const empty = ['Endpoints', 'States and transitions', 'Limits', 'Error codes', 'Scopes', 'Events']
    .concat('Audit actions', 'Headers', 'Decisions')
    .filter((section) => !sections.has(section));
  return [
    ...bad.map(({ name }) => `contract/decisions: ${name} has no text, or another decision has its name`),
    ...empty.map((section) => `nothing was read from the contract for “${section}”`),
  ];
}

/** The whole table. @returns {Row[]} */
export function proofsOf(/** @type {Contract} */ contract, /** @type {Test[]} */ tests) {
  const passed = passedTests(tests);
  return subjectsOf(contract).map((subject) => {
    const isNamed = nameMatcher(subject.subject);
    const isEndpoint = subject.section === 'Endpoints';
    const named = passed.filter(({ file, name }) => isNamed(name) && !(isEndpoint && SWEEPS.test(file)));
    return { ...subject, tests: named.map(({ file, name }) => `${file} > ${name}`) };
  });
}

/** The names of the tests that passed in every project that ran them. */
function passedTests(/** @type {Test[]} */ tests) {
  /** @type {Map<string, { file: string, name: string, isPassed: boolean }>} */
  const byName = new Map();
  for (const { file, name, state } of tests) {
    const key = `${file} > ${name}`;
    const isPassed = state === 'passed' && (byName.get(key)?.isPassed ?? true);
    byName.set(key, { file, name, isPassed });
  }
  return [...byName.values()].filter(({ isPassed }) => isPassed);
}

/** Whether a name contains the text as a whole: `POST /v1/devices/enroll` does not name `POST /v1/devices`. */
function nameMatcher(/** @type {string} */ text) {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\w/.:-])${literal}(?![\\w/-]|[.:]\\w)`);
  return (/** @type {string} */ name) => pattern.test(name);
}

/** Decisions and limits in test names that the contract does not have. @returns {string[]} */
function findUnknownTags(/** @type {Contract} */ contract, /** @type {Test[]} */ tests) {
  const known = new Set(subjectsOf(contract).map(({ subject }) => subject));
  const tags = tests.flatMap(({ file, name }) =>
    [...name.matchAll(/\[([a-z]+\/[a-z\d-]+|limit: [^\]]+)\]/g)].map(([, tag]) => ({ file, tag })),
  );
  const isTag = (/** @type {string} */ tag) =>
    tag.startsWith('limit: ') || tag.split('/')[0] in contract.decisions;
  const unknown = tags.filter(({ tag }) => isTag(tag) && !known.has(tag));
  return [...new Set(unknown.map(({ file, tag }) => `${file}: the contract has no [${tag}]`))];
}

/**
 * All problems, one sentence each. `leftOut` is the text of test files that the change cannot affect: what they name was proved before.
 * @returns {string[]}
 */
export function findProblems(
  /** @type {Contract} */ contract,
  /** @type {Test[]} */ tests,
  /** @type {readonly string[]} */ leftOut = [],
) {
  const unproved = proofsOf(contract, tests).filter(
    ({ subject, tests }) => tests.length === 0 && !leftOut.some(nameMatcher(subject)),
  );
  return [
    ...findMistakes(contract),
    ...unproved.map(({ section, subject }) => `No passing test names ${section}: ${subject}`),
    ...findUnknownTags(contract, tests),
  ];
}

/** Writes the table. If all tests ran but those of the files left out, prints the problems. @returns their number */
export function reportProofs(
  /** @type {Test[]} */ tests,
  { isWhole = true, leftOut = /** @type {string[]} */ ([]) } = {},
) {
  const contract = readContract();
  const rows = proofsOf(contract, tests);
  const texts = leftOut.map((file) => readFileSync(join(root, file), 'utf8'));
  const problems = findProblems(contract, tests, texts);
  mkdirSync(dirname(TABLE), { recursive: true });
  writeFileSync(TABLE, tableText(rows));
  const subject = `${rows.length} endpoints, states, limits, codes and decisions`;
  if (!isWhole) {
    const proved = rows.filter(({ tests }) => tests.length > 0).length;
    console.log(`${subject}: ${proved} proved by these tests (.build/proofs.md), all of them by \`--all\``);
    return 0;
  }
  for (const problem of problems) console.error(problem);
  const result = problems.length === 0 ? 'each proved by a test' : `${problems.length} problems`;
  console.log(`${subject}: ${result} (.build/proofs.md)`);
  return problems.length;
}

function tableText(/** @type {Row[]} */ rows) {
  const sections = new Set(rows.map(({ section }) => section));
  const parts = [...sections].map((name) => {
    const lines = rows.filter(({ section }) => section === name).map(lineOf);
    return `## ${name}\n\n| What | Tests |\n|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Proofs: which test proves what\n\n${parts.join('\n')}`;
}

function lineOf(/** @type {Row} */ { subject, about, tests }) {
  const what = about === undefined ? `\`${subject}\`` : `${subject}: ${about.slice(0, 100)}…`;
  const listed = tests.slice(0, MAX_LISTED).map((test) => test.replaceAll('|', '\\|'));
  const more = tests.length > MAX_LISTED ? [`and ${tests.length - MAX_LISTED} more`] : [];
  return `| ${what.replaceAll('|', '\\|')} | ${[...listed, ...more].join('<br>') || '**none**'} |`;
}
