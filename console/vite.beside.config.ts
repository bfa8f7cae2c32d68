import { defineConfig } from 'vite';
import { shared, sharedBuild } from './vite.config.ts';

/** For the builds that follow the first and add their files beside its own. Their scripts name the input. */
export default defineConfig({ ...shared, build: { ...sharedBuild, emptyOutDir: false } });
