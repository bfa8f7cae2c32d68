import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type BuildEnvironmentOptions, defineConfig, type UserConfig } from 'vite';
import { circuitFiles, phoneServiceWorker } from './scripts/phone-files.ts';

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const replace = (name: string, replacement: string) => ({ find: new RegExp(`^${name}$`), replacement });

/**
 * What the builds of all pages share. Their pages load chunks from `/assets/` on their own origin. They are written for React, and run
 * on Preact, which is a tenth of its size and starts in half of its time.
 */
export const shared = {
  root: page('.'),
  base: '/',
  plugins: [react()],
  resolve: {
    // Use the sources of the SDK and the prover, like the rest of the project.
    conditions: ['source', 'module', 'browser'],
    alias: [
      replace('react', 'preact/compat'),
      replace('react-dom', 'preact/compat'),
      replace('react-dom/client', 'preact/compat/client'),
      replace('react-dom/server', 'preact/compat/server'),
      replace('react/jsx-runtime', 'preact/jsx-runtime'),
    ],
  },
  // What the build renders uses the same Preact.
  ssr: { noExternal: true },
  define: { CIRCUIT_FILES: JSON.stringify(circuitFiles()) },
  // Below /phone/, the scope of the phone's service worker. Elsewhere, a worker would not load without a network.
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'phone/[name]-[hash].js', chunkFileNames: 'phone/assets/[name]-[hash].js' },
    },
  },
} satisfies UserConfig;

export const sharedBuild = {
  target: 'es2022',
  outDir: page('dist'),
  // The Content-Security-Policy forbids inline content, so nothing may become a data: URL or an inline script.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
} satisfies BuildEnvironmentOptions;

/** The first build: all pages but the dashboard and the light ones, which are built beside them (scripts/beside.mjs). */
export default defineConfig({
  ...shared,
  plugins: [...shared.plugins, phoneServiceWorker()],
  build: {
    ...sharedBuild,
    emptyOutDir: true,
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: ['index.html', '404.html', 'phone/index.html', 'sign-in/index.html', 'docs/index.html'].map(
        page,
      ),
    },
  },
});
