import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePrivate } from '../base/private-path.js';
import type { RawDatabase } from './db.js';
import { lockFolder } from './folder-lock.js';
import { openPglite, usePglite } from './pglite.js';

/**
 * The embedded database of a data folder, which one process at a time may hold. The cluster is made in a child process
 * that ends: making it takes most of a gigabyte that this process would never give back. It is made beside its place
 * and moved there when it is whole, so a start that was killed halfway leaves nothing that looks like a database.
 * @throws FolderInUseError when another process holds the folder
 */
export async function openEmbedded(dataDir: string): Promise<RawDatabase> {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(folder);
  try {
    const cluster = join(folder, 'database');
    if (!existsSync(cluster)) {
      // The child of a start that was killed may still be writing its draft: ours has a name of its own.
      const isDraft = (name: string) => name.startsWith('database.draft');
      for (const name of readdirSync(folder).filter(isDraft))
        rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
      const draft = join(folder, `database.draft.${process.pid}`);
      await initialise(draft);
      renameSync(draft, cluster);
    }
    // What lies in it may be readable by all: no mode of a folder that was there before holds anybody off, but this one does.
    makePrivate(cluster);
    const db = usePglite(await openPglite({ folder: cluster }));
    return { ...db, close: () => db.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

function initialise(folder: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = fork(fileURLToPath(new URL('../../dist/db/embedded-init.js', import.meta.url)), [folder]);
    child.once('error', failed);
    child.once('exit', (code) =>
      code === 0
        ? done()
        : failed(new Error('The embedded database could not be made; see the lines above.')),
    );
  });
}
