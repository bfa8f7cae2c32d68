import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { quietTurn } from '../base/concurrency/quiet-turn.js';
import { type OperatorDeps, type OperatorReply, type OperatorRequest, runCommand } from './commands.js';

const MAX_REQUEST_BYTES = 64 * 1024;
const MAX_REPLY_BYTES = 4 * 1024 * 1024;
/** Shorter than a shutdown may take, so that an idle client does not delay it. */
const IDLE_MS = 5_000;
const TIMEOUT_MS = 60_000;
/** The longest socket address that every system supports, with its terminating zero. */
const MAX_PATH_BYTES = 103;

/** The shorter of the two paths of a data folder's socket. Undefined if both are too long or the system has no such sockets. */
export function socketPath(dataDir: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const absolute = join(resolve(dataDir), 'operator.sock');
  const short = relative(process.cwd(), absolute);
  const path = short.length < absolute.length ? short : absolute;
  return Buffer.byteLength(path) <= MAX_PATH_BYTES ? path : undefined;
}

/**
 * Lets the command line of the same user act on the embedded database, which no second process can open. A connection
 * carries one request and its response, both JSON. The file's mode is the credential: it is 0600 from its creation, in a
 * folder that this process has locked.
 */
export async function serveOperator(
  deps: OperatorDeps,
  path: string,
  idleMs = IDLE_MS,
): Promise<{ close(): Promise<void> }> {
  // No other process can be listening while we hold the lock, so an existing socket is left from a killed process.
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => void handle(deps, socket, idleMs));
  await listenPrivately(server, path);
  return {
    async close() {
      await quietTurn(server);
      await new Promise((closed) => server.close(closed));
    },
  };
}

function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    const mask = process.umask(0o177);
    try {
      // The socket is created within this call.
      server.listen(path, () => {
        server.off('error', failed);
        done();
      });
    } finally {
      process.umask(mask);
    }
  });
}

async function handle(deps: OperatorDeps, socket: Socket, idleMs: number): Promise<void> {
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  socket.setTimeout(idleMs);
  try {
    const request = parse(await readAll(socket, MAX_REQUEST_BYTES));
    socket.setTimeout(0);
    const reply: OperatorReply = request
      ? await runCommand(deps, request)
      : { ok: false, error: 'The request is not valid.' };
    // Neither the input nor the result is logged: they name accounts and may contain a password.
    deps.log.info({ command: request?.command, ok: reply.ok }, 'operator');
    socket.end(JSON.stringify(reply));
  } catch (err) {
    deps.log.error({ err }, 'operator');
    socket.end(JSON.stringify({ ok: false, error: 'The server failed. See its log.' }));
  } finally {
    // A client that never closes its side would delay a shutdown.
    socket.setTimeout(idleMs);
  }
}

async function readAll(socket: Socket, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length > maxBytes) break;
  }
  return length > maxBytes ? '' : Buffer.concat(pieces).toString('utf8');
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

/** Sends a command to the running server. Undefined if none is listening. */
export function requestServer(path: string, request: OperatorRequest): Promise<OperatorReply | undefined> {
  return new Promise((done, failed) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The server does not respond.')));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(undefined) : failed(error),
    );
    socket.once('connect', () => {
      socket.end(JSON.stringify(request));
      readAll(socket, MAX_REPLY_BYTES)
        .then((text) => done(JSON.parse(text) as OperatorReply))
        .catch(failed);
    });
  });
}
