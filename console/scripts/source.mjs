// Loads a module of console/src, so that the build uses the code of the pages. Vite's `runnerImport` would set NODE_ENV to
// `development` for the whole build.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** @returns {Promise<any>} */
export async function loadSource(/** @type {string} */ name) {
  const file = fileURLToPath(new URL(`../src/${name}`, import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: file, write: false, target: 'node20' },
  });
  const [{ code }] = /** @type {import('vite').Rolldown.RolldownOutput} */ (built).output;
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
