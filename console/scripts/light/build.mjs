// Builds the light pages beside the others, and renders into their HTML what they show first.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { besideConfig, buildBeside } from '../beside.mjs';
import { LIGHT_PAGES } from './pages.mjs';

const PLACE = '<div id="root"></div>';

export async function buildLightPages(/** @type {string} */ workspace, /** @type {string} */ dist) {
  await buildBeside(workspace, 'light', LIGHT_PAGES);
  const folder = join(workspace, 'node_modules', '.light');
  const modules = LIGHT_PAGES.map((path) => moduleOf(join(workspace, path)));
  await build({
    configFile: besideConfig(workspace),
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries(
          ['/src/light/render.ts', ...modules].map((path) => [nameOf(path), join(workspace, path)]),
        ),
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  try {
    const load = (/** @type {string} */ path) =>
      import(pathToFileURL(join(folder, `${nameOf(path)}.js`)).href);
    const { render } = await load('/src/light/render.ts');
    for (const [index, path] of LIGHT_PAGES.entries()) {
      const { default: content } = await load(/** @type {string} */ (modules[index]));
      const file = join(dist, path);
      // A page without a default export brings its own first view. The typeface is not preloaded: on a slow connection, the form
      // would wait for it.
      if (content === undefined) continue;
      const html = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        html.replace(PLACE, () => `<div id="root">${render(content)}</div>`),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The module that a page loads. */
function moduleOf(/** @type {string} */ file) {
  const [, path] = /<script type="module" src="(.+?)">/.exec(readFileSync(file, 'utf8')) ?? [];
  if (path === undefined) throw new Error(`${file} loads no module.`);
  return path;
}

/** Of the folder too, because several pages may have a `main.tsx`. */
const nameOf = (/** @type {string} */ path) =>
  path
    .split('/')
    .slice(-3)
    .join('-')
    .replace(basename(path), basename(path).replace(/\.tsx?$/, ''));
