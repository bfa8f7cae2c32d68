// Builds what “Here now” shows without a network: a page with the list that the browser kept, and the service worker that opens it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBeside } from '../beside.mjs';
import { manifestOf } from '../page-sizes.mjs';
import { lightPages } from './html.mjs';

const PAGE = {
  path: 'dashboard/here.html',
  title: 'Here now',
  module: 'src/dashboard/time/here/kept/main.tsx',
};

/** @typedef {{ file: string, imports?: string[], dynamicImports?: string[], css?: string[], assets?: string[] }} Chunk */

/** Builds it apart from the other light pages, which would load what it shares with one of them. */
export async function buildHere(/** @type {string} */ workspace, /** @type {string} */ dist) {
  await buildBeside(workspace, 'here', [PAGE.path], { plugins: [lightPages(workspace, [PAGE])] });
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(join(dist, manifestOf('here')), 'utf8'));
  const files = ['/dashboard/here', ...filesOf(manifest).map((name) => `/${name}`)];
  // The page has no hash in its name. It also obeys the security headers that it is sent with, and shows the name of the product.
  const version = createHash('sha256')
    .update(readFileSync(join(dist, PAGE.path)))
    .update(readFileSync(join(workspace, '../server/src/http/transport/site.ts')))
    .update(files.join('\n'))
    .digest('hex')
    .slice(0, 16);
  writeFileSync(
    join(dist, 'dashboard', 'sw.js'),
    [
      `const VERSION = "${version} {{product-name}}";`,
      `const FILES = ${JSON.stringify(files)};`,
      readFileSync(join(workspace, 'src/dashboard/time/here/kept/sw.js'), 'utf8'),
    ].join('\n'),
  );
}

/** What the page loads, in every language. */
function filesOf(/** @type {Record<string, Chunk>} */ manifest) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {Set<string>} */
  const seen = new Set();
  const follow = (/** @type {string} */ key) => {
    const chunk = manifest[key];
    if (seen.has(key) || chunk === undefined) return;
    seen.add(key);
    const { file, imports = [], dynamicImports = [], css = [], assets = [] } = chunk;
    for (const name of [file, ...css, ...assets]) if (/\.(js|css|woff2)$/.test(name)) files.add(name);
    for (const imported of [...imports, ...dynamicImports]) follow(imported);
  };
  follow(PAGE.path);
  return [...files].sort();
}
