import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another live process holds the data folder. Two on one folder would corrupt it. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Names a process beyond its number, which the system gives away again: the boot it belongs to and the moment it
 * started. Where there is no /proc only the number is known.
 */
function identityOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${pid} ${boot} ${startedAt}`;
  } catch {
    return undefined;
  }
}

function isAlive(owner: string): boolean {
  const pid = Number(owner.split(' ')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  const identity = identityOf(pid);
  if (identity !== undefined || process.platform === 'linux') return identity === owner;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Takes the folder for this process; answers how to give it back. Linking a finished file into place is atomic, so one
 * of several starting processes wins; the lock of a process that was killed is moved away by whoever finds it.
 */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, 'lock');
  const mine = `${lock}.${process.pid}`;
  const owner = identityOf(process.pid) ?? String(process.pid);
  writeFileSync(mine, `${owner}\n`, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      try {
        linkSync(mine, lock);
        return () => {
          if (read(lock) === owner) rmSync(lock, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = read(lock);
      if (holder === owner || (holder !== undefined && isAlive(holder))) {
        const pid = holder.split(' ')[0];
        throw new FolderInUseError(
          `The data folder ${folder} is in use by process ${pid}. Stop it, or set DATA_DIR to another folder.`,
        );
      }
      if (holder !== undefined) removeStale(lock, holder);
    }
    throw new FolderInUseError(`The data folder ${folder} is being taken by another process.`);
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Moves the dead lock away under a name of our own; puts it back if somebody else's fresh one was caught instead. */
function removeStale(lock: string, holder: string): void {
  const stale = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, stale);
  } catch {
    return;
  }
  try {
    if (read(stale) !== holder) linkSync(stale, lock);
  } catch {
    // A third process has taken it meanwhile; the next round sees it.
  } finally {
    rmSync(stale, { force: true });
  }
}
