import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'], externalConditions: ['source'] } };

/** Suites that need no database run once; those that do (server/) run on each database. */
const project = (name: string, include: string[], env: Record<string, string> = {}) => ({
  resolve,
  ssr,
  test: {
    name,
    include,
    env,
    pool: 'forks' as const,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [project('zk', ['zk/src/**/*.test.ts', 'zk/test/**/*.test.ts'])],
  },
});
