import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { messageReader, type PgMessage } from '../faults/pg-messages.js';
import type { Seeded } from '../seeded.js';

/** A proxy to PostgreSQL that cancels statements at random, also in the middle of a batch. */
export interface CancellingProxy {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /** The share of statements to cancel. */
  share: number;
  readonly statements: number;
  /** Statements that the server reported as cancelled because of the proxy. */
  readonly cancelled: number;
  close(): void;
}

const message = (type: string, body: string): Buffer => {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`, 'latin1');
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
};

/**
 * Parse, Bind and Execute of a statement that cancels itself. A CancelRequest from outside mostly arrives between two
 * statements, which take less time than it does, and the server then ignores it.
 */
const CANCEL = Buffer.concat([
  message('P', '\0select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)\0\0\0'),
  message('B', '\0\0\0\0\0\0\0\0'),
  message('E', '\0\0\0\0\0'),
]);
const CANCELLED = Buffer.from('C57014\0', 'latin1');

/** A response that the client or the proxy waits for. */
interface Awaited {
  readonly type: string;
  readonly isOurs: boolean;
}

/** Both directions of a connection. */
function createLink(decide: () => boolean, onCancelled: () => void) {
  const awaited: Awaited[] = [];
  let isFailed = false;
  /** Everything up to the next Sync is discarded by the server. */
  let isCancelling = false;
  const expect = (type: string, isOurs = false) => void awaited.push({ type, isOurs });

  function fromClient({ type, bytes }: PgMessage): Buffer[] {
    if (type === 'P') expect('1');
    if (type === 'S' || type === 'Q') {
      expect('Z');
      isCancelling = false;
    }
    if (type !== 'B') return [bytes];
    // In a failed transaction only a rollback works, which a server does not cancel.
    if (isCancelling || isFailed || !decide()) {
      expect('2');
      return [bytes];
    }
    isCancelling = true;
    expect('1', true);
    expect('2', true);
    expect('E', true);
    return [CANCEL, bytes];
  }

  /** Whether the client gets the message. */
  function fromServer({ type, bytes, body }: PgMessage): boolean {
    if (type === 'Z') {
      isFailed = body.toString('latin1') === 'E';
      while (awaited.length > 0 && awaited.shift()?.type !== 'Z');
    }
    if (type === 'E' && awaited[0]?.type === 'E' && bytes.includes(CANCELLED)) onCancelled();
    return (type !== '1' && type !== '2') || awaited.shift()?.isOurs !== true;
  }
  return { fromClient, fromServer };
}

export async function openCancellingProxy(target: string, random: Seeded): Promise<CancellingProxy> {
  const url = new URL(target);
  const address = { port: Number(url.port || 5432), host: url.hostname };
  const sockets = new Set<Socket>();
  const counts = { statements: 0, cancelled: 0 };
  const decide = () => {
    counts.statements += 1;
    return random.chance(proxy.share);
  };
  const server = createServer((client) => {
    const upstream = connect(address);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .setNoDelay()
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    const link = createLink(decide, () => {
      counts.cancelled += 1;
    });
    const [readClient, readServer] = [messageReader('client'), messageReader('server')];
    client.on('data', (chunk: Buffer) => {
      const out = readClient(chunk).flatMap(link.fromClient);
      if (out.length > 0) upstream.write(Buffer.concat(out));
    });
    upstream.on('data', (chunk: Buffer) => {
      const out = readServer(chunk).filter(link.fromServer);
      if (out.length > 0) client.write(Buffer.concat(out.map(({ bytes }) => bytes)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const proxy = {
    url: url.href,
    share: 0,
    get statements() {
      return counts.statements;
    },
    get cancelled() {
      return counts.cancelled;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
