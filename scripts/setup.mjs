// Prepares every other command: checks the version of Node, installs the locked packages, builds. May only import Node's own
// modules, because in a fresh clone no others are installed yet.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isFresh } from './build.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.svc-lock-sha256');
/** Contains the id of the process that is setting up. */
const busyFile = join(root, '.build', 'set-up');

/** Installs and builds what is missing. Takes a few milliseconds if nothing is. */
export async function setUp() {
  requireNode();
  if (isInstalled() && isFresh()) return;
  await takeTurn();
  try {
    if (!isInstalled()) await install();
    if (!isFresh()) await step('Building', build);
  } finally {
    rmSync(busyFile, { force: true });
  }
}

/** If two commands start in a fresh clone, one sets up and the other waits, because npm must not run twice in one folder. */
async function takeTurn() {
  mkdirSync(dirname(busyFile), { recursive: true });
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      return writeFileSync(busyFile, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (!isAtWork()) rmSync(busyFile, { force: true });
    else if (!isAnnounced) console.log('Waiting for another command that is setting up this folder …');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Whether the process that sets up is still running. A killed one leaves its file behind. */
function isAtWork() {
  try {
    return process.kill(Number(readFileSync(busyFile, 'utf8')) || process.pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

function requireNode() {
  const wanted = readJson(join(root, 'package.json')).engines.node.replace('>=', '');
  const numbers = (/** @type {string} */ version) => version.split('.').map(Number);
  const [actual, least] = [numbers(process.versions.node), numbers(wanted)];
  const first = least.findIndex((number, i) => number !== actual[i]);
  if (first === -1 || actual[first] > least[first]) return;
  console.error(
    `This project needs Node ${wanted} or later, and this is ${process.versions.node}.\n` +
      'Install a current long-term-support release of Node (for example with nvm, fnm or your package manager) and run the command again.',
  );
  process.exit(1);
}

/**
 * Whether node_modules matches the lockfile. Usually comparing with the stamp file is enough, which takes a millisecond. Otherwise npm's own record of the
 * installation decides: after `npm install something` the packages are right, and installing them again would waste time.
 */
function isInstalled() {
  if (!existsSync(modules)) return false;
  const lock = readFileSync(lockFile);
  const hash = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return true;
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record) || !sameTree(JSON.parse(lock.toString()), readJson(record))) return false;
  writeFileSync(stampFile, hash);
  return true;
}

/**
 * Compares a lockfile with npm's record of an installation. Optional packages of other platforms may be missing.
 * @param {Lockfile} lock @param {Lockfile} installed
 * @typedef {{ packages: Record<string, { version?: string, integrity?: string, link?: boolean, optional?: boolean }> }} Lockfile
 */
export function sameTree(lock, installed) {
  for (const [path, wanted] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/')) continue; // the root and the workspaces: sources, not packages
    const found = installed.packages[path];
    if (!found && wanted.optional) continue;
    if (found?.version !== wanted.version || found?.integrity !== wanted.integrity) return false;
  }
  return Object.keys(installed.packages).every((path) => path in lock.packages);
}

async function install() {
  // `--include=dev`, because the build needs esbuild even if NODE_ENV is production.
  await step('Installing packages (npm ci)', () =>
    npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'),
  );
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, createHash('sha256').update(readFileSync(lockFile)).digest('hex'));
}

/** Runs npm and prints its output only if it fails. */
function npm(/** @type {string[]} */ ...args) {
  // Under `npm start`, use the npm that is running. This also avoids a search for npm.cmd on Windows.
  const self = process.env.npm_execpath;
  const [command, first] = self?.endsWith('.js') ? [process.execPath, [self]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], {
      cwd: root,
      shell: !self && process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(undefined) : reject(new Error(`npm ${args[0]} failed:\n${output}`)),
    );
  });
}

/** Prints the title, the elapsed time on a terminal while it works, and how long it took. */
async function step(/** @type {string} */ title, /** @type {() => Promise<unknown>} */ work) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  process.stdout.write(`${title} … `);
  const live = process.stdout.isTTY
    ? setInterval(() => process.stdout.write(`\r${title} … ${seconds()} `), 500)
    : undefined;
  try {
    await work();
    process.stdout.write(`${live ? `\r${title} … ` : ''}done in ${seconds()}\n`);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exit(1);
  } finally {
    clearInterval(live);
  }
}

function readJson(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
