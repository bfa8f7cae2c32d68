import { createHash } from 'node:crypto';
import type { Log } from '../base/log.js';
import type { Random } from '../base/random.js';

/** How long an answer may take: what a request loses to a Redis that has just frozen. */
const ANSWER_MS = 75;
const STOOD_STILL_MS = 10;
const CONNECT_MS = 1_000;
const RETRY_MS = 250;
const BEAT_MS = 250;
/** How long one message of our own, heard by ourselves, proves that we hear. */
const HEARS_MS = 1_000;
const LONGEST_MESSAGE = 200;
/** How long a publisher waits for its own message. */
const ECHO_MS = 50;

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
  /** A message of another node. */
  heard(message: string): void;
  /** Messages may have been missed until now. */
  missed(): void;
}

/**
 * Redis or Valkey, as nodes use it: for what they may lose. The first failure, an answer later than 75 ms included, puts
 * it aside at once for everybody; a connection is then tried in the background, and used once a write was answered in
 * time. So a request waits for a lost Redis once, briefly, and nothing ever queues for its return.
 */
export interface Redis {
  readonly isUp: boolean;
  /** Whether what is published reaches this node: a message of its own came back within the last second. */
  readonly hears: boolean;
  /** Rejects at once while it is lost, and within 75 ms otherwise. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /**
   * Sends to every other node, at most once. Resolves after 50 ms, or when the message comes back to this node: Redis
   * sends it to all nodes at the same time. Never rejects.
   */
  publish(message: string): Promise<void>;
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

/** Says something and writes: a replica and a full instance would still carry messages, perhaps not everybody's. */
const BEAT = script(`
  redis.call('set', KEYS[1], '1', 'px', 1000)
  return redis.call('publish', ARGV[1], ARGV[2])`);

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
  let beatAt = Number.NEGATIVE_INFINITY;
  let retry: NodeJS.Timeout | undefined;
  let wasUp = true;
  let closed = false;
  let published = 0;
  /** Of messages that are on their way, by number: ends the wait for one. */
  const echoes = new Map<string, () => void>();

  function onMessage(message: string): void {
    const at = message.indexOf(' ');
    const [sender, number] = message.slice(0, at).split('.');
    const text = message.slice(at + 1);
    const beat = /^beat (\d+)$/.exec(text)?.[1];
    if (sender !== node) {
      if (beat === undefined && message.length <= LONGEST_MESSAGE)
        for (const listener of listeners) listener.heard(text);
    } else if (beat !== undefined) beatAt = Math.max(beatAt, Number(beat));
    else if (number !== undefined) echoes.get(number)?.();
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

  const beat = (from: Connection) =>
    evaluate(from, BEAT, [`${prefix}beat`], [channel, `${node} beat ${Math.floor(performance.now())}`]);

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
    for (const listener of listeners) listener.missed();
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
    get hears() {
      return connection !== undefined && performance.now() - beatAt < HEARS_MS;
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
    async publish(message) {
      const from = connection;
      if (from === undefined) return;
      published += 1;
      const number = String(published);
      const isBack = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ECHO_MS);
        echoes.set(number, () => {
          clearTimeout(timer);
          resolve();
        });
      });
      const sending = inTime(from, ['PUBLISH', channel, `${node}.${number} ${message}`]);
      sending.catch((error: unknown) => lose(from, error));
      await isBack;
      echoes.delete(number);
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
