import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { circuitFiles, phoneServiceWorker } from './scripts/phone-files.ts';

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** One build for all pages. They load shared chunks from `/assets/` on their own origin. */
export default defineConfig({
  root: page('.'),
  base: '/',
  plugins: [react(), phoneServiceWorker()],
  define: { CIRCUIT_FILES: JSON.stringify(circuitFiles()) },
  // Use the sources of the SDK and the prover, like the rest of the project.
  resolve: { conditions: ['source', 'module', 'browser'] },
  // Below /phone/, the scope of the phone's service worker. Elsewhere, a worker would not load without a network.
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'phone/[name]-[hash].js', chunkFileNames: 'phone/assets/[name]-[hash].js' },
    },
  },
  build: {
    target: 'es2022',
    outDir: page('dist'),
    emptyOutDir: true,
    // The Content-Security-Policy forbids inline content, so nothing may become a data: URL or an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
