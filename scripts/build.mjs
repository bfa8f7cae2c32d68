// Transpiles every workspace's src/ to dist/, file by file. Types are `npm run check`'s business, so a build takes a
// fraction of a second. The stamp holds a hash of what was built: `npm start` builds only when it no longer matches.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const workspaces = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces;
const stampFile = join(root, '.build', 'stamp');

/** The sources that go into the build, as absolute paths in a stable order; tests stay out. */
function sources(/** @type {string} */ workspace) {
  const folder = join(root, workspace, 'src');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [fileURLToPath(import.meta.url), ...workspaces.flatMap(sources)]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** True when dist/ was made from exactly the sources that stand here now. */
export function isFresh() {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== fingerprint()) return false;
  return workspaces.every(
    (/** @type {string} */ name) => sources(name).length === 0 || existsSync(join(root, name, 'dist')),
  );
}

/** Files of sources that are gone. Those that stay are overwritten in place: a running test may be reading them. */
function removeLeftovers(/** @type {string} */ folder, /** @type {Set<string>} */ outputs) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !outputs.has(relative(root, file).replaceAll('\\', '/'))) rmSync(file);
  }
}

export async function build() {
  const { build: bundle } = await import('esbuild');
  rmSync(stampFile, { force: true });
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
    removeLeftovers(join(root, workspace, 'dist'), new Set(Object.keys(metafile.outputs)));
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, fingerprint());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = Date.now();
  await build();
  console.log(`Built ${workspaces.join(', ')} in ${Date.now() - started} ms.`);
}
