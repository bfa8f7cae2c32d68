// Which runs a test file belongs to. It says so itself, in a comment with the reason: `// @module-tag ci: kills the process`.
// The comments are read as text, so that a file that is left out is not even imported.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { isTouched } from './changed-files.mjs';

/** @type {Record<string, string>} */
export const TAGS = {
  ci: 'Not in the quick suite (`npm test`). `npm test -- --all` runs it, and so does naming the file.',
  'if-touched':
    'As `ci`, and CI runs it only if the change touches one of the folders that follow the tag, or what all tests depend on.',
  embedded: 'Runs on the embedded database as well as on PostgreSQL, because they can differ.',
  'embedded-ci': 'As `embedded`, but not in the quick suite.',
  'not-on-citus': 'Does not run on a Citus cluster.',
  'needs-python3': 'The quick suite leaves it out, and says so, if the program is missing.',
  'needs-redis-server': 'The quick suite leaves it out, and says so, if the program is missing.',
};

/** Every test can depend on these. */
const COMMON = [
  'package-lock.json',
  'vitest.config.mjs',
  'scripts/testing/',
  'scripts/test.mjs',
  'server/test/support/',
];

/** @typedef {{ file: string, tags: Map<string, string[]> }} Tagged its tags, each with the words between tag and reason */

/** @returns {Tagged} */
export function readTags(/** @type {string} */ file, /** @type {string} */ text) {
  const lines = text.matchAll(/^\/\/ @module-tag ([\w-]+)([^:\n]*)/gm);
  return { file, tags: new Map([...lines].map(([, tag, words]) => [tag, words.trim().split(/\s+/)])) };
}

const FOLDERS = ['zk', 'sdk', 'chain', 'demo-idp', 'server', 'cli', 'console'].flatMap((name) => [
  `${name}/src`,
  `${name}/test`,
]);

/** All test files with a tag. @type {readonly Tagged[]} */
const all = [...FOLDERS, 'scripts']
  .filter((folder) => folder !== 'demo-idp/test')
  .flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
      .filter((path) => /\.test\.(ts|mjs)$/.test(path))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  )
  .map((file) => readTags(file, readFileSync(join(root, file), 'utf8')))
  .filter(({ tags }) => tags.size > 0);

export const filesWith = (/** @type {string} */ tag) =>
  all.filter(({ tags }) => tags.has(tag)).map(({ file }) => file);

/** The files that a suite leaves out. @returns {string[]} */
export function leftOut(
  /** @type {string | undefined} */ suite,
  /** @type {Set<string> | undefined} */ changed = undefined,
  files = all,
) {
  const isLeftOut = (/** @type {Tagged} */ { file, tags }) => {
    const folders = tags.get('if-touched');
    if (suite === 'quick') return tags.has('ci') || folders !== undefined;
    return suite === 'changed' && folders !== undefined && !isTouched(changed, [file, ...folders, ...COMMON]);
  };
  return files.filter(isLeftOut).map(({ file }) => file);
}
