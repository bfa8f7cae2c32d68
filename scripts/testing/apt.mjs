// Installs programs that tests need with apt-get, where that is possible.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** On Debian and Ubuntu, as root. */
export const canInstall = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * Installs packages in order until the program is there.
 * @param {{ name: string, packages: readonly string[], isThere: () => boolean }} program
 * @returns {string | undefined} the error if it is still missing
 */
export function install({ name, packages, isThere }) {
  process.stdout.write(`Installing ${name} (apt-get) … `);
  const started = Date.now();
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const get = (/** @type {string[]} */ ...args) => spawnSync('apt-get', args, { env, encoding: 'utf8' });
  const said = [];
  // The package lists may be old or missing. Update them only if the installation fails, because that takes longer than a package.
  for (const before of [() => {}, () => get('update')]) {
    if (isThere()) break;
    before();
    for (const one of packages)
      if (!isThere()) said.push(get('install', '-y', '--no-install-recommends', one).stderr.trim());
  }
  if (!isThere()) return `apt-get failed: ${said.at(-1)}`;
  console.log(`done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return undefined;
}
