// `npm test`: set-up, a PostgreSQL server, vitest, and finally a count for each database.
//   (nothing)   the quick suite, without the files that have the tag `ci` (scripts/testing/tags.mjs)
//   --all       everything but the long tests; needs a browser
//   --changed   as --all, without slow tests of what the change does not touch (CI)
//   --long      the long tests, `*.long.test.ts`, one after another (`npm run test:long`)
//   --embedded-postgres   starts a PostgreSQL server for this run, even if another is available
// The first three fail unless they tested on both databases. `--all` and `--changed` fail unless every promise of the contract is
// proved by a test (scripts/checks/proofs.mjs); the quick suite prints the table only.
// Other arguments go to vitest and select from all tests: a file filter, `--project zk`, `-t name`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';
import { calibrate } from './testing/calibration.mjs';
import { changedFiles } from './testing/changed-files.mjs';
import { ensureChromium, findChromium } from './testing/chromium.mjs';
import { counterparts, hasCounterpart, tryCounterparts } from './testing/counterparts.mjs';
import { readNotes, tableLines, usedByFile } from './testing/cpu-table.mjs';
import { leftOut } from './testing/tags.mjs';
import {
  announcements,
  duration,
  isOptional,
  leftOutLines,
  missingLines,
  planRun,
  programsOf,
  shortVersion,
} from './testing/test-plan.mjs';

const plan = planRun(process.argv.slice(2));
const isWhole = ['quick', 'changed', 'all'].includes(plan.suite);
const startedAt = Date.now();
console.log(announcements[plan.suite]);

await setUp();
const { openPostgres } = await import('./testing/test-databases.mjs');
const { findCitus } = await import('./testing/citus.mjs');
const { reportProofs } = await import('./checks/proofs.mjs');

/** @type {import('node:child_process').ChildProcess | undefined} */
let vitest;
/** @type {NodeJS.Signals | undefined} */
let interrupted;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted = signal;
    vitest?.kill(signal);
  });
}

const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
/** @type {import('./testing/test-databases.mjs').TestServer | undefined} */
let postgres;
try {
  const chromium = findBrowser();
  if (isWhole && plan.suite !== 'quick') tryCounterparts();
  const missing = missingPrograms(chromium);
  if (plan.usesPostgres) {
    postgres = await openPostgres({ embedded: plan.embedded });
    console.log(`${shortVersion(postgres.version)} (${postgres.source})`);
  }
  if (isWhole && missing.length === 0)
    console.log(`Also needed, and found: ${programsOf(plan.suite).join(', ')}`);
  for (const line of missingLines(missing)) console.error(line);
  if (plan.suite === 'long' && findCitus() === undefined)
    console.error(
      '!! NOT TESTED: the Citus cluster, because no PostgreSQL on this machine has the extension Citus.',
    );
  const before = isWhole ? calibrate() : 0;
  const code = interrupted ? 1 : await runVitest(chromium, missing);
  if (isWhole && !interrupted) reportCpu(before);
  process.exitCode = interrupted ? 130 : await report(code, missing);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await postgres?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The quick suite and most selections skip the browser tests if there is no browser. */
function findBrowser() {
  if (plan.browser === 'unused') return undefined;
  return plan.browser === 'required' ? ensureChromium() : findChromium();
}

/** Missing programs whose tests this run skips. In other suites these tests fail and name the program. */
function missingPrograms(/** @type {string | undefined} */ chromium) {
  const has = (/** @type {string} */ name) =>
    counterparts.includes(name) ? hasCounterpart(name) : spawnSync(name, ['--version']).error === undefined;
  const isMissing = (/** @type {string} */ name) =>
    name === 'chromium'
      ? plan.browser === 'optional' && chromium === undefined
      : isOptional(plan.suite, name) && !has(name);
  return programsOf(plan.suite).filter(isMissing);
}

async function runVitest(
  /** @type {string | undefined} */ chromium,
  /** @type {readonly string[]} */ missing,
) {
  const ours = (/** @type {string} */ name) => `--reporter=${join(root, 'scripts', 'testing', name)}`;
  const namesReporter = plan.vitestArgs.some((arg) => arg.startsWith('--reporter'));
  const shown = plan.suite === 'selected' ? '--reporter=default' : ours('progress-reporter.mjs');
  const reporters = [...(namesReporter ? [] : [shown]), ours('count-reporter.mjs')];
  const command = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters];
  vitest = spawn(process.execPath, [...command, ...plan.vitestArgs], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...postgres?.env,
      ...(chromium && { CHROMIUM_PATH: chromium }),
      SVC_TESTS: plan.suite,
      SVC_TESTS_WITHOUT: missing.join(),
      SVC_TEST_COUNTS: join(folder, 'counts.json'),
      ...(isWhole && { SVC_TEST_CPU: join(folder, 'cpu.jsonl') }),
    },
  });
  const [code] = await once(vitest, 'exit');
  return code ?? 1;
}

/** Prints what the tests used, and writes it to .build/cpu.json. */
function reportCpu(/** @type {number} */ before) {
  const notes = join(folder, 'cpu.jsonl');
  if (!existsSync(notes)) return;
  const used = usedByFile(readNotes(notes), root);
  const calibration = { before, after: calibrate() };
  for (const line of tableLines(used, calibration)) console.log(line);
  mkdirSync(join(root, '.build'), { recursive: true });
  writeFileSync(join(root, '.build', 'cpu.json'), JSON.stringify({ suite: plan.suite, calibration, used }));
}

/** Prints the closing summary and returns the exit code. */
async function report(/** @type {number} */ code, /** @type {readonly string[]} */ missing) {
  /** @type {import('./testing/count-reporter.mjs').Report} */
  let counts = { projects: {}, tests: [], unhandled: 0 };
  try {
    counts = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
  } catch {
    // vitest ended before it could count anything, and has printed the reason
  }
  const all = Object.values(counts.projects);
  const sum = (/** @type {keyof import('./testing/count-reporter.mjs').Count} */ key) =>
    all.reduce((n, count) => n + count[key], 0);
  const ran = (/** @type {string} */ name) =>
    (counts.projects[name]?.passed ?? 0) + (counts.projects[name]?.failed ?? 0);

  const databases = [
    { name: 'PGlite', tests: ran('pglite'), source: 'embedded' },
    {
      name: 'PostgreSQL',
      tests: ran('postgres') + ran('long'),
      source: postgres ? `${shortVersion(postgres.version)}, ${postgres.source}` : '',
    },
  ];
  for (const { name, tests, source } of databases) {
    if (tests > 0) console.log(`${name.padEnd(10)}  ${tests} tests  (${source})`);
  }
  const untested = isWhole ? databases.filter(({ tests }) => tests === 0) : [];
  for (const { name } of untested)
    console.error(`No test ran on ${name}: this run must test both databases.`);
  const unseen = isWhole && ran('pages') === 0 && !missing.includes('chromium') ? 1 : 0;
  if (unseen) console.error('No page was tested in a browser: this run must do that too.');
  if (sum('skipped') > 0) console.log(`${sum('skipped')} skipped`);
  if (counts.unhandled > 0) console.error(`Errors outside any test: ${counts.unhandled}`);

  // The programs of others prove nothing else.
  const isProof = isWhole && missing.every((name) => name === 'chromium' || counterparts.includes(name));
  const files = leftOut(plan.suite, changedFiles(root));
  const unproved = isProof
    ? reportProofs(counts.tests, { isWhole: plan.suite !== 'quick', leftOut: files })
    : 0;

  const failures = sum('failed') + sum('broken') + counts.unhandled + untested.length + unseen + unproved;
  const failed = Math.max(failures, code === 0 ? 0 : 1);
  for (const line of leftOutLines(plan.suite, { files: files.length, tests: sum('left'), missing }))
    console.log(line);
  console.log(`${sum('passed')} passed, ${failed} failed in ${duration(Date.now() - startedAt)}`);
  return failed === 0 ? 0 : 1;
}
