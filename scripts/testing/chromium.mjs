// The browser for the tests of the pages: an installed one, or Debian's, which is installed if possible.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The headless shell is first: it needs no window and takes two thirds of the time. */
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

/** The path of Chromium or Chrome, which is installed if necessary. @throws Error that says how to install one */
export const ensureChromium = () => findChromium() ?? install();

/** The path of an installed Chromium or Chrome: that in `CHROMIUM_PATH`, or else one in a usual place. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named === undefined) return find();
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM_PATH is ${named}, which does not exist.`);
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
  // The package lists may be old or missing. Update them only if the installation fails, because that takes longer than a package.
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
