import { createHash } from 'node:crypto';
import type { Log } from '../base/log.js';
import type { Random } from '../base/random.js';

/** How long an answer may take: what a request loses to a Redis that has just frozen. */
const ANSWER_MS = 75;
const STOOD_STILL_MS = 10;
const CONNECT_MS = 1_000;
const RETRY_MS = 250;
const BEAT_MS = 250;
const MAX_MESSAGE_LENGTH = 200;

/** Redis answers late, wrongly or not at all; until it is back nothing is asked of it. */
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
 * Redis or Valkey, as nodes use it: for what they may lose. The first failure, an answer later than 75 ms included, puts
 * it aside at once for everybody; a connection is then tried in the background, and used once a write was answered in
 * time. So a request waits for a lost Redis once, briefly, and nothing ever queues for its return.
 */
export interface Redis {
  readonly isUp: boolean;
  /** Rejects at once while it is lost, and within 75 ms otherwise. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Sends to every other node, at most once. */
  publish(message: string): void;
  listen(listener: RedisListener): void;
  /** What was published before has left. */
  close(): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly random: Random;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Of every key and of the channel. */
  readonly prefix?: string;
}

type Connection = Awaited<ReturnType<typeof newConnection>>;

/** The client never reconnects or queues by itself: it would hold requests back for as long as that takes. */
async function newConnection(url: string) {
  // Loaded where it is asked for: a node without REDIS_URL starts without it.
  const { createClient } = await import('@redis/client');
  return createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_MS },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
}

/**
 * The answer in time, or an error. A busy event loop may run the timer before it reads an answer that is there, or before
 * it has asked: Redis gets one more turn then, and the whole time again when the loop stood still.
 */
function inTime(from: Connection, args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const late = () => reject(new RedisLostError(`no answer within ${ANSWER_MS} ms`));
    const wait = (isLast: boolean) => {
      const due = performance.now() + ANSWER_MS;
      timer = setTimeout(() => {
        if (!isLast && performance.now() - due > STOOD_STILL_MS) wait(true);
        else setImmediate(late);
      }, ANSWER_MS);
    };
    wait(false);
    from
      .sendCommand(args)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

async function evaluate(from: Connection, { text, sha }: Script, keys: readonly string[], args: string[]) {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await inTime(from, ['EVALSHA', sha, ...rest]);
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
    return await inTime(from, ['EVAL', text, ...rest]);
  }
}

/** Connects, or goes on without: a node must start while Redis is away as well. */
export async function openRedis({ url, random, log, prefix = 'svc:' }: Options): Promise<Redis> {
  const node = random.bytes(12).toString('base64url');
  // Channels know no database numbers, and two deployments may share an instance by theirs.
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

  /** Later failures of a connection that was put aside tell nothing new. */
  function lose(from: Connection, err: unknown): void {
    if (connection !== from) return;
    connection = undefined;
    from.destroy();
    if (wasUp) log.warn({ err }, 'Redis is lost: this node counts alone until it is back');
    wasUp = false;
    // At once: what was only slow for a moment is back before anybody has counted much alone.
    if (!closed) void connect();
  }

  function tryLater(): void {
    if (!closed) retry = setTimeout(() => void connect(), RETRY_MS).unref();
  }

  /** Writes: a replica or a full instance would still carry messages, but perhaps not to every node. */
  const beat = (from: Connection) => inTime(from, ['SET', `${prefix}beat`, '1', 'PX', '1000']);

  async function connect(): Promise<void> {
    const fresh = await newConnection(url);
    const deadline = setTimeout(() => fresh.destroy(), CONNECT_MS);
    fresh.on('error', (error: unknown) => lose(fresh, error));
    try {
      await fresh.connect();
      await fresh.subscribe(channel, onMessage);
      await beat(fresh);
      if (closed) throw new RedisLostError('closed meanwhile');
      connection = fresh;
    } catch (err) {
      fresh.destroy();
      if (wasUp && !closed) log.warn({ err }, 'Redis cannot be used: this node counts alone until it can');
      wasUp = false;
      tryLater();
      return;
    } finally {
      clearTimeout(deadline);
    }
    if (!wasUp) log.info('Redis is back');
    wasUp = true;
    for (const listener of listeners) listener.onReconnect();
  }

  const heart = setInterval(() => {
    const from = connection;
    if (from) beat(from).catch((error: unknown) => lose(from, error));
  }, BEAT_MS).unref();
  await connect();

  return {
    get isUp() {
      return connection !== undefined;
    },
    async run(wanted, keys, args) {
      const from = connection;
      if (from === undefined) throw new RedisLostError('lost');
      try {
        return await evaluate(
          from,
          wanted,
          keys.map((key) => prefix + key),
          [...args],
        );
      } catch (error) {
        lose(from, error);
        throw error instanceof RedisLostError ? error : new RedisLostError('lost', { cause: error });
      }
    },
    publish(message) {
      const from = connection;
      if (from === undefined) return;
      inTime(from, ['PUBLISH', channel, `${node} ${message}`]).catch((error: unknown) => lose(from, error));
    },
    listen: (listener) => void listeners.add(listener),
    async close() {
      closed = true;
      clearInterval(heart);
      clearTimeout(retry);
      // Answers come in order: after this one, whatever was published has left.
      if (connection) await inTime(connection, ['PING']).catch(() => {});
      connection?.destroy();
      connection = undefined;
    },
  };
}
