// The pure part of `npm test`: the meaning of its arguments, and its output. scripts/test.mjs does the work.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { counterparts } from './counterparts.mjs';

/**
 * `selected`: the files or projects in the arguments, from all suites except `long`.
 * @typedef {'quick' | 'all' | 'long' | 'selected'} Suite
 * @typedef {object} Plan
 * @property {Suite} suite
 * @property {boolean} embedded test on a PostgreSQL server that is started for this run
 * @property {string[]} vitestArgs
 * @property {boolean} usesPostgres
 * @property {'required' | 'optional' | 'unused'} browser
 */

const EMBEDDED = '--embedded-postgres';
const OWN_FLAGS = ['--all', '--long', EMBEDDED];
const WITHOUT_POSTGRES = ['zk', 'chain', 'server', 'pglite', 'pages'];

/** @returns {Plan} */
export function planRun(/** @type {readonly string[]} */ args) {
  const rest = args.filter((arg) => !OWN_FLAGS.includes(arg));
  const suite = args.includes('--long')
    ? 'long'
    : rest.length > 0
      ? 'selected'
      : args.includes('--all')
        ? 'all'
        : 'quick';
  const projects = rest.flatMap((arg, i) =>
    arg.startsWith('--project=') ? arg.slice('--project='.length) : rest[i - 1] === '--project' ? arg : [],
  );
  const usesAll = projects.length === 0;
  const chosen =
    suite === 'long' ? ['--project=long', '--no-file-parallelism'] : usesAll ? ['--project=!long'] : [];
  return {
    suite,
    embedded: args.includes(EMBEDDED),
    vitestArgs: [...chosen, ...rest],
    usesPostgres: usesAll || projects.some((name) => !WITHOUT_POSTGRES.includes(name)),
    browser:
      projects.includes('pages') || (usesAll && ['all', 'long'].includes(suite))
        ? 'required'
        : usesAll
          ? 'optional'
          : 'unused',
  };
}

/**
 * What tests need besides Node. The keys also select the files to leave out, in vitest.config.ts.
 * @type {Record<string, { tests: string, remedy: string }>}
 */
const PROGRAMS = {
  chromium: {
    tests: 'the browser tests',
    remedy: 'install it (Debian and Ubuntu: sudo apt-get install chromium) or set CHROMIUM_PATH',
  },
  python3: { tests: 'the tests of the Python example', remedy: 'install Python 3.8 or later' },
  'redis-server': { tests: 'the tests of several nodes', remedy: 'install Redis 7 or later' },
  go: { tests: 'the receiver in Go', remedy: 'install Go 1.19 or later' },
  pg_dump: {
    tests: 'the restore of a PostgreSQL dump',
    remedy:
      'install the client programs of PostgreSQL (Debian and Ubuntu: sudo apt-get install postgresql-client)',
  },
  mod_auth_openidc: {
    tests: 'signing in to Apache',
    remedy: 'install it (Debian and Ubuntu: sudo apt-get install libapache2-mod-auth-openidc)',
  },
  promtool: {
    tests: 'the alerts of Prometheus',
    remedy: 'install it (Debian and Ubuntu: sudo apt-get install prometheus)',
  },
  authlib: {
    tests: 'signing in to a Python application',
    remedy:
      'install it (Debian and Ubuntu: sudo apt-get install python3-flask python3-authlib python3-requests)',
  },
};

/** What a suite needs. The quick suite does not run the programs of others. */
export const programsOf = (/** @type {Suite} */ suite) =>
  Object.keys(PROGRAMS).filter((name) => !counterparts.includes(name) || suite !== 'quick');

/** What a suite can run without. All tests fail without the others. */
export const isOptional = (/** @type {Suite} */ suite, /** @type {string} */ name) =>
  suite === 'quick' || (suite === 'all' && counterparts.includes(name));

/** One conspicuous line for each missing program. */
export const missingLines = (/** @type {readonly string[]} */ missing) =>
  missing.map(
    (name) =>
      `!! NOT TESTED: ${PROGRAMS[name].tests}, because ${name} is missing. To run them, ${PROGRAMS[name].remedy}.`,
  );

const NAMES = { quick: 'Quick test suite', all: 'All tests', long: 'Long tests', selected: 'Selected tests' };
/** On two idle cores. Used until a run on this machine has been timed. */
const USUAL_MS = { quick: 2 * 60_000, all: 12 * 60_000, long: 60 * 60_000 };

/** The first line of a run: how long it will take. */
export function announcement(/** @type {Suite} */ suite, /** @type {number | undefined} */ lastMs) {
  if (suite === 'selected') return `${NAMES[suite]}.`;
  return lastMs === undefined
    ? `${NAMES[suite]}: about ${duration(USUAL_MS[suite])} on two idle cores.`
    : `${NAMES[suite]}: about ${duration(lastMs)}, like the last run on this machine.`;
}

/** "45 s", "3 min 5 s", "1 h 2 min": as precise as a person needs it. */
export function duration(/** @type {number} */ ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "PostgreSQL 15.20" from `select version()`. */
export const shortVersion = (/** @type {string} */ version) => version.split(' ').slice(0, 2).join(' ');

/**
 * How long each file took in the last run of a suite, by project and path.
 * @typedef {{ ms: number, files: Record<string, number> }} Times
 */

/** The times of the last run of a suite; undefined if there was none. @returns {Times | undefined} */
export function readTimes(/** @type {string} */ file, /** @type {string} */ suite) {
  return readAllTimes(file)[suite];
}

export function writeTimes(
  /** @type {string} */ file,
  /** @type {string} */ suite,
  /** @type {Times} */ times,
) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readAllTimes(file), [suite]: times }));
}

/** @returns {Record<string, Times>} */
function readAllTimes(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // no run yet, or one that was killed while writing: only an estimate is lost
  }
}

/**
 * The estimated time left. If an earlier run was timed, each file is weighted by its time in that run and scaled by the speed of
 * this one. On a first run the slow files come first, so the estimate starts from the suite's usual time.
 * @param {{ elapsedMs: number, done: readonly string[], all: readonly string[], suite: string, lastMs?: Record<string, number> }} run
 * @returns {number | undefined} undefined before the first file is done
 */
export function estimateLeft({ elapsedMs, done, all, suite, lastMs = {} }) {
  const known = all.flatMap((file) => lastMs[file] ?? []);
  const average = known.length > 0 ? known.reduce((sum, ms) => sum + ms, 0) / known.length : 1;
  const weigh = (/** @type {readonly string[]} */ files) =>
    files.reduce((sum, file) => sum + (lastMs[file] ?? average), 0);
  const part = weigh(done) / weigh(all);
  if (done.length === 0) return undefined;
  if (known.length > 0) return (elapsedMs * (1 - part)) / part;
  return (1 - part) * Math.max(USUAL_MS[/** @type {keyof typeof USUAL_MS} */ (suite)] ?? 0, elapsedMs);
}

/** So few files are named: one of them may hang. */
const MAX_NAMED = 3;

/**
 * @param {{ done: number, total: number, failed: number, elapsedMs: number, leftMs: number | undefined, left?: readonly string[] }} state
 */
export function progressLine({ done, total, failed, elapsedMs, leftMs, left = [] }) {
  const parts = [`file ${done} of ${total}`, duration(elapsedMs)];
  if (leftMs !== undefined && done < total) parts.push(`about ${duration(leftMs)} left`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (left.length > 0 && left.length <= MAX_NAMED) parts.push(left.join(', '));
  return parts.join(' · ');
}

/** The last lines except the counts: what this run left out, and how to run it. */
export function leftOutLines(
  /** @type {Suite} */ suite,
  /** @type {{ ran: number, all: number, missing: readonly string[] }} */ { ran, all, missing },
) {
  const lines = missingLines(missing);
  if (suite === 'quick')
    lines.push(`Left out: ${all - ran} of ${all} test files. Run everything with: npm test -- --all`);
  return lines;
}
