import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface Receiver {
  readonly port: number;
  /** Every connection so far. */
  readonly sockets: readonly Socket[];
  /** Everything received so far, by connection. */
  readonly texts: readonly string[];
  /** Resolves when all connections are closed. */
  closed(): Promise<void>;
  stop(): void;
}

const open: (() => void)[] = [];

/** Stops all receivers of a test. */
export function stopReceivers(): void {
  for (const stop of open.splice(0)) stop();
}

/** Listens on the loopback address. `respond` is called once a connection, when the first data arrives. */
export async function startReceiver(
  respond: (socket: Socket) => void,
  options: { readonly tls?: TlsOptions } = {},
): Promise<Receiver> {
  const sockets: Socket[] = [];
  const texts: string[] = [];
  const accept = (socket: Socket) => {
    const index = texts.push('') - 1;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const isFirst = texts[index] === '';
      texts[index] += chunk.toString('latin1');
      if (isFirst) respond(socket);
    });
  };
  const server: Server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  open.push(stop);
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    texts,
    async closed() {
      for (const socket of sockets)
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    },
    stop,
  };
}

/** Sends this response to every request, and closes. */
export const respondWith =
  (...head: readonly string[]) =>
  (socket: Socket): void =>
    void socket.end(`${head.join('\r\n')}\r\n\r\n`);

/** A forward proxy whose tunnels all lead to this port of the loopback address. Without a port, it opens none. */
export const startProxy = (to: number | undefined): Promise<Receiver> =>
  startReceiver((socket) => {
    if (to === undefined) return respondWith('HTTP/1.1 502 Bad Gateway')(socket);
    const target = connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    // Otherwise the end of the client's side is never read.
    target.on('close', () => socket.resume());
    socket.on('close', () => target.destroy());
  });

/** Counts the client sockets that this process creates while `work` runs. */
export async function socketsCreated(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const add = () => {
    count += 1;
  };
  subscribe('net.client.socket', add);
  try {
    await work();
  } finally {
    unsubscribe('net.client.socket', add);
  }
  return count;
}
