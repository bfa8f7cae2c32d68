import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePrivate } from '../base/private-path.js';
import type { RawDatabase } from './db.js';
import { lockFolder } from './folder-lock.js';
import { openPglite, usePglite } from './pglite.js';

/**
 * The embedded database of a data folder, which only one process at a time may open. The cluster is created in a child
 * process, because that takes most of a gigabyte of memory that this process would never release. It is created in a
 * draft folder and renamed when it is complete, so a killed start leaves nothing that looks like a database.
 * @throws FolderInUseError if another process has the folder open
 */
export async function openEmbedded(dataDir: string): Promise<RawDatabase> {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(folder);
  try {
    const cluster = join(folder, 'database');
    if (!existsSync(cluster)) {
      // The child process of a killed start may still be writing its draft, so our draft has its own name.
      const isDraft = (name: string) => name.startsWith('database.draft');
      for (const name of readdirSync(folder).filter(isDraft))
        rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
      const draft = join(folder, `database.draft.${process.pid}`);
      await initialise(draft);
      renameSync(draft, cluster);
    }
    // Files in it may be readable by others. The data folder may have existed before, so restrict the cluster itself.
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
        : failed(new Error('The embedded database could not be created. See the lines above.')),
    );
  });
}
