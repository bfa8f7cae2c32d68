// `npm test`: set-up, a PostgreSQL, vitest, and a closing count for each database. Arguments go to vitest (a file filter,
// `--project zk`, `-t name`). A run without any is the full run: it fails unless tests ran on both databases, and unless
// every row of contract/PROOFS.md names tests that passed (scripts/check-proofs.mjs).
// `--embedded-postgres` leaves other servers alone and tests on a PostgreSQL of our own. `--long` (`npm run test:long`) runs
// the suites `*.long.test.ts`, which nothing else runs, one after another.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { root, setUp } from './setup.mjs';

const own = '--embedded-postgres';
const long = '--long';
const isLong = process.argv.includes(long);
const args = process.argv.slice(2).filter((arg) => arg !== own && arg !== long);
const isFullRun = args.length === 0 && !isLong;
const namesProject = args.some((arg) => arg.startsWith('--project'));
const projects = isLong
  ? ['--project=long', '--no-file-parallelism']
  : namesProject
    ? []
    : ['--project=!long'];

await setUp();
const { openPostgres, pgliteVersion } = await import('./test-databases.mjs');
const { reportProofs } = await import('./check-proofs.mjs');

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
/** @type {import('./test-databases.mjs').TestServer | undefined} */
let postgres;
try {
  if (needsPostgres()) postgres = await openPostgres({ embedded: process.argv.includes(own) });
  const code = interrupted ? 1 : await runVitest();
  process.exitCode = interrupted ? 130 : report(code);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await postgres?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The projects that the arguments name; none: all. */
function namedProjects() {
  return args.flatMap((arg, i) =>
    arg.startsWith('--project=') ? arg.slice('--project='.length) : args[i - 1] === '--project' ? arg : [],
  );
}

/** Only a run that is limited to other projects can do without. */
function needsPostgres() {
  const named = namedProjects();
  return (
    named.length === 0 || named.some((name) => !['zk', 'chain', 'server', 'pglite', 'pages'].includes(name))
  );
}

function needsBrowser() {
  const named = namedProjects();
  return named.length === 0 || named.includes('pages');
}

async function runVitest() {
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [] : ['--reporter=default'];
  const counter = `--reporter=${join(root, 'scripts', 'count-reporter.mjs')}`;
  const command = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, counter];
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, SVC_TEST_COUNTS: join(folder, 'counts.json') };
  if (needsBrowser()) env.CHROMIUM_PATH = ensureChromium();
  if (postgres) env.TEST_DATABASE_URL = postgres.url;
  vitest = spawn(process.execPath, [...command, ...projects, ...args], { cwd: root, stdio: 'inherit', env });
  const [code] = await once(vitest, 'exit');
  return code ?? 1;
}

/** Prints the closing summary and returns the exit code. */
function report(/** @type {number} */ code) {
  /** @type {import('./count-reporter.mjs').Report} */
  let counts = { projects: {}, tests: [], unhandled: 0 };
  try {
    counts = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
  } catch {
    // vitest ended before it had anything to count, and has said why
  }
  const all = Object.values(counts.projects);
  const sum = (/** @type {keyof import('./count-reporter.mjs').Count} */ key) =>
    all.reduce((n, count) => n + count[key], 0);
  const ran = (/** @type {string} */ name) =>
    (counts.projects[name]?.passed ?? 0) + (counts.projects[name]?.failed ?? 0);

  const databases = [
    { name: 'PGlite', tests: ran('pglite'), version: ran('pglite') > 0 ? pgliteVersion() : 'not tested' },
    {
      name: 'PostgreSQL',
      tests: ran('postgres') + ran('long'),
      version:
        ran('postgres') + ran('long') > 0 ? `${postgres?.version} (${postgres?.source})` : 'not tested',
    },
  ];
  for (const { name, tests, version } of databases) {
    if (tests > 0 || isFullRun) console.log(`${name.padEnd(10)}  ${tests} tests  ${version}`);
  }
  const untested = isFullRun ? databases.filter(({ tests }) => tests === 0) : [];
  for (const { name } of untested) {
    console.error(`No test ran on ${name}: a full run must test on both databases.`);
  }
  const unseen = isFullRun && ran('pages') === 0 ? 1 : 0;
  if (unseen) console.error('No page was looked at in a browser: a full run must do that too.');
  if (sum('skipped') > 0) console.log(`${sum('skipped')} skipped`);
  if (counts.unhandled > 0) console.error(`Errors outside any test: ${counts.unhandled}`);

  const unproved = isFullRun ? reportProofs(counts.tests) : 0;

  const failures = sum('failed') + sum('broken') + counts.unhandled + untested.length + unseen + unproved;
  const failed = Math.max(failures, code === 0 ? 0 : 1);
  console.log(`${sum('passed')} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
