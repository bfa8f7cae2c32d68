import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { openEmbedded } from '../../src/db/embedded.js';
import { type Migration, migrate } from '../../src/db/migrate.js';
import { usePglite } from '../../src/db/pglite.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cache = join(root, '.build', 'pglite');
const { version } = JSON.parse(
  readFileSync(join(root, 'node_modules', '@electric-sql', 'pglite', 'package.json'), 'utf8'),
);

/**
 * The path of a cached file or folder, created at its first use. Creating a cluster takes five seconds of CPU time
 * and loading one half a second, so clusters outlive the run. Each is renamed into place when it is complete: workers
 * that create the same one at the same time don't see each other's drafts.
 */
async function cached(kind: string, key: string, create: (draft: string) => Promise<void>): Promise<string> {
  const name = `${kind}-${key}`;
  const path = join(cache, name);
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'draft-'));
  try {
    const draft = join(folder, name);
    await create(draft);
    // A folder can't replace one that is not empty. The other worker's folder is equivalent.
    await rename(draft, path).catch((error) => {
      if (!existsSync(path)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const isStale = (other: string) => other.startsWith(`${kind}-`) && other !== name;
  for (const other of (await readdir(cache)).filter(isStale))
    await rm(join(cache, other), { recursive: true, force: true, maxRetries: 5 });
  return path;
}

const load = async (dump: string, dataDir?: string) =>
  PGlite.create({ loadDataDir: new Blob([await readFile(dump)]), ...(dataDir && { dataDir }) });

async function save(pglite: PGlite, path: string): Promise<void> {
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  await writeFile(path, new Uint8Array(await dump.arrayBuffer()));
}

const emptyDump = () => cached('empty', version, async (draft) => save(await PGlite.create(), draft));

/** An empty in-memory database. */
export const createPglite = async (): Promise<PGlite> => load(await emptyDump());

/** A database with these migrations applied: in a folder that does not exist yet, or in memory. */
export async function createMigratedPglite(
  migrations: readonly Migration[],
  folder?: string,
): Promise<PGlite> {
  const hash = createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 16);
  const dump = await cached('migrated', `${version}-${hash}`, async (draft) => {
    const pglite = await createPglite();
    await migrate(usePglite(pglite), migrations);
    await save(pglite, draft);
  });
  return load(dump, folder);
}

/** Copies an unused database into a data folder, like the first start of a server. */
export async function copyDatabase(dataFolder: string): Promise<void> {
  const folder = await cached('folder', version, async (draft) => (await openEmbedded(draft)).close());
  cpSync(join(folder, 'database'), join(dataFolder, 'database'), { recursive: true });
}
