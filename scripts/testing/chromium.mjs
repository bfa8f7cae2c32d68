// The browser for the tests of the pages: an installed one, or Debian's, which is installed if possible.
import { existsSync } from 'node:fs';
import { canInstall, install } from './apt.mjs';

/** It needs no window and takes three quarters of the time. */
const SHELL = '/usr/bin/chromium-headless-shell';
const LIKELY = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** The path of the headless shell, which is installed where that is possible, or of Chromium or Chrome. @throws Error that says how to install one */
export function ensureChromium() {
  const found = findChromium();
  const isBest = found === undefined || found === SHELL || process.env.CHROMIUM_PATH !== undefined;
  if (!isBest && canInstall())
    install({
      name: 'Chromium’s headless shell',
      packages: ['chromium-headless-shell'],
      isThere: () => existsSync(SHELL),
    });
  return findChromium() ?? installChromium();
}

/** The path of an installed Chromium or Chrome: that in `CHROMIUM_PATH`, or else one in a usual place. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named === undefined) return find();
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM_PATH is ${named}, which does not exist.`);
}

const find = () => LIKELY.find((path) => existsSync(path));

function installChromium() {
  const help =
    'The tests of the pages need Chromium or Chrome. Install one (Debian and Ubuntu: sudo apt-get install chromium), ' +
    'or name it in CHROMIUM_PATH. The quick suite runs without: npm test';
  if (!canInstall()) throw new Error(help);
  const error = install({ name: 'Chromium', packages: PACKAGES, isThere: () => find() !== undefined });
  if (error !== undefined) throw new Error(`${error}\n${help}`);
  return /** @type {string} */ (find());
}
