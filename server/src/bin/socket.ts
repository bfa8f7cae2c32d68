import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import type { Log } from '../base/log.js';
import { type OperatorDeps, type OperatorReply, type OperatorRequest, runCommand } from './commands.js';

const LONGEST_REQUEST_BYTES = 64 * 1024;
const LONGEST_REPLY_BYTES = 4 * 1024 * 1024;
/** Below the time that a shutdown may take, so that a client that says nothing does not hold it up. */
const IDLE_MS = 5_000;
const ANSWER_MS = 60_000;
/** What an address of a socket may hold on every system, with its final zero. */
const LONGEST_PATH_BYTES = 103;

/** The shorter of the two ways to name the socket of a data folder; undefined where neither fits or there is none. */
export function socketPath(dataDir: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const absolute = join(resolve(dataDir), 'operator.sock');
  const short = relative(process.cwd(), absolute);
  const path = short.length < absolute.length ? short : absolute;
  return Buffer.byteLength(path) <= LONGEST_PATH_BYTES ? path : undefined;
}

/**
 * Lets the command line of the same user act on the embedded database, which no second process can open. One
 * connection carries one request and its reply, both JSON. The file's mode is the credential: it is 0600 from the
 * moment it exists, in a folder that we hold the lock of.
 */
export async function serveOperator(
  deps: OperatorDeps & { readonly log: Log },
  path: string,
  idleMs = IDLE_MS,
): Promise<{ close(): Promise<void> }> {
  // Nobody else can be listening while we hold the folder: this one is a killed process's.
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => void answer(deps, socket, idleMs));
  await listenPrivately(server, path);
  return { close: () => new Promise((done) => server.close(() => done())) };
}

function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    const mask = process.umask(0o177);
    try {
      // The socket is made within this call.
      server.listen(path, () => {
        server.off('error', failed);
        done();
      });
    } finally {
      process.umask(mask);
    }
  });
}

async function answer(
  deps: OperatorDeps & { readonly log: Log },
  socket: Socket,
  idleMs: number,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  socket.setTimeout(idleMs);
  try {
    const request = parse(await readAll(socket, LONGEST_REQUEST_BYTES));
    socket.setTimeout(0);
    const reply: OperatorReply = request
      ? await runCommand(deps, request)
      : { ok: false, error: 'The request is not one of the command line.' };
    // Neither the input nor the result: they name accounts and may hold a password.
    deps.log.info({ command: request?.command, ok: reply.ok }, 'operator');
    socket.end(JSON.stringify(reply));
  } catch (err) {
    deps.log.error({ err }, 'operator');
    socket.end(JSON.stringify({ ok: false, error: 'It failed on the server’s side; see its log.' }));
  } finally {
    // A client that never ends its own side would hold up a shutdown.
    socket.setTimeout(idleMs);
  }
}

async function readAll(socket: Socket, mostBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length > mostBytes) break;
  }
  return length > mostBytes ? '' : Buffer.concat(pieces).toString('utf8');
}

function parse(text: string): OperatorRequest | undefined {
  try {
    const { command, input } = JSON.parse(text);
    return typeof command === 'string' && typeof input === 'object' && input !== null
      ? { command, input }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the running server; undefined when none listens. */
export function askServer(path: string, request: OperatorRequest): Promise<OperatorReply | undefined> {
  return new Promise((done, failed) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('The server does not answer.')));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(undefined) : failed(error),
    );
    socket.once('connect', () => {
      socket.end(JSON.stringify(request));
      readAll(socket, LONGEST_REPLY_BYTES)
        .then((text) => done(JSON.parse(text) as OperatorReply))
        .catch(failed);
    });
  });
}
