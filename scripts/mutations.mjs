// Applies each mutation of mutation-list.mjs to a copy of the tree and demands that the tests it names turn red: a guard
// that no test misses when it is gone is not guarded. `npm run test:mutations -- --only "a name"` runs those whose name
// contains the text; `--list` only checks that every mutation still fits its file; `--green` takes it as known that the
// unchanged tests are green, as after a full `npm test`.
//
// mutation-killers.json remembers for each mutation one test that it turned red. A run first shows that these tests, by
// themselves, are green without any mutation, and then tries each mutation's alone, in a fraction of the time; where that one is
// gone, not green, or not turned red, all the tests that the mutation names decide. `--record` writes down what turned
// red where it was not the remembered one; `--new` runs those of which nothing is remembered yet.
//
// All take a quarter of an hour. `--third` runs every third, another third with each commit, and all that are new.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mutations } from './mutation-list.mjs';
import { root, setUp } from './setup.mjs';
import { trackedFiles } from './tracked-files.mjs';

/**
 * @typedef {object} Mutation
 * @property {string} name the promise that is broken, in words
 * @property {string} file
 * @property {string} find exact text that occurs once in the file
 * @property {string} replace
 * @property {string[]} tests vitest file filters
 * @property {'zk' | 'chain' | 'server' | 'pglite' | 'postgres'} project
 *
 * @typedef {{ file: string, test: string }} Killer
 * @typedef {{ project: string, files: string[], names?: string[], bail?: number }} Selection files are vitest filters
 * @typedef {'red' | 'green' | 'broken' | 'hung'} Verdict `broken`: it failed, but no test did (it does not load, say)
 * @typedef {{ verdict: Verdict, tests: import('./check-proofs.mjs').Test[], output: string }} Outcome
 */

const lanes = 2;
/** A test that takes this long under a mutation has failed; one that blocks its process is ended a little later. */
const testTimeoutMs = 20_000;
const runTimeoutMs = 90_000;
/** The tests of all mutations of a project in one go. */
const unchangedTimeoutMs = 900_000;
const killersFile = join(root, 'scripts', 'mutation-killers.json');
/** @type {Record<string, Killer>} */
const killers = JSON.parse(readFileSync(killersFile, 'utf8'));
const isRecording = process.argv.includes('--record');
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const isNew = process.argv.includes('--new');
const isThird = process.argv.includes('--third');
const turn = isThird ? turnOfCommit() : 0;
const chosen = mutations.filter(
  ({ name }, at) =>
    (only === undefined || name.includes(only)) &&
    !(isNew && name in killers) &&
    (!isThird || at % 3 === turn || !(name in killers)),
);
await setUp();
const testFiles = listTestFiles();
const misfits = chosen.flatMap(misfit);
if (chosen.length === 0) misfits.push('No mutation is like that.');
if (misfits.length > 0) {
  console.error(misfits.join('\n'));
  process.exit(1);
}
if (process.argv.includes('--list')) {
  for (const { name, file } of chosen) console.log(`${file}: ${name}`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-mutations-'));
/** @type {import('./test-databases.mjs').TestServer | undefined} */
let postgres;
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let interrupted = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill('SIGTERM');
  });
}
try {
  if (chosen.some(({ project }) => project === 'postgres')) {
    postgres = await (await import('./test-databases.mjs')).openPostgres();
  }
  process.exitCode = await main();
} finally {
  await postgres?.close();
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const copies = Array.from({ length: lanes }, (_, i) => copyTree(join(folder, `copy-${i}`)));
  if (!process.argv.includes('--green')) await demandGreen(copies);
  const trusted = await greenKillers(copies);

  let survivors = 0;
  let long = 0;
  await inLanes(chosen, copies, async (mutation, copy) => {
    const started = Date.now();
    const { verdict, output, isLong } = await tryMutation(mutation, copy, trusted);
    if (interrupted) return;
    if (isLong) long += 1;
    if (verdict !== 'red') survivors += 1;
    const words = { red: 'red', green: 'SURVIVED', broken: 'BROKEN', hung: 'HUNG' }[verdict];
    console.log(
      `${words.padEnd(9)}  ${secondsSince(started)}${isLong ? ' *' : '  '} ${mutation.name}  (${mutation.file})`,
    );
    if (verdict === 'broken' || verdict === 'hung') console.log(output);
  });
  if (interrupted) return 130;
  console.log(`\n${chosen.length - survivors} of ${chosen.length} mutations turned a test red.`);
  if (long > 0 && !isRecording)
    console.log(
      `${long} of them needed all their tests (*): \`npm run test:mutations -- --record\` remembers which turned red.`,
    );
  return survivors === 0 ? 0 : 1;
}

function projectsOf(/** @type {Mutation[]} */ of) {
  return [...new Set(of.map(({ project }) => project))];
}

/** The same tests must be green on the unchanged copy: otherwise red would prove nothing. */
async function demandGreen(/** @type {string[]} */ copies) {
  await inLanes(projectsOf(chosen), copies, async (project, copy) => {
    const started = Date.now();
    const members = chosen.filter((mutation) => mutation.project === project);
    const files = [...new Set(members.flatMap(({ tests }) => tests))];
    const { verdict, output } = await run(copy, { project, files }, unchangedTimeoutMs);
    console.log(
      `${verdict === 'green' ? 'green' : 'NOT GREEN'}  ${secondsSince(started)}  unchanged, ${project}`,
    );
    if (verdict !== 'green' && !interrupted)
      throw new Error(`${output}\nThe tests are not green without any mutation.`);
  });
}

/** The remembered tests that pass on the unchanged copy while those around them do not run. */
async function greenKillers(/** @type {string[]} */ copies) {
  /** @type {Set<string>} */
  const green = new Set();
  const known = chosen.filter(({ name }) => name in killers);
  await inLanes(projectsOf(known), copies, async (project, copy) => {
    const started = Date.now();
    const members = known.flatMap(({ name, project: of }) => (of === project ? [killers[name]] : []));
    const files = [...new Set(members.map(({ file }) => file))];
    const names = [...new Set(members.map(({ test }) => test))];
    const { tests } = await run(copy, { project, files, names, bail: 0 }, unchangedTimeoutMs);
    for (const { file, name, state } of tests)
      if (state === 'passed') green.add(killerId({ file, test: name }));
    const count = members.filter((killer) => green.has(killerId(killer))).length;
    console.log(`green      ${secondsSince(started)}  ${count} of ${members.length} killers, ${project}`);
  });
  return green;
}

function killerId(/** @type {Killer} */ { file, test }) {
  return `${file} › ${test}`;
}

/** @returns {Promise<Outcome & { isLong: boolean }>} `isLong`: no killer alone decided */
async function tryMutation(
  /** @type {Mutation} */ { name, project, tests, file, find, replace },
  /** @type {string} */ copy,
  /** @type {Set<string>} */ trusted,
) {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(find, () => replace),
  );
  try {
    const killer = killers[name];
    if (killer !== undefined && trusted.has(killerId(killer))) {
      const outcome = await run(copy, { project, files: [killer.file], names: [killer.test] });
      if (outcome.verdict === 'red' || interrupted) return { ...outcome, isLong: false };
    }
    const outcome = await run(copy, { project, files: tests });
    if (isRecording && outcome.verdict === 'red') record(name, outcome);
    return { ...outcome, isLong: true };
  } finally {
    writeFileSync(path, original);
  }
}

/** At once, for a recording takes long; in the order of their names, so that changes of several people merge. */
function record(/** @type {string} */ name, /** @type {Outcome} */ { tests }) {
  const [quickest] = tests
    .filter(({ state }) => state === 'failed')
    .sort((left, right) => (left.ms ?? 0) - (right.ms ?? 0));
  if (quickest === undefined) return;
  killers[name] = { file: quickest.file, test: quickest.name };
  const names = mutations.map((mutation) => mutation.name).filter((known) => known in killers);
  const sorted = Object.fromEntries(names.sort().map((known) => [known, killers[known]]));
  writeFileSync(killersFile, `${JSON.stringify(sorted, null, 2)}\n`);
}

function secondsSince(/** @type {number} */ started) {
  return `${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s`;
}

/** The commit's hash decides, so that whoever runs it again for the same commit gets the same third. */
function turnOfCommit() {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root }).toString();
  return Number.parseInt(commit.slice(0, 8), 16) % 3;
}

/** Why a mutation cannot be applied, if so. */
function misfit(/** @type {Mutation} */ { name, file, find, replace, tests, project }) {
  const occurrences = readFileSync(join(root, file), 'utf8').split(find).length - 1;
  if (occurrences !== 1)
    return [`"${name}": its text occurs ${occurrences} times in ${file}, and must occur once.`];
  if (find === replace) return [`"${name}": it changes nothing.`];
  if (tests.length === 0) return [`"${name}": it names no tests.`];
  const isRun = (/** @type {string} */ test) =>
    testFiles.some(({ file: path, projectName }) => projectName === project && path.includes(test));
  return tests.filter((test) => !isRun(test)).map((test) => `"${name}": ${project} does not run ${test}.`);
}

/** @returns {{ file: string, projectName: string }[]} which project runs which files */
function listTestFiles() {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const listing = execFileSync(process.execPath, [vitest, 'list', '--filesOnly', '--json'], { cwd: root });
  return JSON.parse(listing.toString());
}

/**
 * Copies the sources, uncommitted ones too, and lends the installed packages. The workspaces' links under node_modules
 * are made anew: the lent ones would lead back to the unmutated tree.
 */
function copyTree(/** @type {string} */ copy) {
  for (const file of trackedFiles()) cpSync(join(root, file), join(copy, file));
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const where of ['.', ...workspaces])
    lendModules(join(root, where, 'node_modules'), join(copy, where, 'node_modules'));
  for (const workspace of workspaces) {
    const { name } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'));
    const link = join(copy, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(copy, workspace), link, 'junction');
  }
  return copy;
}

function lendModules(/** @type {string} */ from, /** @type {string} */ to) {
  /** @type {string[]} */
  let names = [];
  try {
    names = readdirSync(from);
  } catch {
    return; // this workspace has no packages of its own
  }
  mkdirSync(to, { recursive: true });
  // Dot-entries are caches and records of the lender.
  for (const name of names.filter((entry) => entry !== '@svc' && !entry.startsWith('.'))) {
    symlinkSync(join(from, name), join(to, name), 'junction');
  }
}

/**
 * Builds the copy (worker threads and spawned servers run from dist/) and runs the tests in it.
 * @param {string} copy @param {Selection} selection @returns {Promise<Outcome>}
 */
async function run(copy, { project, files, names, bail = 1 }, timeoutMs = runTimeoutMs) {
  try {
    const builder = await import(pathToFileURL(join(copy, 'scripts', 'build.mjs')).href);
    await builder.build();
  } catch (error) {
    return { verdict: 'broken', tests: [], output: String(error) };
  }
  const counts = join(copy, 'counts.json');
  rmSync(counts, { force: true });
  const env = {
    ...process.env,
    SVC_TEST_COUNTS: counts,
    ...(postgres && { TEST_DATABASE_URL: postgres.url }),
  };
  const flags = [`--project=${project}`, `--bail=${bail}`, `--testTimeout=${testTimeoutMs}`];
  if (names) flags.push(`--testNamePattern=^(?:${names.map(patternOf).join('|')})$`);
  // What did not change is transformed once in each copy.
  flags.push('--experimental.fsModuleCache', '--reporter=dot');
  const counter = `--reporter=${join(copy, 'scripts', 'count-reporter.mjs')}`;
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const { code, output } = await node(copy, env, timeoutMs, vitest, 'run', ...flags, counter, ...files);
  return { ...verdictOf(code, counts), output };
}

/** vitest matches names in which a blank stands between a suite and its test; its reports say ` > `. */
function patternOf(/** @type {string} */ name) {
  const parts = name.split(' > ').map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return parts.join(' (?:> )?');
}

/** @returns {Omit<Outcome, 'output'>} */
function verdictOf(/** @type {number | null} */ code, /** @type {string} */ counts) {
  if (code === null) return { verdict: 'hung', tests: [] };
  try {
    /** @type {import('./count-reporter.mjs').Report} */
    const { projects, tests } = JSON.parse(readFileSync(counts, 'utf8'));
    const all = Object.values(projects);
    if (all.some(({ failed }) => failed > 0)) return { verdict: 'red', tests };
    const isGreen = code === 0 && all.some(({ passed }) => passed > 0);
    return { verdict: isGreen ? 'green' : 'broken', tests };
  } catch {
    return { verdict: 'broken', tests: [] };
  }
}

/** @returns {Promise<{ code: number | null, output: string }>} `code` is null when it had to be ended */
async function node(
  /** @type {string} */ cwd,
  /** @type {NodeJS.ProcessEnv} */ env,
  /** @type {number} */ timeout,
  /** @type {string[]} */ ...args
) {
  const child = spawn(process.execPath, args, { cwd, env, timeout, killSignal: 'SIGKILL' });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  running.delete(child);
  return { code, output };
}

/**
 * Works through the items, one at a time in each copy.
 * @template T
 * @param {T[]} items @param {string[]} copies @param {(item: T, copy: string) => Promise<void>} work
 */
async function inLanes(items, copies, work) {
  const queue = [...items];
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = queue.shift(); item !== undefined && !interrupted; item = queue.shift())
        await work(item, copy);
    }),
  );
}
