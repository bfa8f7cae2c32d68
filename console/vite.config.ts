import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { circuitFiles, phoneServiceWorker } from './scripts/phone-files.ts';

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** One build for all pages. They share what they have in common, and load it from `/assets/` of their own origin. */
export default defineConfig({
  root: page('.'),
  base: '/',
  plugins: [react(), phoneServiceWorker()],
  define: { CIRCUIT_FILES: JSON.stringify(circuitFiles()) },
  // The sources of the SDK and of the prover, as everywhere in this project.
  resolve: { conditions: ['source', 'module', 'browser'] },
  // Beneath /phone/, where the phone's service worker reaches: a worker elsewhere would be on its own without a network.
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'phone/[name]-[hash].js', chunkFileNames: 'phone/[name]-[hash].js' },
    },
  },
  build: {
    target: 'es2022',
    outDir: page('dist'),
    emptyOutDir: true,
    // A policy without inline anything: nothing may become a data: URL or an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: ['index.html', 'dashboard/index.html', 'phone/index.html', 'docs/index.html'].map(page),
    },
  },
});
