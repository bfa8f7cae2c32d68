// `npm run pack` creates the published packages in .build/packages: currently @svc/sdk. Its code is bundled into one tarball: the
// client without dependencies, and the prover with the parts of zk/ that it needs.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SDK_ENTRIES, sdkDeclarations } from '../generate/sdk-declarations.mjs';
import { root, setUp } from '../setup.mjs';

const packages = join(root, '.build', 'packages');
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');

/** Bundles the SDK's entries into a folder. Shared code is in its own file, so that each class exists only once. */
export async function bundleSdk(/** @type {string} */ outdir) {
  const { metafile } = await build({
    entryPoints: Object.values(SDK_ENTRIES).map((name) => join(root, 'sdk', 'src', `${name}.ts`)),
    outdir,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['source'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/**
 * Packs in a separate folder, so that two processes may pack at the same time.
 * @returns {Promise<{ tarball: string, staged: string, files: { path: string, size: number }[], size: number }>}
 */
export async function packSdk(folder = packages) {
  const staged = join(folder, 'sdk');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  await bundleSdk(staged);
  for (const [file, text] of sdkDeclarations()) write(join(staged, 'types', file), text);
  for (const file of ['README.md', 'THIRD-PARTY-NOTICES.md'])
    cpSync(join(root, 'sdk', file), join(staged, file));
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(staged, file));
  for (const kind of ['wasm', 'zkey'])
    write(
      join(staged, 'artifacts', `identity_proof.${kind}`),
      readFileSync(join(root, 'zk', 'artifacts', `identity_proof.${kind}`)),
    );
  write(join(staged, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], {
      cwd: staged,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    }),
  );
  return { tarball: join(folder, packed.filename), staged, files: packed.files, size: packed.size };
}

/** The parts of sdk/package.json that users need, without those for development. */
function manifest() {
  const { name, version, description, license, type, sideEffects } = JSON.parse(read('sdk/package.json'));
  const { engines } = JSON.parse(read('package.json'));
  const exports = Object.fromEntries(
    Object.entries(SDK_ENTRIES).map(([path, file]) => [
      path,
      { types: `./types/${file}.d.ts`, default: `./${file}.js` },
    ]),
  );
  // TypeScript's `node10` resolution does not read `exports`.
  const fallback = {
    main: './sdk.js',
    types: './types/sdk.d.ts',
    typesVersions: {
      '*': {
        phone: ['./types/phone.d.ts'],
        prover: ['./types/prover.d.ts'],
        receipts: ['./types/receipts.d.ts'],
        time: ['./types/time.d.ts'],
      },
    },
  };
  const artifacts = { './artifacts/*': './artifacts/*', './package.json': './package.json' };
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines,
    ...fallback,
    exports: { ...exports, ...artifacts },
  };
}

function write(/** @type {string} */ file, /** @type {string | Buffer} */ content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await setUp();
  const { tarball, size } = await packSdk();
  console.log(`${tarball}: ${Math.round(size / 1024)} KiB`);
}
