// `npm run check`, which CI also runs. Every step runs, even after a failure, and prints one line, in order, with its full output
// if it failed. `--skip a,b` and `--only a,b` choose steps. CI (`.ci/run`) runs them in three parts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, setUp } from './setup.mjs';
import { changedFiles, isTouched } from './testing/changed-files.mjs';
import { inOrder } from './testing/in-order.mjs';

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folders = workspaces
  .flatMap((/** @type {string} */ name) => [`${name}/src`, `${name}/test`])
  .filter((/** @type {string} */ folder) => existsSync(join(root, folder)));

/**
 * Commands as npm would run them, with node_modules/.bin in the path.
 * @type {Record<string, string[]>}
 */
const steps = {
  lockfile: ['npm', 'ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  platforms: ['node', 'scripts/checks/lockfile.mjs'],
  'format-and-lint': ['biome', 'check', '--error-on-warnings', '.'],
  // Checks only changed files. If the types of a file's imports changed, only an empty cache notices; CI has one.
  promises: ['eslint', '--cache', '--cache-strategy=content', '--cache-location=.build/eslint/', '.'],
  types: ['tsc', '-p', '.'],
  'page-types': ['tsc', '-p', 'console'],
  boundaries: ['depcruise', '--config', '.dependency-cruiser.cjs', ...folders],
  rooms: ['node', 'scripts/checks/rooms.mjs'],
  'dead-code': ['knip', '--no-config-hints'],
  generated: ['node', 'scripts/gen.mjs', '--check'],
  kernel: ['node', 'zk/kernel/build.mjs', '--check'],
  openapi: ['node', 'scripts/checks/openapi.mjs'],
  breaking: ['node', 'scripts/checks/breaking.mjs'],
  wording: ['node', 'scripts/checks/wording.mjs'],
  dependencies: ['node', 'scripts/checks/dependencies.mjs'],
  packages: ['node', 'scripts/checks/packages.mjs'],
  tests: ['npm', 'test', '--', '--changed'],
  mutations: ['npm', 'run', 'test:mutations', '--', '--changed'],
};

/**
 * Slow steps that only a change of these files can affect.
 * @type {Record<string, string[]>}
 */
const IF_TOUCHED = {
  openapi: [
    'contract/openapi.json',
    'scripts/openapi-tools/',
    'scripts/checks/openapi.mjs',
    'package-lock.json',
  ],
};

/** These steps use all cores, so they run last, one at a time. The others run two at a time. */
const ALONE = ['tests', 'mutations'];

const chosen = chooseSteps(process.argv.slice(2));
await setUp();
/** @type {string[]} */
const failed = [];
const together = chosen.filter((name) => !ALONE.includes(name));
await inOrder(together, 2, start, show);
await inOrder(
  chosen.filter((name) => ALONE.includes(name)),
  1,
  start,
  show,
);
const skipped = Object.keys(steps).filter((name) => !chosen.includes(name));
if (skipped.length > 0) console.log(`Skipped: ${skipped.join(', ')}.`);
if (failed.length > 0) {
  console.log(`${failed.length} of ${chosen.length} steps failed:`);
  for (const name of failed) console.log(`  ${name.padEnd(16)} ${alone(name)}`);
  process.exit(1);
}
console.log(`All ${chosen.length} steps passed.`);

/** @returns {string[]} */
function chooseSteps(/** @type {string[]} */ args) {
  const changed = changedFiles(root);
  const isAffected = (/** @type {string} */ name) =>
    !(name in IF_TOUCHED) || isTouched(changed, IF_TOUCHED[name]);
  let names = args.includes('--only') ? Object.keys(steps) : Object.keys(steps).filter(isAffected);
  while (args.length > 0) {
    const flag = args.shift();
    const listed = (args.shift() ?? '').split(',');
    const unknown = listed.find((name) => !(name in steps));
    if (!['--skip', '--only'].includes(String(flag)) || unknown !== undefined) {
      console.error(
        `Usage: npm run check -- [--skip a,b] [--only a,b]\nSteps: ${Object.keys(steps).join(', ')}`,
      );
      process.exit(2);
    }
    names = names.filter((name) => listed.includes(name) === (flag === '--only'));
  }
  return names;
}

/** @typedef {{ name: string, code: number, output: string, seconds: string }} Outcome */

/** @returns {Promise<Outcome>} */
async function start(/** @type {string} */ name) {
  const started = Date.now();
  const { code, output } = await run(steps[name]);
  return { name, code, output, seconds: ((Date.now() - started) / 1000).toFixed(1) };
}

function show(/** @type {Outcome} */ { name, code, output, seconds }) {
  console.log(`${name.padEnd(16)} … ${code === 0 ? `ok, ${seconds} s` : `FAILED after ${seconds} s`}`);
  if (code === 0) return;
  failed.push(name);
  console.log(`\n${output.trimEnd()}\n\nTo repeat this step: ${alone(name)}\n`);
}

/** The command as a person would type it. */
function alone(/** @type {string} */ name) {
  const [command] = steps[name];
  return `${['npm', 'node'].includes(command) ? '' : 'npx '}${steps[name].join(' ')}`;
}

/** Standard output and error, in the order in which they were written. */
async function run(/** @type {string[]} */ [command, ...args]) {
  const windows = process.platform === 'win32'; // there npm and the tools are shell scripts
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;
  const child = spawn(command, args, {
    cwd: root,
    shell: windows,
    env: { ...process.env, PATH: path, FORCE_COLOR: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}
