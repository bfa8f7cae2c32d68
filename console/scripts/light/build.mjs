// Builds the light pages beside the others, and renders into their HTML what they show first.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { besideConfig, buildBeside } from '../beside.mjs';
import { lightPages, PLACE } from './html.mjs';
import { LIGHT_PAGES } from './pages.mjs';

const RENDER = 'src/light/render.ts';

export async function buildLightPages(/** @type {string} */ workspace, /** @type {string} */ dist) {
  await buildBeside(
    workspace,
    'light',
    LIGHT_PAGES.map(({ path }) => path),
    // The desk would load what the log-in shares with the invitation.
    { plugins: [lightPages(workspace, LIGHT_PAGES)], sharedBy: 3 },
  );
  const folder = join(workspace, 'node_modules', '.light');
  await build({
    configFile: besideConfig(workspace),
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries(
          [RENDER, ...LIGHT_PAGES.map(({ module }) => module)].map((path) => [
            nameOf(path),
            join(workspace, path),
          ]),
        ),
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  try {
    const load = (/** @type {string} */ path) =>
      import(pathToFileURL(join(folder, `${nameOf(path)}.js`)).href);
    const { render } = await load(RENDER);
    for (const { path, module } of LIGHT_PAGES) {
      const { default: content } = await load(module);
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

/** Of the folder too, because several pages may have a `main.tsx`. */
const nameOf = (/** @type {string} */ path) =>
  path
    .split('/')
    .slice(-3)
    .join('-')
    .replace(basename(path), basename(path).replace(/\.tsx?$/, ''));
