import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to PostgreSQL that can be cut, frozen, slowed down, and cut in the middle of a COMMIT. */
export interface PgProxy {
  /** The database's, by way of this proxy. */
  readonly url: string;
  /** Connections that are open. */
  readonly open: number;
  /** Ends every connection, and takes no other until it is mended. */
  cut(): void;
  mend(): void;
  /** Ends every connection, and takes others. */
  drop(): void;
  /** Passes nothing on, in either direction, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** What comes from the server arrives so much later. */
  delay(ms: number): void;
  /**
   * Ends the connection that next asks for COMMIT: before the server hears of it, or once the server has committed and
   * before the client hears of that. Answers a function that calls it off and says whether it happened.
   */
  cutAtCommit(when: 'before' | 'after'): () => boolean;
  /** Ends the next connection that has been sent so many more bytes by the server. */
  cutAfterBytes(bytes: number): () => boolean;
  close(): void;
}

interface Orders {
  frozen: boolean;
  delayMs: number;
  atCommit: 'before' | 'after' | undefined;
  bytes: number | undefined;
}

const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/** Reads what a client sends, message by message, and knows which of them ask for COMMIT (PostgreSQL's protocol, version 3). */
function createReader() {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  const commits = new Set<string>();
  const isCommit = (text: string) => /^\s*commit\s*;?\s*$/i.test(text);
  const asksForCommit = (type: string, body: Buffer): boolean => {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (type === 'Q') return isCommit(first);
    if (type === 'B') return commits.has(second);
    if (type !== 'P') return false;
    if (isCommit(second)) commits.add(first);
    else commits.delete(first);
    return isCommit(second);
  };
  return (chunk: Buffer): { bytes: Buffer; isCommit: boolean }[] => {
    rest = Buffer.concat([rest, chunk]);
    const messages = [];
    for (;;) {
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return messages;
      const end = header + rest.readUInt32BE(header);
      if (rest.length < end) return messages;
      const bytes = rest.subarray(0, end);
      const type = started ? String.fromCharCode(bytes[0] as number) : '';
      messages.push({ bytes, isCommit: started && asksForCommit(type, bytes.subarray(5)) });
      started = true;
      rest = rest.subarray(end);
    }
  };
}

/** Passes pieces on in their order, each when it is due and nothing is frozen. */
function createPipe(to: Socket, orders: Orders, thawed: Set<() => void>) {
  const waiting: { readonly bytes: Buffer; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    while (!orders.frozen && waiting[0] !== undefined && waiting[0].at <= Date.now())
      to.write((waiting.shift() as { bytes: Buffer }).bytes);
    if (!orders.frozen && waiting[0] !== undefined) timer = setTimeout(flush, waiting[0].at - Date.now());
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
  const far = { port: Number(url.port || 5432), host: url.hostname };
  const orders: Orders = { frozen: false, delayMs: 0, atCommit: undefined, bytes: undefined };
  const links = new Set<() => void>();
  const thawed = new Set<() => void>();
  let isOpen = true;

  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = connect(far);
    const end = () => {
      links.delete(end);
      client.destroy();
      upstream.destroy();
    };
    links.add(end);
    for (const socket of [client, upstream]) socket.setNoDelay().on('error', end).on('close', end);
    const toServer = createPipe(upstream, orders, thawed);
    const toClient = createPipe(client, orders, thawed);
    const read = createReader();
    let awaitsCommit = false;
    let tail: Buffer = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      for (const { bytes, isCommit } of read(chunk)) {
        if (isCommit && orders.atCommit === 'before') {
          orders.atCommit = undefined;
          return end();
        }
        if (isCommit && orders.atCommit === 'after') {
          orders.atCommit = undefined;
          awaitsCommit = true;
        }
        toServer(bytes);
      }
    });
    upstream.on('data', (chunk: Buffer) => {
      tail = Buffer.concat([tail.subarray(-COMMITTED.length), chunk]);
      if (awaitsCommit && tail.includes(COMMITTED)) return end();
      if (orders.bytes !== undefined) {
        orders.bytes -= chunk.length;
        if (orders.bytes <= 0) {
          orders.bytes = undefined;
          return end();
        }
      }
      toClient(chunk, orders.delayMs);
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
  const order = <K extends 'atCommit' | 'bytes'>(name: K, value: Orders[K]) => {
    orders[name] = value;
    return () => {
      const happened = orders[name] === undefined;
      orders[name] = undefined as Orders[K];
      return happened;
    };
  };
  return {
    url: url.href,
    get open() {
      return links.size;
    },
    cut,
    mend() {
      isOpen = true;
    },
    drop,
    freeze() {
      orders.frozen = true;
    },
    thaw() {
      orders.frozen = false;
      for (const flush of [...thawed]) flush();
    },
    delay(ms) {
      orders.delayMs = ms;
    },
    cutAtCommit: (when) => order('atCommit', when),
    cutAfterBytes: (bytes) => order('bytes', bytes),
    close() {
      cut();
      server.close();
    },
  };
}
