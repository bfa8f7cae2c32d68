// Renders the landing page into its HTML, so that it can be read without JavaScript and before it has loaded.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { createElement, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { build } from 'vite';

const PLACE = '<div id="root"></div>';

export async function renderLanding(/** @type {string} */ workspace, /** @type {string} */ dist) {
  const folder = join(workspace, 'node_modules', '.landing');
  await build({
    configFile: false,
    // As in vite.config.ts, because the names of classes depend on it.
    root: workspace,
    plugins: [react()],
    resolve: { conditions: ['source', 'module', 'browser'] },
    logLevel: 'warn',
    build: {
      ssr: join(workspace, 'src', 'landing', 'landing.tsx'),
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { input: join(workspace, 'src', 'landing', 'landing.tsx') },
    },
  });
  try {
    const { Landing } = await import(pathToFileURL(join(folder, 'landing.js')).href);
    const file = join(dist, 'index.html');
    const page = readFileSync(file, 'utf8');
    if (!page.includes(PLACE)) throw new Error(`${file} has no place for the page.`);
    const html = renderToString(createElement(StrictMode, null, createElement(Landing)));
    writeFileSync(
      file,
      page.replace(PLACE, () => `<div id="root">${html}</div>`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
