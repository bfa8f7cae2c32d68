// Builds pages beside those of the first build.
import { join } from 'node:path';
import { build, mergeConfig } from 'vite';

export const besideConfig = (/** @type {string} */ workspace) => join(workspace, 'vite.beside.config.ts');

/**
 * Builds pages together. What several of them load is one file, of this name: over HTTP/1.1, a browser has six connections, and each
 * more file costs a request with a kilobyte of headers.
 */
export const buildBeside = (
  /** @type {string} */ workspace,
  /** @type {string} */ name,
  /** @type {string[]} */ pages,
  /** @type {import('vite').InlineConfig} */ options = {},
) =>
  build(
    mergeConfig(
      {
        configFile: besideConfig(workspace),
        logLevel: 'warn',
        build: {
          license: { fileName: `licenses-${name}.md` },
          // A page's own code needs nothing but files that have been loaded, and a link to each takes a slow phone 50 ms.
          modulePreload: {
            polyfill: false,
            resolveDependencies: (
              /** @type {string} */ _file,
              /** @type {string[]} */ files,
              /** @type {{ hostType: 'html' | 'js' }} */ { hostType },
            ) => (hostType === 'html' ? files : []),
          },
          rolldownOptions: {
            input: pages.map((page) => join(workspace, page)),
            output: { codeSplitting: { groups: [{ name, minShareCount: 2 }] } },
          },
        },
      },
      options,
    ),
  );
