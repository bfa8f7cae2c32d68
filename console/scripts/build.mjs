// Builds the pages with Vite into console/dist and compresses them there, so that the service sends files unchanged.
// The API reference is generated from the routes of the built server.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { buildBeside } from './beside.mjs';
import { buildDocs } from './docs.mjs';
import { renderLanding } from './landing.mjs';
import { buildLightPages } from './light/build.mjs';
import { buildHere } from './light/here.mjs';
import { manifestOf, measurePages } from './page-sizes.mjs';
import { withTypefaces } from './preload.mjs';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(workspace, 'dist');

await build({
  configFile: join(workspace, 'vite.config.ts'),
  logLevel: 'warn',
  build: { manifest: manifestOf('first') },
});
// One style, because a page of the dashboard would wait for eight. Code that two or three pages share is most of what a page could do without.
await buildBeside(workspace, 'dashboard', ['dashboard/index.html'], {
  sharedBy: 4,
  build: { cssCodeSplit: false },
});
await buildLightPages(workspace, dist);
await buildHere(workspace, dist);
// By itself, because those who open it open nothing else.
await buildBeside(workspace, 'inspection', ['inspection/index.html']);
await renderLanding(workspace, dist);
await buildDocs(dirname(workspace), dist);
measurePages(workspace, dist);
paintFirst(join(dist, 'dashboard', 'index.html'));
preloadTypefaces('dashboard', ['geist']);
compress(dist);

/** The frame of the page needs its style only, so scripts leave the connection to that. */
function paintFirst(/** @type {string} */ page) {
  const html = readFileSync(page, 'utf8');
  const style = /\n *<link rel="stylesheet"[^>]*>/.exec(html)?.[0];
  if (style === undefined) throw new Error(`${page} has no style.`);
  writeFileSync(
    page,
    html
      .replace(style, '')
      .replace(/\n *<title>/, (title) => style + title)
      .replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"'),
  );
}

function preloadTypefaces(/** @type {string} */ app, /** @type {('geist' | 'geist-mono')[]} */ faces) {
  const page = join(dist, app, 'index.html');
  writeFileSync(page, withTypefaces(readFileSync(page, 'utf8'), dist, faces));
}

/** Adds compressed versions next to each text file. The service picks one that the browser accepts. */
function compress(/** @type {string} */ folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|html|svg|json|webmanifest|wasm)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    // The service completes these with its own address and name, and then compresses them itself.
    const isTemplate =
      /\.html$|^sw\.js$/.test(entry.name) && /\{\{(base-url|product-name)\}\}/.test(String(bytes));
    if (bytes.length < 1024 || isTemplate) continue;
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    );
    writeFileSync(`${file}.gz`, gzipSync(bytes));
  }
}
