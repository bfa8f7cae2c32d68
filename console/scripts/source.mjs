// Loads a module of console/src that imports nothing, so that the build uses the code of the pages. Vite's `runnerImport` would set
// NODE_ENV to `development` for the whole build.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';

/** @returns {Promise<any>} */
export async function loadSource(/** @type {string} */ name) {
  const file = fileURLToPath(new URL(`../src/${name}`, import.meta.url));
  const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, { sourcemap: false });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
