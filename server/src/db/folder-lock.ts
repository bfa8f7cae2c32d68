import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Another live process holds the data folder. Two on one folder would corrupt it. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** Who holds a folder, as its lock file says: `pid boot startedAt namespace socket`. */
interface Owner {
  readonly pid: number;
  readonly boot: string | undefined;
  readonly startedAt: string | undefined;
  /** Numbers of processes mean something within one namespace only: a container has its own. */
  readonly namespace: string | undefined;
  /** A socket in the folder that the owner listens on as long as it lives. */
  readonly socket: string | undefined;
}

function parseOwner(line: string): Owner {
  const [pid, boot, startedAt, namespace, socket] = line.split(' ');
  return { pid: Number(pid), boot, startedAt, namespace, socket };
}

/** The boot a process belongs to and the moment it started; undefined where there is no /proc, or no such process. */
function birthOf(pid: number): { boot: string; startedAt: string } | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return { boot, startedAt: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string };
  } catch {
    return undefined;
  }
}

function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '-';
  }
}

async function isAlive(folder: string, line: string): Promise<boolean> {
  const owner = parseOwner(line);
  // The socket speaks across containers that share the folder, where numbers of processes do not.
  if (owner.socket?.startsWith('lock.') && (await answers(join(folder, owner.socket)))) return true;
  if (!Number.isInteger(owner.pid) || owner.pid <= 0) return false;
  if (owner.namespace !== undefined && owner.namespace !== ownNamespace()) return false;
  const birth = birthOf(owner.pid);
  if (birth !== undefined || process.platform === 'linux')
    return birth !== undefined && birth.boot === owner.boot && birth.startedAt === owner.startedAt;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch {
    return false;
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Listens in the folder, so that others can see that this process lives; a path too long for a socket goes without. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(path, () => resolve(server.unref()));
  });
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
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const lock = join(folder, 'lock');
  const name = `lock.${process.pid}.${randomBytes(4).toString('hex')}`;
  const mine = join(folder, name);
  const socket = `${name}.sock`;
  const server = await listen(join(folder, socket));
  const { boot = '-', startedAt = '-' } = birthOf(process.pid) ?? {};
  const owner = `${process.pid} ${boot} ${startedAt} ${ownNamespace()} ${server ? socket : '-'}`;
  const forget = () => {
    server?.close();
    rmSync(join(folder, socket), { force: true });
  };
  writeFileSync(mine, `${owner}\n`, { mode: 0o600 });
  try {
    await take(folder, lock, mine);
  } catch (error) {
    forget();
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (read(lock) === owner) rmSync(lock, { force: true });
    forget();
  };
}

async function take(folder: string, lock: string, mine: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      linkSync(mine, lock);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = read(lock);
    if (holder === undefined) continue;
    if (await isAlive(folder, holder)) {
      throw new FolderInUseError(
        `The data folder ${folder} is in use by process ${parseOwner(holder).pid}. Stop it, or set DATA_DIR to another folder.`,
      );
    }
    removeStale(folder, lock, holder);
  }
  throw new FolderInUseError(`The data folder ${folder} is being taken by another process.`);
}

/** Moves the dead lock away under a name of our own; puts it back if somebody else's fresh one was caught instead. */
function removeStale(folder: string, lock: string, holder: string): void {
  const { socket } = parseOwner(holder);
  if (socket?.startsWith('lock.')) rmSync(join(folder, socket), { force: true });
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
