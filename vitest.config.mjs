import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { root } from './scripts/setup.mjs';
import { changedFiles } from './scripts/testing/changed-files.mjs';
import { filesWith, leftOut, TAGS } from './scripts/testing/tags.mjs';

// Workspaces resolve to each other's sources, so that a test never runs against a stale build.
const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'], externalConditions: ['source'] } };

/** `scripts/test.mjs` sets the suite. Without it, vitest runs all. */
const suite = process.env.SVC_TESTS;
const isQuick = suite === 'quick';
const missing = process.env.SVC_TESTS_WITHOUT?.split(',') ?? [];

/** Crashes, rolling restarts, whole programs. They take minutes each, so only `npm run test:long` runs them. */
const LONG = 'server/test/**/*.long.test.ts';
/** `npm run test:long` runs these at length, `npm test` more briefly. */
const AT_LENGTH = [
  'zk/test/differential.test.ts',
  'server/test/http/http-fuzz.test.ts',
  'console/test/**/*.test.ts',
];
const LENGTHS = { ZK_DIFFERENTIAL_ROUNDS: '5000', HTTP_FUZZ_TIMES: '10', PAGES_LOOKS: 'every' };

/** In a real browser, with a service on the embedded database. */
const PAGES = 'console/test/**/*.test.ts';
const EXCLUDED = [
  ...leftOut(suite, changedFiles(root)),
  ...missing.flatMap((program) => (program === 'chromium' ? [PAGES] : filesWith(`needs-${program}`))),
];

/**
 * @typedef {object} Options
 * @property {string[]} include
 * @property {string[]} [exclude]
 * @property {Record<string, string>} [env]
 * @property {number} [minutes]
 * @property {string[]} [setupFiles]
 */

/**
 * Files share their worker's modules (`isolate: false`), so that one in-memory database serves all the files of a
 * worker: starting one takes longer than most suites.
 */
const project = (
  /** @type {string} */ name,
  /** @type {Options} */ { include, exclude = [], env = {}, minutes = 1, setupFiles = [] },
) => ({
  resolve,
  ssr,
  test: {
    name,
    include,
    exclude: [...configDefaults.exclude, ...exclude, ...EXCLUDED],
    env,
    setupFiles,
    pool: /** @type {const} */ ('forks'),
    isolate: false,
    testTimeout: Math.max(2, minutes) * 60_000,
    hookTimeout: Math.max(2, minutes) * 60_000,
    // What a test waits for comes late on a busy machine. Default: a second.
    expect: { poll: { timeout: 30_000 } },
  },
});

/** The same files on any database. Tests that need a real server (races between connections) are `*.pg.test.ts`. */
const onDatabase = (
  /** @type {'pglite' | 'postgres' | 'citus'} */ name,
  /** @type {Options} */ { include, exclude = [] },
) =>
  project(name, {
    include,
    exclude: [LONG, PAGES, ...exclude],
    env: { SVC_TEST_DB: name, ...(isQuick && { HTTP_FUZZ_TIMES: '0.5' }) },
    setupFiles: ['server/test/support/tenant-rule/setup.ts'],
    minutes: name === 'citus' ? 5 : 1,
  });
const ON_SERVERS = ['{cli,sdk,server}/test/**/*.test.ts', 'server/src/**/*.pg.test.ts'];

/** @typedef {import('vitest/node').TestSpecification} TestSpecification */

/** Starts with zk. Its longest file takes a minute, and the other workers would otherwise wait for it at the end. */
class LongestFirst extends BaseSequencer {
  /** @returns {Promise<TestSpecification[]>} */
  async sort(/** @type {TestSpecification[]} */ files) {
    const sorted = await super.sort(files);
    const isZk = (/** @type {TestSpecification} */ file) => file.project.name === 'zk';
    return [...sorted.filter(isZk), ...sorted.filter((file) => !isZk(file))];
  }
}

export default defineConfig({
  test: {
    // One more than two cores: tests wait for databases, browsers and processes they start.
    maxWorkers: 3,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    sequence: { sequencer: LongestFirst },
    projects: [
      project('zk', {
        include: ['zk/src/**/*.test.ts', 'zk/test/**/*.test.ts'],
      }),
      project('chain', { include: ['chain/src/**/*.test.ts', 'chain/test/**/*.test.ts'] }),
      project('server', {
        include: [
          'sdk/src/**/*.test.ts',
          'server/src/**/*.test.ts',
          'demo-idp/src/**/*.test.ts',
          'cli/src/**/*.test.ts',
          'console/src/**/*.test.ts',
          'scripts/**/*.test.mjs',
        ],
        exclude: ['**/*.pg.test.ts'],
      }),
      onDatabase('pglite', {
        include: [...filesWith('embedded'), ...(isQuick ? [] : filesWith('embedded-ci'))],
      }),
      onDatabase('postgres', { include: ON_SERVERS }),
      ...(process.env.CITUS_URL
        ? [onDatabase('citus', { include: ON_SERVERS, exclude: filesWith('not-on-citus') })]
        : []),
      project('pages', {
        include: [PAGES],
        env: {
          SVC_TEST_DB: 'pglite',
          PAGES_LOOKS: isQuick ? 'one' : 'two',
          UPDATE_PICTURES: String(process.argv.some((arg) => arg === '-u' || arg === '--update')),
        },
      }),
      project('long', {
        include: [LONG, ...AT_LENGTH],
        env: { SVC_TEST_DB: 'postgres', ...LENGTHS },
        minutes: 10,
      }),
    ],
  },
});
