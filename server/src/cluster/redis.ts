import { createHash } from 'node:crypto';
import { systemTimers } from '../base/clock.js';
import type { Random } from '../base/crypto/random.js';
import type { Log } from '../base/telemetry/log.js';

/** How long a response may take. A request loses this much when Redis has just frozen. */
const TIMEOUT_MS = 75;
const CONNECT_MS = 1_000;
const RETRY_MS = 250;
const HEARTBEAT_MS = 250;
const MAX_MESSAGE_LENGTH = 200;

/** Redis responded late, incorrectly or not at all. It is not used until a new connection works. */
class RedisLostError extends Error {
  override readonly name = 'RedisLostError';
}

/** A Lua script: atomic, one round trip. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export const script = (text: string): Script => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

export interface RedisListener {
  /** A message from another node. */
  onMessage(message: string): void;
  /** The connection was restored. Messages sent while it was down are lost. */
  onReconnect(): void;
}

/**
 * Redis or Valkey, for state that may be lost. After the first failure, which includes a response later than 75 ms, no
 * caller uses it any more. A new connection is tried in the background and used once a write succeeds in time. So a
 * request waits for a lost Redis only once and briefly, and nothing queues until it returns.
 */
export interface Redis {
  readonly isUp: boolean;
  /** Rejects immediately while Redis is lost, otherwise within 75 ms. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Sends to every other node, at most once. */
  publish(message: string): void;
  listen(listener: RedisListener): void;
  /** Resolves when all published messages have been sent. */
  close(): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly random: Random;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Prefix of every key and of the channel. */
  readonly prefix?: string;
  /** How long a response may take. Default: 75 ms. */
  readonly timeoutMs?: number;
}

type Connection = Awaited<ReturnType<typeof newConnection>>;

/** The client never reconnects or queues by itself, because that would delay requests until it succeeds. */
async function newConnection(url: string) {
  // Imported here, so that a node without REDIS_URL does not load it. The bundle has only the default export of a CommonJS package.
  const { default: redis } = await import('@redis/client');
  return redis.createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: 2 * CONNECT_MS },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
}

/** Resolves with the response, or rejects when Redis has taken too long. A busy event loop of this node is not Redis's time. */
function withTimeout(from: Connection, args: readonly string[], ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const cancel = systemTimers.patiently(ms, () =>
      reject(new RedisLostError(`no response within ${ms} ms`)),
    );
    from.sendCommand(args).then(resolve, reject).finally(cancel);
  });
}

async function evaluate(from: Connection, { text, sha }: Script, rest: readonly string[], ms: number) {
  try {
    return await withTimeout(from, ['EVALSHA', sha, ...rest], ms);
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
    return await withTimeout(from, ['EVAL', text, ...rest], ms);
  }
}

/** A write, because a replica or a full instance would still deliver messages, but perhaps not to every node. */
const sendHeartbeat = (from: Connection, prefix: string, timeoutMs: number) =>
  withTimeout(from, ['SET', `${prefix}beat`, '1', 'PX', '1000'], timeoutMs);

/** Connects if possible. A node must start while Redis is down as well. */
export async function openRedis({
  url,
  random,
  log,
  prefix = 'svc:',
  timeoutMs = TIMEOUT_MS,
}: Options): Promise<Redis> {
  const node = random.bytes(12).toString('base64url');
  // Channels are shared by all databases of an instance, and two deployments may use one instance with different databases.
  const channel = `${prefix}bus${new URL(url).pathname}`;
  const listeners = new Set<RedisListener>();
  let connection: Connection | undefined;
  let retry: NodeJS.Timeout | undefined;
  let wasUp = true;
  let closed = false;

  function onMessage(message: string): void {
    const at = message.indexOf(' ');
    if (message.slice(0, at) === node || message.length > MAX_MESSAGE_LENGTH) return;
    for (const listener of listeners) listener.onMessage(message.slice(at + 1));
  }

  /** Ignores later failures of a connection that is no longer used. */
  function lose(from: Connection, err: unknown): void {
    if (connection !== from) return;
    connection = undefined;
    from.destroy();
    if (wasUp) log.warn({ err }, 'Redis is lost: this node counts alone until it is available again');
    wasUp = false;
    // Reconnect immediately: after a short delay Redis is used again before this node has counted much alone.
    if (!closed) void connect();
  }

  function retryLater(): void {
    if (!closed) retry = setTimeout(() => void connect(), RETRY_MS).unref();
  }

  async function connect(): Promise<void> {
    const fresh = await newConnection(url);
    const cancelDeadline = systemTimers.patiently(CONNECT_MS, () => fresh.destroy());
    fresh.on('error', (error: unknown) => lose(fresh, error));
    try {
      await fresh.connect();
      await fresh.subscribe(channel, onMessage);
      await sendHeartbeat(fresh, prefix, timeoutMs);
      if (closed) throw new RedisLostError('closed while connecting');
      connection = fresh;
    } catch (err) {
      fresh.destroy();
      if (wasUp && !closed) log.warn({ err }, 'Redis is not available: this node counts alone until it is');
      wasUp = false;
      retryLater();
      return;
    } finally {
      cancelDeadline();
    }
    if (!wasUp) log.info('Redis is available again');
    wasUp = true;
    for (const listener of listeners) listener.onReconnect();
  }

  const heartbeat = setInterval(() => {
    const from = connection;
    if (from) sendHeartbeat(from, prefix, timeoutMs).catch((error: unknown) => lose(from, error));
  }, HEARTBEAT_MS).unref();
  await connect();

  return {
    get isUp() {
      return connection !== undefined;
    },
    async run(wanted, keys, args) {
      const from = connection;
      if (from === undefined) throw new RedisLostError('lost');
      try {
        const rest = [String(keys.length), ...keys.map((key) => prefix + key), ...args];
        return await evaluate(from, wanted, rest, timeoutMs);
      } catch (error) {
        lose(from, error);
        throw error instanceof RedisLostError ? error : new RedisLostError('lost', { cause: error });
      }
    },
    publish(message) {
      const from = connection;
      if (from === undefined) return;
      withTimeout(from, ['PUBLISH', channel, `${node} ${message}`], timeoutMs).catch((error: unknown) =>
        lose(from, error),
      );
    },
    listen: (listener) => void listeners.add(listener),
    async close() {
      closed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      // Responses arrive in order: after this one, all published messages have been sent.
      if (connection) await withTimeout(connection, ['PING'], timeoutMs).catch(() => {});
      connection?.destroy();
      connection = undefined;
    },
  };
}
