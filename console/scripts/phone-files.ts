// Build steps for the phone page: the paths of the circuit files, and a service worker with the list of all files.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const readText = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The paths of the circuit files on the service. Each ends in the first 16 hex digits of the file's SHA-256. */
export function circuitFiles() {
  const { circuit, circuitVersion, files } = JSON.parse(readText('../../zk/artifacts/manifest.json'));
  const path = (role: 'wasm' | 'zkey' | 'vkey') =>
    `/zk/${circuit}-${circuitVersion}/${files[role].name}?v=${files[role].sha256.slice(0, 16)}`;
  return { wasm: path('wasm'), zkey: path('zkey'), vkey: path('vkey') };
}

/** Adds the names of the phone's files to its service worker. */
export const phoneServiceWorker = (): Plugin => ({
  name: 'phone-service-worker',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['phone/index.html'];
    if (page?.type !== 'asset') throw new Error('The phone’s page was not built.');
    const { wasm, zkey } = circuitFiles();
    const named = [...filesOfPhone(bundle), wasm, zkey];
    // The page and the icon have no hash in their names, so the version depends on their content. It also depends on the
    // file with the security headers, because the page is cached with them and must receive changes, and on the name that the
    // service writes into the page.
    const version = createHash('sha256')
      .update(String(page.source))
      .update(readText('../public/favicon.svg'))
      .update(readText('../../server/src/http/transport/site.ts'));
    const files = ['/phone/', '/favicon.svg', ...named];
    this.emitFile({
      type: 'asset',
      fileName: 'phone/sw.js',
      source: [
        `const VERSION = "${version.update(files.join('\n')).digest('hex').slice(0, 16)} {{product-name}}";`,
        `const FILES = ${JSON.stringify(files)};`,
        readText('../src/phone/sw.js'),
      ].join('\n'),
    });
  },
});

/** The phone's script with all its imports, styles and workers. Files that only other pages use are excluded. */
function filesOfPhone(bundle: Rolldown.OutputBundle): string[] {
  const workers = Object.keys(bundle).filter((name) => /^phone\/.*\.js$/.test(name));
  const found = new Set<string>();
  const add = (name: string) => {
    const file = bundle[name];
    if (found.has(name) || file === undefined) return;
    found.add(name);
    const text = file.type === 'chunk' ? file.code : String(file.source);
    for (const worker of workers) if (text.includes(basename(worker))) add(worker);
    if (file.type !== 'chunk') return;
    const { importedCss = [], importedAssets = [] } = file.viteMetadata ?? {};
    for (const part of [...importedCss, ...importedAssets, ...file.imports, ...file.dynamicImports])
      add(part);
  };
  for (const chunk of Object.values(bundle))
    if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/phone/index.html')) add(chunk.fileName);
  return [...found].sort().map((name) => `/${name}`);
}
