// The phone of the SDK as one script, as an application's bundler makes it: for its budget, and for engines that load no modules.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../setup.mjs';

/** Bundles source text that imports files of sdk/src, for an engine without a DOM. Its exports are in the global `sdk`. */
export async function bundleScript(/** @type {string} */ source) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: join(root, 'sdk', 'src'), loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    conditions: ['source'],
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** The gzip bytes of all that `@svc/sdk/phone` exports. */
export const phoneModuleBytes = async () =>
  gzipSync(await bundleScript("export * from './phone.ts';")).length;
