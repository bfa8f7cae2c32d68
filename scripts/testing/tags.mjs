// Which runs a test file belongs to. It says so itself, in a comment with the reason: `// @module-tag ci: kills the process`.
// The comments are read as text, so that a file that is left out is not even imported. One test of a file says it as an option.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../setup.mjs';
import { isTouched } from './changed-files.mjs';

/** @type {Record<string, string>} */
export const TAGS = {
  ci: "Not in the quick suite (`npm test`). `npm test -- --all` runs it, and so does naming the file. A single test has it as an option: `{ tags: ['ci'] }`.",
  'if-touched':
    'As `ci`, and CI runs it only if the change touches one of the folders that follow the tag, or what all tests depend on.',
  named: 'In no suite. Runs if its file is named.',
  embedded: 'Runs on the embedded database as well as on PostgreSQL, because they can differ.',
  'embedded-ci': 'As `embedded`, but not in the quick suite.',
  'not-on-citus': 'Does not run on a Citus cluster.',
  'needs-python3': 'The quick suite leaves it out, and says so, if the program is missing.',
  'needs-redis-server': 'The quick suite leaves it out, and says so, if the program is missing.',
};

/** Every test can depend on these. What else a slow test depends on, its tag says; `--all` asks no tag. */
const COMMON = ['package-lock.json'];

/** What a tag can name by one word. */
const GROUPS = new Map([
  [
    // What all pages are made of. How they are built is tested with each file that opens every page.
    '@pages',
    [
      'console/src/ui/',
      'console/src/light/',
      'console/package.json',
      'console/vite.config.ts',
      'sdk/src/transport/',
      // Without what a page loads only to check the audit chain, and what is for receivers of webhooks.
      ...[
        ...['address', 'base64url', 'cbor', 'code-url', 'deeplink', 'device-key'],
        ...['pairing-code', 'raw-scan', 'web-crypto'],
      ].map((name) => `sdk/src/codecs/${name}.ts`),
    ],
  ],
  [
    // All of zk/ but the records and the sheets of hours, of which no proof is made.
    '@proofs',
    [
      ...['artifacts/', 'circuit/', 'kernel/', 'package.json', 'scripts/', 'test-data/', 'test-vectors.json'],
      ...['approvals/', 'attestation.ts', 'curve/', 'field.ts', 'generated/', 'key-agreement.ts', 'kernel/'],
      ...['patiently.ts', 'phone.ts', 'poseidon.ts', 'prover/', 'rendezvous.ts', 'setup/', 'support/'],
      ...['verifier/', 'web-assembly.ts', 'wire.ts'],
    ].flatMap((name) => [`zk/${name}`, `zk/src/${name}`, `zk/test/${name}`]),
  ],
  [
    // What every feature runs on, and what the tests of all have in common.
    '@core',
    [
      'server/migrations/',
      'server/src/app.ts',
      'server/src/base/',
      'server/src/bin/',
      'server/src/cluster/',
      'server/src/db/',
      'server/src/http/',
      'server/src/jobs.ts',
      'server/src/ledger/',
      'server/src/main.ts',
      'server/src/records/',
      'server/test/support/',
    ],
  ],
]);

/**
 * @typedef {object} Tagged
 * @property {string} file
 * @property {Map<string, string[]>} tags each with the words between tag and reason
 * @property {readonly string[]} helpers the files beside tests that it imports, and that these import
 */

/** @returns {Tagged} */
export function readTags(/** @type {string} */ file, /** @type {string} */ text) {
  const lines = text.matchAll(/^\/\/ @module-tag ([\w-]+)([^:\n]*)/gm);
  const tags = new Map([...lines].map(([, tag, words]) => [tag, words.trim().split(/\s+/)]));
  return { file, tags, helpers: tags.has('if-touched') ? [...helpersOf(file, text)] : [] };
}

/** Pages share what is beside their tests file by file, so a change of one helper need not open all pages. */
const HELPERS = /^console\/test\//;

/** @returns {Set<string>} */
function helpersOf(/** @type {string} */ file, /** @type {string} */ text, known = new Set()) {
  for (const [, from] of text.matchAll(/^(?:import|export|\} from)[^;]*?from '(\.[^']+)\.js';/gms)) {
    const path = posix.join(posix.dirname(file), `${from}.ts`);
    if (!HELPERS.test(path) || known.has(path)) continue;
    known.add(path);
    helpersOf(path, readFileSync(join(root, path), 'utf8'), known);
  }
  return known;
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
  // A test is changed by itself alone.
  const isTest = (/** @type {string} */ name) => /\.test\.(ts|mjs)$/.test(name);
  const isLeftOut = (/** @type {Tagged} */ { file, tags, helpers }) => {
    if (tags.has('named')) return suite !== undefined && suite !== 'selected';
    const touching = changed && new Set([...changed].filter((name) => name === file || !isTest(name)));
    const folders = tags.get('if-touched');
    if (suite === 'quick') return tags.has('ci') || folders !== undefined;
    const paths = folders?.flatMap((folder) => GROUPS.get(folder) ?? folder);
    return (
      suite === 'changed' &&
      paths !== undefined &&
      !isTouched(touching, [file, ...helpers, ...paths, ...COMMON])
    );
  };
  return files.filter(isLeftOut).map(({ file }) => file);
}
