// Builds pages beside those of the first build.
import { join } from 'node:path';
import { build, mergeConfig } from 'vite';
import { manifestOf } from './page-sizes.mjs';

export const besideConfig = (/** @type {string} */ workspace) => join(workspace, 'vite.beside.config.ts');

/**
 * Builds pages together. What at least `sharedBy` of them load is one file, of this name: over HTTP/1.1, a browser has six connections,
 * and each more file costs a request with a kilobyte of headers.
 */
export const buildBeside = (
  /** @type {string} */ workspace,
  /** @type {string} */ name,
  /** @type {string[]} */ pages,
  { sharedBy = 2, ...options } = /** @type {import('vite').InlineConfig & { sharedBy?: number }} */ ({}),
) =>
  build(
    mergeConfig(
      {
        configFile: besideConfig(workspace),
        logLevel: 'warn',
        build: {
          manifest: manifestOf(name),
          license: { fileName: `licenses-${name}.md` },
          // A page's own code needs files that have been loaded, and a link to each takes a slow phone 50 ms. The others load with it.
          modulePreload: {
            polyfill: false,
            resolveDependencies: (
              /** @type {string} */ _file,
              /** @type {string[]} */ files,
              /** @type {{ hostType: 'html' | 'js' }} */ { hostType },
            ) => {
              if (hostType === 'html') return files;
              return sharedBy > 2 ? files.filter((file) => !isLoaded(file, name)) : [];
            },
          },
          rolldownOptions: {
            input: pages.map((page) => join(workspace, page)),
            output: { codeSplitting: { groups: [{ name, minShareCount: sharedBy }] } },
          },
        },
      },
      options,
    ),
  );

/** Whether the HTML of the page names the file: its own script and the shared one. */
const isLoaded = (/** @type {string} */ file, /** @type {string} */ name) =>
  [name, 'index', 'rolldown-runtime'].some((loaded) => file.startsWith(`assets/${loaded}-`));
