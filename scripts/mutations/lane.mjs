// A vitest that stays alive: it transforms each module once and starts a new worker process for each run. A mutation is applied
// while its file is transformed, so the working copy never changes and nothing is built. Code that runs from dist/ (worker
// threads, child processes) is therefore not mutated.
import { join } from 'node:path';
import { loadConfigFromFile, normalizePath } from 'vite';
import { createVitest } from 'vitest/node';
import { root } from '../setup.mjs';

/**
 * @typedef {import('./list.mjs').Mutation} Mutation
 * @typedef {object} Lane
 * @property {(file: string, names: string[], mutation?: Mutation) => Promise<Map<string, string>>} run runs these tests of
 *   the file and returns the states of all its tests by name
 * @property {() => Promise<void>} close
 */

/** A test that takes this long under a mutation counts as failed. */
const TEST_TIMEOUT_MS = 30_000;

/** @returns {Promise<Lane>} */
export async function openLane() {
  /** @type {Mutation | undefined} */
  let current;
  const mutate = {
    name: 'mutate',
    enforce: /** @type {const} */ ('pre'),
    transform(/** @type {string} */ code, /** @type {string} */ id) {
      return current && id === pathOf(current.file)
        ? code.replace(current.find, () => current.replace)
        : undefined;
    },
  };
  const loaded = await loadConfigFromFile(
    { command: 'serve', mode: 'test' },
    join(root, 'vitest.config.mjs'),
  );
  const { projects, ...options } = loaded.config.test;
  const vitest = await createVitest(
    'test',
    { config: false, watch: false, silent: true, reporters: [{}] },
    {
      root,
      test: {
        ...options,
        // A cached file would be the one without the mutation.
        experimental: { ...options.experimental, fsModuleCache: false },
        projects: projects.map((each) => ({
          ...each,
          plugins: [mutate],
          test: { ...each.test, testTimeout: TEST_TIMEOUT_MS },
        })),
      },
    },
  );
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications();

  /** If several projects run the file, use PostgreSQL's, which starts faster than PGlite's. */
  const specificationOf = (/** @type {string} */ file) => {
    const [first, ...others] = specifications.filter(
      ({ moduleId, project }) => moduleId === pathOf(file) && project.name !== 'long',
    );
    if (first === undefined) throw new Error(`No project runs ${file}.`);
    return others.find(({ project }) => project.name === 'postgres') ?? first;
  };

  return {
    async run(file, names, mutation) {
      const specification = specificationOf(file);
      vitest.setGlobalTestNamePattern(`^(?:${names.map(patternOf).join('|')})$`);
      current = mutation;
      if (mutation) vitest.invalidateFile(pathOf(mutation.file));
      try {
        const { testModules } = await vitest.runTestSpecifications([specification]);
        const module = testModules.find((each) => each.moduleId === specification.moduleId);
        const tests = [...(module?.children.allTests() ?? [])];
        return new Map(tests.map((test) => [test.fullName, test.result().state]));
      } finally {
        current = undefined;
        if (mutation) vitest.invalidateFile(pathOf(mutation.file));
      }
    },
    close: () => vitest.close(),
  };
}

/** The absolute path in vite's form. */
function pathOf(/** @type {string} */ file) {
  return normalizePath(join(root, file));
}

/** vitest filters names with a space between a suite and its test. Its reports have ` > `. */
function patternOf(/** @type {string} */ name) {
  const parts = name.split(' > ').map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return parts.join(' (?:> )?');
}
