import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Another live process has locked the data folder. Two processes in one folder would corrupt it. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

const SOCKET = /^lock\.(\d+)\.[0-9a-f]+\.sock$/;
/** The longest socket address that every system supports, with its terminating zero. */
const MAX_PATH_BYTES = 103;
const MAX_ATTEMPTS = 20;
const MAX_BACKOFF_MS = 100;

/**
 * Locks the folder for this process and returns a function that unlocks it. The lock is a socket in the folder: the system
 * closes it when its process ends, however that happens, and it can be reached from other containers that share the
 * folder. Each process first listens on its own socket and then looks for others. If two start at the same time, at least
 * one sees the other and retries, so there are never two owners. The file `lock` only names the owner.
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const { path, forget } = shortPath(folder);
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const name = `lock.${process.pid}.${randomBytes(4).toString('hex')}.sock`;
      const server = await listen(path, name);
      const unlock = () => {
        if (ownerOf(folder) === name) rmSync(join(folder, 'lock'), { force: true });
        rmSync(join(folder, name), { force: true });
        server.close();
      };
      const others = readdirSync(folder).filter((other) => SOCKET.test(other) && other !== name);
      const live: string[] = [];
      for (const other of others) if (await isLive(address(path, other))) live.push(other);
      if (live.length === 0) {
        for (const other of others) rmSync(join(folder, other), { force: true });
        // Earlier versions read five words, the last of which is the socket.
        writeFileSync(join(folder, 'lock'), `${process.pid} - - - ${name}\n`, { mode: 0o600 });
        return unlock;
      }
      unlock();
      const owner = live.find((other) => other === ownerOf(folder));
      if (owner !== undefined)
        throw new FolderInUseError(
          `The data folder ${folder} is in use by process ${SOCKET.exec(owner)?.[1]}. Stop it, or set DATA_DIR to another folder.`,
        );
      await delay(Math.random() * MAX_BACKOFF_MS);
    }
  } finally {
    forget();
  }
  throw new FolderInUseError(`The data folder ${folder} is being locked by another process.`);
}

/** A path to the folder that is short enough for a socket's name: the folder itself or a link to it. */
function shortPath(folder: string): { path: string; forget(): void } {
  if (Buffer.byteLength(folder) + 40 <= MAX_PATH_BYTES || process.platform === 'win32')
    return { path: folder, forget() {} };
  const parent = mkdtempSync(join(tmpdir(), 'svc-'));
  symlinkSync(folder, join(parent, 'd'));
  return { path: join(parent, 'd'), forget: () => rmSync(parent, { recursive: true, force: true }) };
}

/** On Windows, sockets are named pipes and not files, so a file of the same name lists each of them. */
const address = (path: string, name: string) =>
  process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(path, name);

/** A socket gets its name once it accepts connections, so one that accepts none belongs to a dead process. */
async function listen(path: string, name: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  const draft = `${name}.new`;
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(address(path, process.platform === 'win32' ? name : draft), done);
  });
  if (process.platform === 'win32') writeFileSync(join(path, name), '');
  else renameSync(join(path, draft), join(path, name));
  return server.unref();
}

/** Only a refused connection or a missing socket means that the process is dead. Other errors may come from a live one. */
function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}

/** The socket that the file `lock` names. */
function ownerOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'lock'), 'utf8').trim().split(' ')[4];
  } catch {
    return undefined;
  }
}
