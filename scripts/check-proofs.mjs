// contract/PROOFS.md names, for each endpoint, state, limit, code, scope, event, action, header and decision of the
// contract, the tests that prove it. Here it is held against both sides: the contract demands the rows, and the tests
// have to be there. `npm test` does so with what its full run passed; alone (a step of `npm run check`) this asks vitest
// for the list of tests, which runs none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, setUp } from './setup.mjs';

/**
 * A test as vitest knows it; `state` and `ms` are absent when it was listed and not run.
 * @typedef {{ project: string, file: string, name: string, state?: string, ms?: number }} Test
 * @typedef {{ section: string, subject: string, proofs: string[], line: number }} Row
 * @typedef {{ spec: string, decisions: string, routes: string, errors: string, actions: string }} Contract
 */

const TABLE = 'contract/PROOFS.md';

/** @returns {Contract & { table: string }} */
function readSources() {
  const read = (/** @type {string} */ name) => readFileSync(join(root, 'contract', name), 'utf8');
  return {
    spec: read('SPEC.md'),
    decisions: read('DECISIONS.md'),
    routes: read('routes.txt'),
    errors: read('errors.txt'),
    actions: read('audit-actions.txt'),
    table: read('PROOFS.md'),
  };
}

/** Text without Markdown's marks, so that a row may be set as it reads best. */
const plain = (/** @type {string} */ text) =>
  text
    .replace(/\\([|*<>`])/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The cells of each line of a table; a `|` inside a code span or behind a backslash is text. */
const cellsOf = (/** @type {string} */ line) =>
  line
    .replace(/`[^`]*`/g, (code) => code.replaceAll('|', '\\|'))
    .split(/(?<!\\)\|/)
    .slice(1, -1);

/**
 * The tables of a Markdown text, each row with the headings above it and its cells by column.
 * @returns {{ headings: string[], cells: Record<string, string>, line: number }[]}
 */
function tablesOf(/** @type {string} */ markdown) {
  /** @type {string[]} */
  const headings = [];
  /** @type {string[] | undefined} */
  let columns;
  const rows = [];
  for (const [index, text] of markdown.split('\n').entries()) {
    const heading = /^(#+) (.*)$/.exec(text);
    if (heading) headings.splice(heading[1].length - 1, Infinity, plain(heading[2]));
    if (!text.startsWith('|')) columns = undefined;
    else if (!columns) columns = cellsOf(text).map(plain);
    else if (!/^[|\s:-]+$/.test(text)) {
      const cells = cellsOf(text);
      rows.push({
        headings: [...headings],
        cells: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])),
        line: index + 1,
      });
    }
  }
  return rows;
}

/** The rows of the table of proofs. @returns {Row[]} */
export function rowsOf(/** @type {string} */ table) {
  return tablesOf(table).map(({ headings, cells, line }) => {
    const [subject = '', proofs = ''] = Object.values(cells);
    return {
      section: headings[1] ?? '',
      subject: plain(subject),
      proofs: proofs.split('<br>').map(plain).filter(Boolean),
      line,
    };
  });
}

/** What the contract has under each section's name, one row each. @returns {Record<string, string[]>} */
export function requiredRows(/** @type {Contract} */ { spec, routes, errors, actions }) {
  const tables = tablesOf(spec);
  const under = (/** @type {string} */ heading) =>
    tables.filter(({ headings }) => headings.includes(heading));
  const lines = (/** @type {string} */ text) =>
    text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const part = (/** @type {string} */ heading) => spec.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';

  const endpoints = under('Endpoints')
    .filter(({ cells }) => cells.Path)
    .map(({ cells }) => `${plain(cells.Method)} ${plain(cells.Path).replace(/ \(.*/, '')}`);
  const states = under('States and transitions').map(({ headings, cells }) =>
    plain(
      `${headings.at(-1)}: ${cells.State} → ${cells['Next state'] ?? cells.Next} by ${cells['Moved by']}`,
    ),
  );
  const codes = under('Errors').map(({ cells }) => {
    const code = plain(cells.Code);
    return /^[a-z_]+$/.test(code) ? code : `${plain(cells.HTTP)} ${code}`;
  });
  const required = {
    Endpoints: [...endpoints, ...lines(routes).map((line) => line.split(/\s+/, 2).join(' '))],
    'States and transitions': states,
    Limits: under('Limits').map(({ cells }) => plain(cells.Limit)),
    'Error codes': [...codes, ...lines(errors).map((line) => line.split(/\s+/)[1])],
    Scopes: part('Scopes').match(/(?<=`)[a-z_]+:[a-z]+(?=`)/g) ?? [],
    Events: under('Server-Sent Events on the pairing stream').map(({ cells }) => plain(cells.Event)),
    'Audit actions': lines(actions).map((line) => line.split(/\s+/)[0]),
    Headers: part('Response headers on every authenticated /v1 response').match(/(?<=`)X-[\w-]+/g) ?? [],
  };
  return Object.fromEntries(Object.entries(required).map(([name, rows]) => [name, [...new Set(rows)]]));
}

/** The decisions, a bullet each, under the number of their section. */
function decisionsOf(/** @type {string} */ decisions) {
  const bullets = [];
  for (const section of decisions.split(/^## /m).slice(1)) {
    const [number] = section.split('.');
    for (const bullet of section.split(/^- /m).slice(1)) bullets.push({ number, text: plain(bullet) });
  }
  return bullets;
}

/**
 * What is wrong with the table, a sentence each. A row stands for what the contract has under that name or, in quotation
 * marks, for words that stand in SPEC.md or DECISIONS.md; of each decision at least one row quotes something.
 * @param {{ contract: Contract, table: string, tests: Test[] }} input
 * @returns {string[]}
 */
export function findProblems({ contract, table, tests }) {
  /** @type {string[]} */
  const problems = [];
  const rows = rowsOf(table);
  const required = requiredRows(contract);
  const texts = [plain(contract.spec), plain(contract.decisions)];
  const quoteOf = ({ subject }) => /^“(.+)”$/.exec(subject)?.[1];
  const at = (/** @type {Row} */ row) => `${TABLE}:${row.line}: ${row.section}: ${row.subject}`;

  for (const [section, subjects] of Object.entries(required)) {
    if (subjects.length === 0) problems.push(`nothing was read from the contract for “${section}”`);
    const present = new Set(rows.filter((row) => row.section === section).map(({ subject }) => subject));
    for (const subject of subjects)
      if (!present.has(subject)) problems.push(`${TABLE} has no row for ${section}: ${subject}`);
  }
  const quotes = rows.map(quoteOf).filter((quote) => quote !== undefined);
  for (const { number, text } of decisionsOf(contract.decisions))
    if (!quotes.some((quote) => text.includes(quote)))
      problems.push(`${TABLE} quotes nothing of the decision in §${number}: ${text.slice(0, 60)}…`);

  /** @type {Map<string, Test[]>} */
  const byName = new Map();
  /** @type {Map<string, Set<string>>} */
  const projectsOf = new Map();
  for (const test of tests) {
    const key = plain(`${test.file} › ${test.name.replaceAll(' > ', ' › ')}`);
    byName.set(key, [...(byName.get(key) ?? []), test]);
    projectsOf.set(test.file, (projectsOf.get(test.file) ?? new Set()).add(test.project));
  }
  const seen = new Set();
  for (const row of rows) {
    const quote = quoteOf(row);
    if (quote === undefined && !required[row.section]?.includes(row.subject))
      problems.push(`${at(row)}: the contract has no such thing`);
    if (quote !== undefined && !texts.some((text) => text.includes(quote)))
      problems.push(`${at(row)}: these words stand neither in SPEC.md nor in DECISIONS.md`);
    if (seen.has(`${row.section} ${row.subject}`)) problems.push(`${at(row)}: a second row`);
    seen.add(`${row.section} ${row.subject}`);
    if (row.proofs.length === 0) problems.push(`${at(row)}: no test proves it`);
    for (const proof of row.proofs) {
      const found = byName.get(proof) ?? [];
      if (found.length === 0) problems.push(`${at(row)}: there is no test “${proof}”`);
      for (const project of found.length > 0 ? (projectsOf.get(found[0].file) ?? []) : []) {
        const here = found.filter((test) => test.project === project);
        const bad = here.find(({ state = 'passed' }) => state !== 'passed');
        if (here.length === 0) problems.push(`${at(row)}: “${proof}” is not among the tests of ${project}`);
        else if (bad) problems.push(`${at(row)}: “${proof}” is ${bad.state} on ${project}`);
      }
    }
  }
  return problems;
}

/** Says what is wrong; the number of problems. */
export function reportProofs(/** @type {Test[]} */ tests) {
  const { table, ...contract } = readSources();
  const problems = findProblems({ contract, table, tests });
  for (const problem of problems) console.error(problem);
  const rows = rowsOf(table).length;
  console.log(
    `${rows} rows of ${TABLE}: ${problems.length === 0 ? 'all proved' : `${problems.length} problems`}`,
  );
  return problems.length;
}

/** Every test that `npm test` runs, as vitest collects them. @returns {Promise<Test[]>} */
async function listTests() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proofs-'));
  try {
    const file = join(folder, 'tests.json');
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'list', '--project=!long', `--json=${file}`], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error('vitest could not list the tests.');
    /** @type {{ name: string, file: string, projectName: string }[]} */
    const listed = JSON.parse(readFileSync(file, 'utf8'));
    return listed.map((test) => ({
      project: test.projectName,
      file: relative(root, test.file).replaceAll('\\', '/'),
      name: test.name,
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await setUp();
  process.exitCode = reportProofs(await listTests()) === 0 ? 0 : 1;
}
