// Applies each mutation of mutation-list.mjs to a copy of the tree and demands that the tests it names turn red: a guard
// that no test misses when it is gone is not guarded. `npm run test:mutations -- --only "a name"` runs those whose name
// contains the text; `--list` only checks that every mutation still fits its file; `--green` takes it as known that the
// unchanged tests are green, as after a full `npm test`.
//
// mutation-killers.json remembers for each mutation one test that it turns red, so that a run first tries that test alone,
// in a fifth of the time; where it does not turn red, all the tests that the mutation names decide. A killer is evidence
// only as long as it is green without the mutation: every run first shows that. `--record` writes the killers of those that
// had none, or had one that no longer decides.
import { spawn } from 'node:child_process';
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
 * @property {'zk' | 'server' | 'pglite' | 'postgres'} project
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
/** While recording, the tests go on until so many are red, and the quickest of them is the killer. */
const candidates = 3;

const killersFile = join(root, 'scripts', 'mutation-killers.json');
/** @type {Record<string, Killer>} */
const killers = JSON.parse(readFileSync(killersFile, 'utf8'));
const isRecording = process.argv.includes('--record');
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const chosen = mutations.filter(({ name }) => only === undefined || name.includes(only));
const misfits = chosen.flatMap(misfit);
if (chosen.length === 0) misfits.push(`No mutation's name contains "${only}".`);
if (misfits.length > 0) {
  console.error(misfits.join('\n'));
  process.exit(1);
}
if (process.argv.includes('--list')) {
  for (const { name, file } of chosen) console.log(`${file}: ${name}`);
  process.exit(0);
}

await setUp();
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
  await inLanes(unchangedRuns(), copies, async (selection, copy) => {
    const started = Date.now();
    const { verdict, output } = await run(copy, selection, unchangedTimeoutMs);
    const what = selection.names ? 'killers' : 'tests';
    // A killer that is gone is no fault here: its mutation goes the long way.
    const isGreen = verdict === 'green' || (selection.names !== undefined && verdict === 'broken');
    console.log(
      `${isGreen ? 'green' : 'NOT GREEN'}  ${secondsSince(started)}  unchanged ${what}, ${selection.project}`,
    );
    if (!isGreen && !interrupted)
      throw new Error(`${output}\nThe ${what} are not green without any mutation.`);
  });

  let survivors = 0;
  let long = 0;
  await inLanes(chosen, copies, async (mutation, copy) => {
    const started = Date.now();
    const { verdict, output, isLong } = await tryMutation(mutation, copy);
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
      `${long} of them needed all their tests (*): \`npm run test:mutations -- --record\` finds their killers anew.`,
    );
  return survivors === 0 ? 0 : 1;
}

/** What must be green on the unchanged copy: otherwise red would prove nothing. */
function unchangedRuns() {
  const isKnown = process.argv.includes('--green');
  return [...new Set(chosen.map(({ project }) => project))].flatMap((project) => {
    const members = chosen.filter((mutation) => mutation.project === project);
    const known = members.flatMap(({ name }) => killers[name] ?? []);
    const whole = { project, files: [...new Set(members.flatMap(({ tests }) => tests))] };
    const few = {
      project,
      files: [...new Set(known.map(({ file }) => file))],
      names: known.map(({ test }) => test),
    };
    return [...(isKnown ? [] : [whole]), ...(known.length > 0 ? [few] : [])];
  });
}

/** @returns {Promise<Outcome & { isLong: boolean }>} `isLong`: the killer alone did not decide */
async function tryMutation(/** @type {Mutation} */ mutation, /** @type {string} */ copy) {
  const { name, project, tests } = mutation;
  const path = join(copy, mutation.file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(mutation.find, () => mutation.replace),
  );
  try {
    const killer = killers[name];
    if (killer !== undefined) {
      const outcome = await run(copy, alone(project, killer));
      if (outcome.verdict === 'red' || interrupted) return { ...outcome, isLong: false };
    }
    const outcome = await run(copy, { project, files: tests, bail: isRecording ? candidates : 1 });
    if (isRecording) {
      delete killers[name];
      const found = outcome.verdict === 'red' && (await findKiller(copy, project, outcome, path, original));
      if (found) killers[name] = found;
      writeKillers(); // at once: a recording takes long
    }
    return { ...outcome, isLong: true };
  } finally {
    writeFileSync(path, original);
  }
}

/** The quickest of the tests that failed which also decides alone: red with the mutation, green without. */
async function findKiller(
  /** @type {string} */ copy,
  /** @type {string} */ project,
  /** @type {Outcome} */ { tests },
  /** @type {string} */ path,
  /** @type {string} */ original,
) {
  const mutated = readFileSync(path, 'utf8');
  const failed = tests.filter(({ state }) => state === 'failed');
  for (const { file, name } of failed.sort((left, right) => (left.ms ?? 0) - (right.ms ?? 0))) {
    const killer = { file, test: name };
    writeFileSync(path, mutated);
    if ((await run(copy, alone(project, killer))).verdict !== 'red') continue;
    writeFileSync(path, original);
    if ((await run(copy, alone(project, killer))).verdict === 'green') return killer;
  }
  return undefined;
}

/** @returns {Selection} */
function alone(/** @type {string} */ project, /** @type {Killer} */ { file, test }) {
  return { project, files: [file], names: [test] };
}

/** In the order of their names, so that changes of several people merge. */
function writeKillers() {
  const names = mutations.map(({ name }) => name).filter((name) => name in killers);
  const sorted = Object.fromEntries(names.sort().map((name) => [name, killers[name]]));
  writeFileSync(killersFile, `${JSON.stringify(sorted, null, 2)}\n`);
}

function secondsSince(/** @type {number} */ started) {
  return `${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s`;
}

/** Why a mutation cannot be applied, if so. */
function misfit(/** @type {Mutation} */ { name, file, find, replace, tests, project }) {
  const occurrences = readFileSync(join(root, file), 'utf8').split(find).length - 1;
  if (occurrences !== 1)
    return [`"${name}": its text occurs ${occurrences} times in ${file}, and must occur once.`];
  if (find === replace) return [`"${name}": it changes nothing.`];
  return tests.length === 0 || !project ? [`"${name}": it names no tests or no project.`] : [];
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
