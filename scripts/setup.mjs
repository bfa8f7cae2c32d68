// What every command needs before its own work: the right Node, the locked packages, a current build. Only Node's own
// modules may be imported here, for on a fresh clone there are no others yet.
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
/** Holds the number of the process that sets up. */
const busyFile = join(root, '.build', 'set-up');

/** Brings the working copy up to date; costs a few milliseconds when there is nothing to do. */
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

/** Of two commands on a fresh clone one sets up and the other waits: npm would tear at one folder twice. */
async function takeTurn() {
  mkdirSync(dirname(busyFile), { recursive: true });
  for (let told = false; ; told = true) {
    try {
      return writeFileSync(busyFile, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (!isAtWork()) rmSync(busyFile, { force: true });
    else if (!told) console.log('Another command is setting up this folder; waiting for it …');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Whether whoever sets up still lives; one that was killed left its file behind. */
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
 * True when node_modules holds what the lockfile asks for. The stamp answers in a millisecond. Where it does not fit,
 * npm's own record of what it installed decides: after `npm install something` the packages are right, and installing
 * them again would only cost time.
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
 * Compares a lockfile with npm's record of an installation. Optional packages may be missing: they are other platforms'.
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
  // `--include=dev`: the build needs esbuild even where NODE_ENV says production.
  await step('Installing packages (npm ci)', () =>
    npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'),
  );
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, createHash('sha256').update(readFileSync(lockFile)).digest('hex'));
}

/** Runs npm quietly: its output is shown only when it fails. */
function npm(/** @type {string[]} */ ...args) {
  // Under `npm start` the running npm names itself; that also spares a search for npm.cmd on Windows.
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

/** Says what is being done, shows on a terminal that it is still going, and says how long it took. */
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
