// Bundles the programs that a node runs: the server and its threads. Node opens all modules of a graph at the same time, and those of
// the server were more files than `ulimit -n 256` allows. All other modules stay in dist/ as files, for the command line and tests.
import { join, relative } from 'node:path';

/** @typedef {{ name: string, source: string, output: string, packages: readonly string[], keepNames?: boolean }} Program */

/** Packages that stay outside: they find files of their own by their path. */
const EXTERNAL = ['@electric-sql/pglite', '@node-rs/argon2', 'mcl-wasm', 'pg-native', 'pino'];
/** The library takes the names of its models from their classes, which a bundle with our own classes could rename. */
const PROVIDER = 'oidc-provider';
/** Next to the server, so that the paths in its parts are those of serve.js. */
const PROVIDER_FILE = 'serve.oidc-provider.js';

/** Each replaces the module of the same name. */
const PROGRAMS = [
  { workspace: 'server', folder: 'bin', name: 'serve' },
  { workspace: 'server', folder: 'db', name: 'embedded-init' },
  { workspace: 'server', folder: 'features/audit', name: 'check-rows.worker' },
  { workspace: 'server', folder: 'features/sheets/files/xlsx', name: 'xlsx.worker' },
  { workspace: 'zk', folder: 'verifier', name: 'verifier.worker' },
];

/** CommonJS packages call `require` for the modules of Node. Dropped if nothing uses it. */
const BANNER =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/**
 * Our modules find other files relative to themselves, for which a bundle has to name the module's own place in dist/.
 * @returns {import('esbuild').Plugin}
 */
function placesOf(/** @type {string} */ root, /** @type {string} */ outdir) {
  return {
    name: 'places',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${PROVIDER}$`) }, () => ({
        path: `./${PROVIDER_FILE}`,
        external: true,
      }));
      build.onLoad({ filter: /[\\/](server|zk|chain|demo-idp)[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        if (path.includes('node_modules')) return undefined;
        const { readFile } = await import('node:fs/promises');
        const text = await readFile(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const [workspace, , ...rest] = relative(root, path).split(/[\\/]/);
        const place = join(root, String(workspace), 'dist', ...rest).replace(/\.ts$/, '.js');
        const address = relative(outdir, place).replaceAll('\\', '/');
        const here = `new URL('${address}', import.meta.url).href`;
        return { contents: text.replaceAll('import.meta.url', here), loader: 'ts' };
      });
    },
  };
}

/** Bundles all programs. Returns the files that it wrote, relative to the root. */
export async function bundlePrograms(/** @type {string} */ root) {
  const { build } = await import('esbuild');
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    external: EXTERNAL,
    banner: { js: BANNER },
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  };
  const built = await Promise.all([
    ...PROGRAMS.map(({ workspace, folder, name }) => {
      const outdir = join(root, workspace, 'dist', folder);
      return build({
        ...common,
        entryPoints: { [name]: join(root, workspace, 'src', folder, `${name}.ts`) },
        outdir,
        chunkNames: `${name}.[name]-[hash]`,
        plugins: [placesOf(root, outdir)],
      });
    }),
    build({
      ...common,
      entryPoints: { [PROVIDER_FILE.replace(/\.js$/, '')]: PROVIDER },
      outdir: join(root, 'server', 'dist', 'bin'),
      chunkNames: 'serve.[name]-[hash]',
      keepNames: true,
    }),
  ]);
  return built.flatMap(({ metafile }) => Object.keys(metafile?.outputs ?? {}));
}
