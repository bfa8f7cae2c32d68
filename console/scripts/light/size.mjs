// Keeps the light pages light: counts the script that each loads before it works.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LIGHT_PAGES } from './pages.mjs';

/** In bytes as sent with gzip. With Brotli, which browsers prefer, it is a tenth less. */
const LIMIT = 50_000;

/** @throws if a page loads more than the limit */
export function checkLightPages(/** @type {string} */ dist) {
  const heavy = LIGHT_PAGES.map(({ path }) => ({ path, bytes: scriptBytes(dist, path) })).filter(
    ({ bytes }) => bytes > LIMIT,
  );
  if (heavy.length === 0) return;
  const list = heavy.map(({ path, bytes }) => `${path} loads ${bytes} bytes`).join(', ');
  throw new Error(
    `A light page may load ${LIMIT} bytes of script, compressed with gzip. ${list}. Import less, or import it when it is needed.`,
  );
}

/** The compressed size of a page's script and of everything that it imports statically. */
function scriptBytes(/** @type {string} */ dist, /** @type {string} */ page) {
  const html = readFileSync(join(dist, page), 'utf8');
  const found = new Set();
  const add = (/** @type {string} */ path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const name of importsOf(readFileSync(join(dist, path), 'utf8')))
      add(new URL(name, `http://localhost${path}`).pathname);
  };
  for (const [, path] of html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) add(String(path));
  if (found.size === 0) throw new Error(`${page} loads no script.`);
  return [...found].reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, String(path)))).length, 0);
}

/** `import{a}from"./b.js"` and `import"./b.js"`, without `import("./b.js")`. */
const importsOf = (/** @type {string} */ code) =>
  [...code.matchAll(/\b(?:from|import)\s*"(\.{1,2}\/[^"]+\.js)"/g)].map(([, name]) => String(name));
