// The browser that the tests look at the pages with: one that is there, or Debian's, installed where that is possible.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The headless shell first: it draws no window of its own around a page, and is done in two thirds of the time. */
const LIKELY = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** The path of a Chromium or Chrome, installed if need be. @throws Error that says how to get one */
export const ensureChromium = () => findChromium() ?? install();

/** The path of an installed Chromium or Chrome: the one that `CHROMIUM_PATH` names, or else one in a usual place. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named === undefined) return find();
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM_PATH names ${named}, and there is no such file.`);
}

const find = () => LIKELY.find((path) => existsSync(path));

function install() {
  const help =
    'The tests of the pages need Chromium or Chrome. Install one (Debian and Ubuntu: sudo apt-get install chromium), ' +
    'or name it in CHROMIUM_PATH. The quick suite runs without: npm test';
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(help);
  process.stdout.write('Installing Chromium (apt-get) … ');
  const started = Date.now();
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const get = (/** @type {string[]} */ ...args) => spawnSync('apt-get', args, { env, encoding: 'utf8' });
  const said = [];
  // Lists may be old or missing: they are asked for only then, for that takes longer than a package.
  for (const before of [() => {}, () => get('update')]) {
    before();
    for (const name of PACKAGES)
      if (find() === undefined)
        said.push(get('install', '-y', '--no-install-recommends', name).stderr.trim());
  }
  const found = find();
  if (found === undefined) throw new Error(`apt-get failed: ${said.at(-1)}\n${help}`);
  console.log(`done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return found;
}
