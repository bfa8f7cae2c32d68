import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { messageReader } from './pg-messages.js';

/** A proxy to PostgreSQL that can be cut, frozen, slowed down, or cut during a COMMIT. */
export interface PgProxy {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /** The number of open connections. */
  readonly open: number;
  /** Closes every connection and rejects new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** Closes every connection, but accepts new ones. */
  drop(): void;
  /** Stops forwarding in both directions until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Delays everything from the server. */
  delay(ms: number): void;
  /**
   * Closes the connection of the next COMMIT, before the server receives it, or after the server has committed and before
   * the client receives the response. Returns a function that cancels this and returns whether it happened.
   */
  cutAtCommit(when: 'before' | 'after'): () => boolean;
  /** Closes the connection that receives the last of that many bytes from the server. */
  cutAfterBytes(bytes: number): () => boolean;
  close(): void;
}

interface Faults {
  frozen: boolean;
  delayMs: number;
  atCommit: 'before' | 'after' | undefined;
  bytes: number | undefined;
}

const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/** Splits a client's data into messages and detects each COMMIT. */
function createReader() {
  const readMessages = messageReader('client');
  const commits = new Set<string>();
  const isCommit = (text: string) => /^\s*commit\s*;?\s*$/i.test(text);
  const requestsCommit = (type: string, body: Buffer): boolean => {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (type === 'Q') return isCommit(first);
    if (type === 'B') return commits.has(second);
    if (type !== 'P') return false;
    if (isCommit(second)) commits.add(first);
    else commits.delete(first);
    return isCommit(second);
  };
  return (chunk: Buffer): { bytes: Buffer; isCommit: boolean }[] =>
    readMessages(chunk).map(({ type, bytes, body }) => ({ bytes, isCommit: requestsCommit(type, body) }));
}

/** Forwards chunks in order, each when it is due and the proxy is not frozen. */
function createPipe(to: Socket, faults: Faults, thawed: Set<() => void>) {
  const waiting: { readonly bytes: Buffer; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    while (!faults.frozen && waiting[0] !== undefined && waiting[0].at <= Date.now())
      to.write((waiting.shift() as { bytes: Buffer }).bytes);
    if (!faults.frozen && waiting[0] !== undefined) timer = setTimeout(flush, waiting[0].at - Date.now());
  };
  thawed.add(flush);
  to.on('close', () => {
    clearTimeout(timer);
    thawed.delete(flush);
  });
  return (bytes: Buffer, delayMs = 0) => {
    waiting.push({ bytes, at: Date.now() + delayMs });
    flush();
  };
}

export async function openPgProxy(target: string): Promise<PgProxy> {
  const url = new URL(target);
  const address = { port: Number(url.port || 5432), host: url.hostname };
  const faults: Faults = { frozen: false, delayMs: 0, atCommit: undefined, bytes: undefined };
  const links = new Set<() => void>();
  const thawed = new Set<() => void>();
  let isOpen = true;

  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = connect(address);
    const end = () => {
      links.delete(end);
      client.destroy();
      upstream.destroy();
    };
    links.add(end);
    for (const socket of [client, upstream]) socket.setNoDelay().on('error', end).on('close', end);
    const toServer = createPipe(upstream, faults, thawed);
    const toClient = createPipe(client, faults, thawed);
    const read = createReader();
    let awaitsCommit = false;
    let tail: Buffer = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      for (const { bytes, isCommit } of read(chunk)) {
        if (isCommit && faults.atCommit === 'before') {
          faults.atCommit = undefined;
          return end();
        }
        if (isCommit && faults.atCommit === 'after') {
          faults.atCommit = undefined;
          awaitsCommit = true;
        }
        toServer(bytes);
      }
    });
    upstream.on('data', (chunk: Buffer) => {
      tail = Buffer.concat([tail.subarray(-COMMITTED.length), chunk]);
      if (awaitsCommit && tail.includes(COMMITTED)) return end();
      if (faults.bytes !== undefined) {
        faults.bytes -= chunk.length;
        if (faults.bytes <= 0) {
          faults.bytes = undefined;
          return end();
        }
      }
      toClient(chunk, faults.delayMs);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;

  const drop = () => {
    for (const end of [...links]) end();
  };
  const cut = () => {
    isOpen = false;
    drop();
  };
  const schedule = <K extends 'atCommit' | 'bytes'>(name: K, value: Faults[K]) => {
    faults[name] = value;
    return () => {
      const happened = faults[name] === undefined;
      faults[name] = undefined as Faults[K];
      return happened;
    };
  };
  return {
    url: url.href,
    get open() {
      return links.size;
    },
    cut,
    restore() {
      isOpen = true;
    },
    drop,
    freeze() {
      faults.frozen = true;
    },
    thaw() {
      faults.frozen = false;
      for (const flush of [...thawed]) flush();
    },
    delay(ms) {
      faults.delayMs = ms;
    },
    cutAtCommit: (when) => schedule('atCommit', when),
    cutAfterBytes: (bytes) => schedule('bytes', bytes),
    close() {
      cut();
      server.close();
    },
  };
}
