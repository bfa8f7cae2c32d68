import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { shared, sharedBuild } from './vite.config.ts';

const replace = (name: string, replacement: string) => ({ find: new RegExp(`^${name}$`), replacement });

/** The builds of the light pages (scripts/light/build.mjs). They are written for React like all others, and run on Preact, which is a tenth of its size. */
export default defineConfig({
  ...shared,
  plugins: [react()],
  resolve: {
    ...shared.resolve,
    alias: [
      replace('react', 'preact/compat'),
      replace('react-dom', 'preact/compat'),
      replace('react-dom/client', 'preact/compat/client'),
      replace('react-dom/server', 'preact/compat/server'),
      replace('react/jsx-runtime', 'preact/jsx-runtime'),
    ],
  },
  // Rendered when they are built, with the same Preact.
  ssr: { noExternal: true },
  build: {
    ...sharedBuild,
    // Beside the other pages.
    emptyOutDir: false,
  },
});
