import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { systemRandom } from '../../../src/base/crypto/random.js';
import { createLog } from '../../../src/base/telemetry/log.js';
import { openRedis, type Redis } from '../../../src/cluster/redis.js';
import { freePort } from '../process.js';

const DEFAULT_URL = 'redis://127.0.0.1:6379';
let shared: Promise<string> | undefined;

/** TEST_REDIS_URL, or the server on the default port, or a new server. Each test uses its own prefix. */
const sharedUrl = () => (shared ??= findRedis());

async function findRedis(): Promise<string> {
  if (process.env.TEST_REDIS_URL) return process.env.TEST_REDIS_URL;
  const client = createClient({ url: DEFAULT_URL, socket: { reconnectStrategy: false } }).on(
    'error',
    () => {},
  );
  const isRunning = await client.connect().then(
    () => true,
    () => false,
  );
  client.destroy();
  return isRunning ? DEFAULT_URL : (await startRedisServer()).url;
}

export const freshPrefix = () => `svc-test:${crypto.randomUUID()}:`;

/** Opens a node's Redis. Fails if it is unavailable. */
export async function connectRedis(prefix: string, own?: string): Promise<Redis> {
  const url = own ?? (await sharedUrl());
  const shared = { url, prefix, random: systemRandom, log: createLog('silent') };
  // On a busy machine, the shared server may respond late. Only tests of a lost Redis, which start their own, mean that.
  const redis = await openRedis(own === undefined ? { ...shared, timeoutMs: 10_000 } : shared);
  // It connects again in the background if the first response was late.
  for (let tries = 0; !redis.isUp && tries < 100; tries++) await delay(100);
  if (!redis.isUp) throw new Error('The Redis for the tests is unavailable. Check TEST_REDIS_URL.');
  return redis;
}

/** A separate client, to read and change keys directly. */
export async function rawRedis(own?: string) {
  const client = createClient({ url: own ?? (await sharedUrl()) });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export interface RedisServer {
  readonly url: string;
  signal(signal: NodeJS.Signals): void;
  /** Kills the server. Its data is lost. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

const children = new Set<ChildProcess>();
const folders: string[] = [];

/** Starts a separate server, which a test can break. */
export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'));
  folders.push(folder);
  let child: ChildProcess;
  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn('redis-server', [...options, '--dir', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    const failed = once(child, 'error').then(([error]) => {
      throw new Error('Could not start redis-server. It must be on the PATH.', { cause: error });
    });
    const serving = new Promise<void>((resolve) =>
      child.stdout?.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve()),
    );
    await Promise.race([serving, failed]);
    failed.catch(() => {});
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    start,
  };
}

/** Kills the servers that a test left running. */
export function endRedisServers(): void {
  shared = undefined;
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A proxy between a node and Redis that can delay everything. */
export async function startProxy(target: string): Promise<{ url: string; delayMs: number; close(): void }> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port || 6379), to.hostname);
    const pass = (from: Socket, into: Socket) =>
      from.on('data', (bytes) => void setTimeout(() => into.writable && into.write(bytes), proxy.delayMs));
    pass(near, far);
    pass(far, near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const proxy = {
    url: `redis://127.0.0.1:${port}`,
    delayMs: 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
