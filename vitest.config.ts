import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Workspaces resolve to each other's sources, so that a test never runs against a stale build.
const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'], externalConditions: ['source'] } };

type Options = { include: string[]; exclude?: string[]; env?: Record<string, string>; minutes?: number };

/** Crashes, rolling restarts, whole programs in between: minutes each, so `npm run test:long` alone runs them. */
const LONG = 'server/test/**/*.long.test.ts';

/**
 * Files share their worker's modules (`isolate: false`), so that one in-memory database serves all the files of a
 * worker: starting one takes longer than most suites.
 */
const project = (name: string, { include, exclude = [], env = {}, minutes = 1 }: Options) => ({
  resolve,
  ssr,
  test: {
    name,
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    env,
    pool: 'forks' as const,
    isolate: false,
    testTimeout: Math.max(2, minutes) * 60_000,
    hookTimeout: Math.max(2, minutes) * 60_000,
  },
});

/** The same files on either database. What only a real server can show (races between connections) is `*.pg.test.ts`. */
const onDatabase = (name: 'pglite' | 'postgres', exclude: string[] = []) =>
  project(name, {
    include: [
      'server/src/**/*.db.test.ts',
      'server/test/**/*.test.ts',
      ...(name === 'postgres' ? ['server/src/**/*.pg.test.ts'] : []),
    ],
    exclude: [LONG, ...exclude],
    env: { SVC_TEST_DB: name },
  });

/** Starts with zk, whose longest file takes a minute: at the end, the other worker would wait for it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isZk = (file: TestSpecification) => file.project.name === 'zk';
    return [...sorted.filter(isZk), ...sorted.filter((file) => !isZk(file))];
  }
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('zk', { include: ['zk/src/**/*.test.ts', 'zk/test/**/*.test.ts'] }),
      project('chain', { include: ['chain/src/**/*.test.ts', 'chain/test/**/*.test.ts'] }),
      project('server', {
        include: ['server/src/**/*.test.ts', 'cli/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
        exclude: ['**/*.db.test.ts', '**/*.pg.test.ts'],
      }),
      onDatabase('pglite', ['**/*.pg.test.ts']),
      onDatabase('postgres'),
      project('long', { include: [LONG], env: { SVC_TEST_DB: 'postgres' }, minutes: 10 }),
    ],
  },
});
