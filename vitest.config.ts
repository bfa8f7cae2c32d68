import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Workspaces resolve to each other's sources, so that a test never runs against a stale build.
const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'], externalConditions: ['source'] } };

/** `scripts/test.mjs` sets the suite. Without it, vitest runs all. */
const isQuick = process.env.SVC_TESTS === 'quick';
const missing = process.env.SVC_TESTS_WITHOUT?.split(',') ?? [];

/**
 * A test file says in a comment which runs it belongs to, and why: `// @module-tag ci: kills the process`. This file reads the
 * comments itself, so that a file that is left out is not even imported.
 */
const TAGS: Record<string, string> = {
  ci: 'Not in the quick suite (`npm test`). `npm test -- --all` runs it, and so does naming the file.',
  embedded: 'Runs on the embedded database as well as on PostgreSQL, because they can differ.',
  'embedded-ci': 'As `embedded`, but not in the quick suite.',
  'not-on-citus': 'Does not run on a Citus cluster.',
  'needs-python3': 'The quick suite leaves it out, and says so, if the program is missing.',
  'needs-redis-server': 'The quick suite leaves it out, and says so, if the program is missing.',
};
const root = fileURLToPath(new URL('.', import.meta.url));
const tagged = new Map<string, string[]>(Object.keys(TAGS).map((tag) => [tag, []]));
const FOLDERS = ['zk', 'sdk', 'chain', 'server', 'cli', 'console'].flatMap((name) => [
  `${name}/src`,
  `${name}/test`,
]);
for (const folder of [...FOLDERS, 'demo-idp/src', 'scripts'])
  for (const path of readdirSync(`${root}${folder}`, { recursive: true }) as string[]) {
    if (!/\.test\.(ts|mjs)$/.test(path)) continue;
    const file = `${folder}/${path.replaceAll('\\', '/')}`;
    for (const [, tag = ''] of readFileSync(root + file, 'utf8').matchAll(/^\/\/ @module-tag ([\w-]+)/gm))
      tagged.get(tag)?.push(file);
  }
const files = (tag: string): string[] => tagged.get(tag) ?? [];

/** Crashes, rolling restarts, whole programs. They take minutes each, so only `npm run test:long` runs them. */
const LONG = 'server/test/**/*.long.test.ts';
/** `npm run test:long` runs these at length, `npm test` more briefly. */
const AT_LENGTH = [
  'zk/test/differential.test.ts',
  'server/test/http/http-fuzz.test.ts',
  'console/test/**/*.test.ts',
];
const LENGTHS = { ZK_DIFFERENTIAL_ROUNDS: '5000', HTTP_FUZZ_TIMES: '10', PAGES_LOOKS: 'every' };

interface Options {
  include: string[];
  exclude?: string[];
  env?: Record<string, string>;
  minutes?: number;
  setupFiles?: string[];
}

/**
 * Files share their worker's modules (`isolate: false`), so that one in-memory database serves all the files of a
 * worker: starting one takes longer than most suites.
 */
const project = (
  name: string,
  { include, exclude = [], env = {}, minutes = 1, setupFiles = [] }: Options,
) => ({
  resolve,
  ssr,
  test: {
    name,
    include,
    exclude: [
      ...configDefaults.exclude,
      ...exclude,
      ...(isQuick ? files('ci') : []),
      ...missing.flatMap((program) => (program === 'chromium' ? [PAGES] : files(`needs-${program}`))),
    ],
    env,
    setupFiles,
    pool: 'forks' as const,
    isolate: false,
    testTimeout: Math.max(2, minutes) * 60_000,
    hookTimeout: Math.max(2, minutes) * 60_000,
  },
});

/** In a real browser, with a service on the embedded database. */
const PAGES = 'console/test/**/*.test.ts';

/** The same files on any database. Tests that need a real server (races between connections) are `*.pg.test.ts`. */
const onDatabase = (
  name: 'pglite' | 'postgres' | 'citus',
  { include, exclude = [] }: Pick<Options, 'include' | 'exclude'>,
) =>
  project(name, {
    include,
    exclude: [LONG, PAGES, ...exclude],
    env: { SVC_TEST_DB: name, ...(isQuick && { HTTP_FUZZ_TIMES: '0.5' }) },
    setupFiles: ['server/test/support/tenant-rule/setup.ts'],
    minutes: name === 'citus' ? 5 : 1,
  });
const ON_SERVERS = ['{cli,sdk,server}/test/**/*.test.ts', 'server/src/**/*.pg.test.ts'];

/** Starts with zk. Its longest file takes a minute, and the other workers would otherwise wait for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isZk = (file: TestSpecification) => file.project.name === 'zk';
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
      onDatabase('pglite', { include: [...files('embedded'), ...(isQuick ? [] : files('embedded-ci'))] }),
      onDatabase('postgres', { include: ON_SERVERS }),
      ...(process.env.CITUS_URL
        ? [onDatabase('citus', { include: ON_SERVERS, exclude: files('not-on-citus') })]
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
