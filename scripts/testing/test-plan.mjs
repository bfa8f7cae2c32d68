// The pure part of `npm test`: the meaning of its arguments, and its output. scripts/test.mjs does the work.
import { counterparts } from './counterparts.mjs';

/**
 * `changed`: all tests but slow ones of what the change does not touch. `selected`: the files or projects in the arguments, from all
 * suites except `long`.
 * @typedef {'quick' | 'changed' | 'all' | 'long' | 'selected'} Suite
 * @typedef {object} Plan
 * @property {Suite} suite
 * @property {boolean} embedded test on a PostgreSQL server that is started for this run
 * @property {string[]} vitestArgs
 * @property {boolean} usesPostgres
 * @property {'required' | 'optional' | 'unused'} browser
 */

const EMBEDDED = '--embedded-postgres';
const OWN_FLAGS = ['--all', '--changed', '--long', EMBEDDED];
/** Vitest takes what follows it for its value, so it comes last. */
const UPDATES = ['-u', '--update'];
const WITHOUT_POSTGRES = ['zk', 'chain', 'server', 'pglite', 'pages'];

/** @returns {Plan} */
export function planRun(/** @type {readonly string[]} */ args) {
  const rest = args.filter((arg) => !OWN_FLAGS.includes(arg));
  const suite = suiteOf(args, rest);
  const projects = rest.flatMap((arg, i) =>
    arg.startsWith('--project=') ? arg.slice('--project='.length) : rest[i - 1] === '--project' ? arg : [],
  );
  const usesAll = projects.length === 0;
  const chosen =
    suite === 'long' ? ['--project=long', '--no-file-parallelism'] : usesAll ? ['--project=!long'] : [];
  return {
    suite,
    embedded: args.includes(EMBEDDED),
    vitestArgs: [
      ...chosen,
      ...rest.filter((arg) => !UPDATES.includes(arg)),
      ...rest.filter((arg) => UPDATES.includes(arg)),
    ],
    usesPostgres: usesAll || projects.some((name) => !WITHOUT_POSTGRES.includes(name)),
    browser:
      projects.includes('pages') || (usesAll && ['changed', 'all', 'long'].includes(suite))
        ? 'required'
        : usesAll
          ? 'optional'
          : 'unused',
  };
}

/** @returns {Suite} */
function suiteOf(/** @type {readonly string[]} */ args, /** @type {readonly string[]} */ selection) {
  if (args.includes('--long')) return 'long';
  if (selection.length > 0) return 'selected';
  if (args.includes('--all')) return 'all';
  return args.includes('--changed') ? 'changed' : 'quick';
}

/**
 * What tests need besides Node. The keys also select the files to leave out, in vitest.config.mjs.
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
  pgbouncer: {
    tests: 'the service behind PgBouncer',
    remedy: 'install it (Debian and Ubuntu: sudo apt-get install pgbouncer)',
  },
  soffice: {
    tests: 'workbooks of hours in LibreOffice',
    remedy: 'install it (Debian and Ubuntu: sudo apt-get install libreoffice-calc-nogui)',
  },
  fido2: {
    tests: 'the passkeys of our tests against python-fido2',
    remedy: 'install it (Debian and Ubuntu: sudo apt-get install python3-fido2)',
  },
  authlib: {
    tests: 'signing in to Python applications',
    remedy:
      'install it (Debian and Ubuntu: sudo apt-get install python3-flask python3-authlib python3-requests python3-requests-oauthlib)',
  },
};

/** What a suite needs. The quick suite does not run the programs of others. */
export const programsOf = (/** @type {Suite} */ suite) =>
  Object.keys(PROGRAMS).filter((name) => !counterparts.includes(name) || suite !== 'quick');

/** What a suite can run without. All tests fail without the others. */
export const isOptional = (/** @type {Suite} */ suite, /** @type {string} */ name) =>
  suite === 'quick' || (['changed', 'all'].includes(suite) && counterparts.includes(name));

/** One conspicuous line for each missing program. */
export const missingLines = (/** @type {readonly string[]} */ missing) =>
  missing.map(
    (name) =>
      `!! NOT TESTED: ${PROGRAMS[name].tests}, because ${name} is missing. To run them, ${PROGRAMS[name].remedy}.`,
  );

/** The first line of a run: how long it takes on two idle cores. @type {Record<Suite, string>} */
export const announcements = {
  quick: 'Quick test suite: 3 minutes on two idle cores.',
  changed:
    'All tests but slow ones of what the change does not touch: half an hour to an hour and a half on two cores, as the machine is.',
  all: 'All tests: half an hour to an hour and a half on two cores, as the machine is.',
  long: 'Long tests: about an hour on two idle cores.',
  selected: 'Selected tests.',
};

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

/** So few files are named: one of them may hang. */
const MAX_NAMED = 3;

/** @param {{ done: number, total: number, failed: number, elapsedMs: number, left?: readonly string[] }} state */
export function progressLine({ done, total, failed, elapsedMs, left = [] }) {
  const parts = [`file ${done} of ${total}`, duration(elapsedMs)];
  if (failed > 0) parts.push(`${failed} failed`);
  if (left.length > 0 && left.length <= MAX_NAMED) parts.push(left.join(', '));
  return parts.join(' · ');
}

/** The last lines except the counts: what this run left out, and how to run it. */
export function leftOutLines(
  /** @type {Suite} */ suite,
  /** @type {{ files: number, tests: number, missing: readonly string[] }} */ { files, tests, missing },
) {
  const lines = missingLines(missing);
  if (files > 0) {
    const reason = suite === 'changed' ? ' of what the change does not touch' : '';
    const single = tests > 0 ? ` and ${tests} tests of others` : '';
    lines.push(`Left out: ${files} test files${single}${reason}. Run everything with: npm test -- --all`);
  }
  return lines;
}
