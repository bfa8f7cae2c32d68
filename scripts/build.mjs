// Transpiles every workspace's src/ to dist/, file by file, in a fraction of a second, and bundles the programs that a node runs
// (bundle.mjs). It does not check types; `npm run check` does. The pages take longer and are built separately (console/scripts/build.mjs). For each of the two, a stamp file holds a
// hash of the sources, so `npm start` builds only what has changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundlePrograms } from './bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** @type {string[]} */
const workspaces = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces.filter(
  (/** @type {string} */ name) => name !== 'console',
);
const self = fileURLToPath(import.meta.url);
const bundler = join(root, 'scripts', 'bundle.mjs');
const codeStamp = join(root, '.build', 'stamp');
const pagesStamp = join(root, '.build', 'pages-stamp');

/** The sources of the build, without tests, as absolute paths in a stable order. */
function sources(/** @type {string} */ workspace) {
  const folder = join(root, workspace, 'src');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();
}

/** Sources that the API reference is generated from: routes and their schemas. */
const DESCRIBED = /[\\/](model[\\/].*|openapi.*|.*\.(v1|console|admin|public|legacy|schema))\.ts$/;

/** The sources of the pages: their own files, the guides, the routes, and the modules that they share with programs. */
function pageSources() {
  const parts = [
    'console',
    'docs',
    'examples/curl',
    'sdk/src',
    'zk/src',
    'zk/artifacts',
    'package-lock.json',
    'CHANGELOG.md',
    'server/src/http/transport/site.ts',
  ];
  const files = parts.flatMap((part) => {
    const path = join(root, part);
    if (!existsSync(path)) return [];
    return statSync(path).isFile()
      ? [path]
      : readdirSync(path, { recursive: true }).map((name) => join(path, String(name)));
  });
  const isMade = (/** @type {string} */ file) => /[\\/](dist|node_modules|e2e)[\\/]|\.test\.tsx?$/.test(file);
  const described = sources('server').filter((file) => DESCRIBED.test(file));
  return [...files, ...described].filter((file) => !isMade(file) && statSync(file).isFile()).sort();
}

function fingerprint(/** @type {string[]} */ files) {
  const hash = createHash('sha256');
  for (const file of [self, bundler, ...files])
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const isStamped = (/** @type {string} */ stamp, /** @type {string[]} */ files) =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(files);

/** The sources of the code, and the packages that are part of the bundles. */
const codeSources = () => [...workspaces.flatMap(sources), join(root, 'package-lock.json')];

/** Whether dist/ was built from exactly the current sources. */
const isCodeFresh = () =>
  isStamped(codeStamp, codeSources()) &&
  workspaces.every((name) => sources(name).length === 0 || existsSync(join(root, name, 'dist')));
const arePagesFresh = () => existsSync(join(root, 'console', 'dist')) && isStamped(pagesStamp, pageSources());

/** Whether there is nothing to build. */
export const isFresh = () => isCodeFresh() && arePagesFresh();

/** Deletes output of deleted sources. Other files are overwritten in place, because a running test may be reading them. */
function removeLeftovers(/** @type {string} */ folder, /** @type {Set<string>} */ outputs) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !outputs.has(relative(root, file).replaceAll('\\', '/'))) rmSync(file);
  }
}

export async function build() {
  if (!isCodeFresh()) await buildCode();
  if (!arePagesFresh()) await buildPages();
}

/** In a child process, because `npm start` continues in this one and would not get back the bundler's memory. */
async function buildPages() {
  rmSync(pagesStamp, { force: true });
  const child = spawn(process.execPath, [join(root, 'console', 'scripts', 'build.mjs')], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The pages could not be built:\n${output}`);
  writeFileSync(pagesStamp, fingerprint(pageSources()));
}

async function buildCode() {
  const { build: bundle } = await import('esbuild');
  rmSync(codeStamp, { force: true });
  /** @type {Map<string, Set<string>>} */
  const outputs = new Map();
  for (const workspace of workspaces) {
    const entryPoints = sources(workspace);
    if (entryPoints.length === 0) continue;
    const { metafile } = await bundle({
      entryPoints,
      outdir: join(root, workspace, 'dist'),
      absWorkingDir: root,
      metafile: true,
      outbase: join(root, workspace, 'src'),
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      logLevel: 'warning',
    });
    outputs.set(workspace, new Set(Object.keys(metafile.outputs)));
  }
  // After the modules, some of which it replaces.
  const bundles = await bundlePrograms(root);
  for (const [workspace, files] of outputs)
    removeLeftovers(join(root, workspace, 'dist'), new Set([...files, ...bundles]));
  mkdirSync(dirname(codeStamp), { recursive: true });
  writeFileSync(codeStamp, fingerprint(codeSources()));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = Date.now();
  await build();
  console.log(`Built ${[...workspaces, 'console'].join(', ')} in ${Date.now() - started} ms.`);
}
