// Applies each mutation of mutation-list.mjs to a copy of the tree and demands that the tests it names turn red: a guard
// that no test misses when it is gone is not guarded. `npm run test:mutations -- --only "a name"` runs those whose name
// contains the text; `--list` only checks that every mutation still fits its file; `--green` takes it as known that the
// unchanged tests are green, as after a full `npm test`.
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
 * @typedef {'red' | 'green' | 'broken' | 'hung'} Verdict `broken`: it failed, but no test did (it does not load, say)
 * @typedef {{ verdict: Verdict, seconds: number, output: string }} Outcome
 */

const lanes = 2;
/** A test that takes this long under a mutation has failed; one that blocks its process is ended a little later. */
const testTimeoutMs = 20_000;
const runTimeoutMs = 90_000;
/** The tests of all mutations of a project in one go. */
const unchangedTimeoutMs = 900_000;

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

  // The same tests must be green on the unchanged copy: otherwise red would prove nothing.
  const isKnown = process.argv.includes('--green');
  const projects = isKnown ? [] : [...new Set(chosen.map(({ project }) => project))];
  await inLanes(projects, copies, async (project, copy) => {
    const members = chosen.filter((mutation) => mutation.project === project);
    const tests = [...new Set(members.flatMap((mutation) => mutation.tests))];
    const { verdict, seconds, output } = await run(copy, { project, tests }, unchangedTimeoutMs);
    console.log(
      `${verdict === 'green' ? 'green' : 'NOT GREEN'}  ${seconds.toFixed(1)} s  unchanged, ${project}`,
    );
    if (verdict !== 'green' && !interrupted)
      throw new Error(`${output}\nThe tests are not green without any mutation.`);
  });

  let survivors = 0;
  await inLanes(chosen, copies, async (mutation, copy) => {
    const path = join(copy, mutation.file);
    const original = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      original.replace(mutation.find, () => mutation.replace),
    );
    const { verdict, seconds, output } = await run(copy, mutation);
    writeFileSync(path, original);
    if (interrupted) return;
    const caught = verdict === 'red';
    if (!caught) survivors += 1;
    const words = { red: 'red', green: 'SURVIVED', broken: 'BROKEN', hung: 'HUNG' }[verdict];
    console.log(
      `${words.padEnd(9)}  ${seconds.toFixed(1).padStart(4)} s  ${mutation.name}  (${mutation.file})`,
    );
    if (verdict === 'broken' || verdict === 'hung') console.log(output);
  });
  if (interrupted) return 130;
  console.log(`\n${chosen.length - survivors} of ${chosen.length} mutations turned a test red.`);
  return survivors === 0 ? 0 : 1;
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
 * @param {string} copy @param {Pick<Mutation, 'project' | 'tests'>} mutation @returns {Promise<Outcome>}
 */
async function run(copy, { project, tests }, timeoutMs = runTimeoutMs) {
  const started = Date.now();
  const counts = join(copy, 'counts.json');
  rmSync(counts, { force: true });
  const env = {
    ...process.env,
    SVC_TEST_COUNTS: counts,
    ...(postgres && { TEST_DATABASE_URL: postgres.url }),
  };
  const build = await node(copy, env, timeoutMs, join('scripts', 'build.mjs'));
  const flags = ['--project', project, '--bail=1', `--testTimeout=${testTimeoutMs}`, '--reporter=dot'];
  const counter = `--reporter=${join(copy, 'scripts', 'count-reporter.mjs')}`;
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const result =
    build.code === 0 ? await node(copy, env, timeoutMs, vitest, 'run', ...flags, counter, ...tests) : build;
  const seconds = (Date.now() - started) / 1000;
  return { verdict: verdictOf(result, counts), seconds, output: result.output };
}

/** @returns {Verdict} */
function verdictOf(/** @type {{ code: number | null }} */ { code }, /** @type {string} */ counts) {
  if (code === null) return 'hung';
  try {
    /** @type {{ projects: Record<string, import('./count-reporter.mjs').Count> }} */
    const { projects } = JSON.parse(readFileSync(counts, 'utf8'));
    const all = Object.values(projects);
    if (all.some(({ failed }) => failed > 0)) return 'red';
    return code === 0 && all.some(({ passed }) => passed > 0) ? 'green' : 'broken';
  } catch {
    return 'broken';
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
