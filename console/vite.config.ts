import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type BuildEnvironmentOptions, defineConfig, type UserConfig } from 'vite';
import { circuitFiles, phoneServiceWorker } from './scripts/phone-files.ts';

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the builds of all pages share. Their pages load chunks from `/assets/` on their own origin. */
export const shared = {
  root: page('.'),
  base: '/',
  // Use the sources of the SDK and the prover, like the rest of the project.
  resolve: { conditions: ['source', 'module', 'browser'] },
} satisfies UserConfig;

export const sharedBuild = {
  target: 'es2022',
  outDir: page('dist'),
  // The Content-Security-Policy forbids inline content, so nothing may become a data: URL or an inline script.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
} satisfies BuildEnvironmentOptions;

/** The build of all pages but the light ones (vite.light.config.ts). */
export default defineConfig({
  ...shared,
  plugins: [react(), phoneServiceWorker()],
  define: { CIRCUIT_FILES: JSON.stringify(circuitFiles()) },
  // Below /phone/, the scope of the phone's service worker. Elsewhere, a worker would not load without a network.
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'phone/[name]-[hash].js', chunkFileNames: 'phone/assets/[name]-[hash].js' },
    },
  },
  build: {
    ...sharedBuild,
    emptyOutDir: true,
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: [
        'index.html',
        '404.html',
        'dashboard/index.html',
        'phone/index.html',
        'sign-in/index.html',
        'docs/index.html',
      ].map(page),
    },
  },
});
