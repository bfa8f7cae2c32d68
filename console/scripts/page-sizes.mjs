// What each page loads before it works, from the manifests of the builds: gzip bytes of scripts and styles, of scripts alone, and requests. Written to
// .build/pages.json. Pictures, typefaces and calls of the API are not counted. A light page whose scripts are over the limit fails the build.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LIGHT_PAGES } from './light/pages.mjs';

/** With Brotli, which browsers prefer, a page is a tenth smaller. */
const LIGHT_LIMIT = 50_000;
/** The page and what it imports as soon as it starts: of the languages, one. The German texts are the longest. */
const LOADED_AT_START = { 'phone/index.html': ['src/phone/main.tsx', 'src/phone/language/de.tsx'] };
const ROOMS = 'src/dashboard/pages.ts';

/** @typedef {{ file: string, imports?: string[], css?: string[] }} Chunk */

/** Where a build writes its manifest, below dist/. */
export const manifestOf = (/** @type {string} */ build) => `manifest-${build}.json`;

/** Measures the pages, and removes the manifests. @throws if a light page loads more than its limit */
export function measurePages(/** @type {string} */ workspace, /** @type {string} */ dist) {
  /** @type {Record<string, number>} */
  const bytes = {};
  /** @type {Record<string, number>} */
  const scripts = {};
  /** @type {Record<string, number>} */
  const requests = {};
  const sizeOf = (/** @type {string[]} */ files) =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
  for (const manifest of takeManifests(dist)) {
    const add = (/** @type {string} */ name, /** @type {string} */ html, /** @type {string[]} */ sources) => {
      const files = filesOf(dist, manifest, html, sources);
      bytes[name] = sizeOf(files);
      scripts[name] = sizeOf(files.filter((file) => file.endsWith('.js')));
      requests[name] = files.length + 1;
    };
    for (const page of Object.keys(manifest).filter((key) => key.endsWith('.html')))
      add(page, page, LOADED_AT_START[/** @type {keyof LOADED_AT_START} */ (page)] ?? []);
    if ('dashboard/index.html' in manifest)
      for (const source of pagesOfDashboard(workspace)) add(source, 'dashboard/index.html', [source]);
  }
  const result = join(dirname(workspace), '.build', 'pages.json');
  mkdirSync(dirname(result), { recursive: true });
  writeFileSync(result, `${JSON.stringify({ bytes, scripts, requests }, undefined, 2)}\n`);
  const heavy = LIGHT_PAGES.map(({ path }) => path).filter(
    (path) => (scripts[path] ?? Infinity) > LIGHT_LIMIT,
  );
  if (heavy.length === 0) return;
  const list = heavy.map((path) => `${path} loads ${scripts[path]} bytes`).join(', ');
  throw new Error(
    `A light page may load ${LIGHT_LIMIT} bytes of script, compressed with gzip. ${list}. Import less, or import it when it is needed.`,
  );
}

/** @returns {Record<string, Chunk>[]} */
function takeManifests(/** @type {string} */ dist) {
  const names = readdirSync(dist).filter((name) => /^manifest-\w+\.json$/.test(name));
  return names.map((name) => {
    const manifest = JSON.parse(readFileSync(join(dist, name), 'utf8'));
    rmSync(join(dist, name));
    return manifest;
  });
}

/** The scripts and styles that the page's HTML names, and those of the chunks that it and the sources import statically. */
function filesOf(
  /** @type {string} */ dist,
  /** @type {Record<string, Chunk>} */ manifest,
  /** @type {string} */ page,
  /** @type {string[]} */ sources,
) {
  const html = readFileSync(join(dist, page), 'utf8');
  const files = new Set(
    [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file]) => String(file)),
  );
  /** @type {Set<string>} */
  const seen = new Set();
  const follow = (/** @type {string} */ key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no ${key}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) if (/\.(js|css)$/.test(file)) files.add(file);
    for (const imported of chunk.imports ?? []) follow(imported);
  };
  for (const key of [page, ...sources]) follow(key);
  return [...files];
}

/** The sources of the pages and records that pages.ts names. */
function pagesOfDashboard(/** @type {string} */ workspace) {
  const text = readFileSync(join(workspace, ROOMS), 'utf8');
  return [...text.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, path]) => `src/dashboard/${path}.tsx`);
}
