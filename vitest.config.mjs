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
const changed = changedFiles(root);
const EXCLUDED = [
  ...leftOut(suite, changed),
  ...missing.flatMap((program) => (program === 'chromium' ? [PAGES] : filesWith(`needs-${program}`))),
];

/** Whether it is known what the pages have to be tested for. */
const isOfChange = suite === 'changed' && changed !== undefined;
/** The guides that have changed, such as `quickstart`. */
const guides = [...(changed ?? [])].flatMap((file) => /^docs\/(.+)\.md$/.exec(file)?.[1] ?? []);

/**
 * @typedef {object} Options
 * @property {string[]} include
 * @property {string[]} [exclude]
 * @property {Record<string, string>} [env]
 * @property {string[]} [setupFiles]
 */

/** How long a test may take. Only one that hangs takes longer, also on a machine that is several times slower. */
const LIMIT_MS = 10 * 60_000;

/**
 * Files share their worker's modules (`isolate: false`), so that one in-memory database serves all the files of a
 * worker: starting one takes longer than most suites.
 */
const project = (
  /** @type {string} */ name,
  /** @type {Options} */ { include, exclude = [], env = {}, setupFiles = [] },
) => ({
  resolve,
  ssr,
  test: {
    name,
    include,
    exclude: [...configDefaults.exclude, ...exclude, ...EXCLUDED],
    env,
    setupFiles: ['scripts/testing/cpu-setup.mjs', 'scripts/testing/patience.mjs', ...setupFiles],
    ...(isQuick && { tagsFilter: ['not ci'] }),
    pool: /** @type {const} */ ('forks'),
    isolate: false,
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    // What a test waits for comes late on a busy machine. Default: a second.
    expect: { poll: { timeout: 60_000 } },
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
    experimental: { fsModuleCache: true, fsModuleCachePath: '.build/vitest' },
    // Two more than two cores: tests wait for databases, browsers and processes they start.
    maxWorkers: 4,
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
          // Every size and scheme is for the whole suite. Before a merge, one shows what a change breaks.
          PAGES_LOOKS: isQuick || suite === 'changed' ? 'one' : 'two',
          ...(isOfChange && { CHANGED_GUIDES: guides.join() }),
          UPDATE_PICTURES: String(process.argv.some((arg) => arg === '-u' || arg === '--update')),
        },
      }),
      project('long', {
        include: [LONG, ...AT_LENGTH],
        env: { SVC_TEST_DB: 'postgres', ...LENGTHS },
      }),
    ],
  },
});
