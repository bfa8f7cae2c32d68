import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { freshDatabase } from '../database.js';
import { endRedisServers, startRedisServer } from '../faults/redis.js';
import { endProcesses, install, type Running, startProcess } from '../process.js';
import { type Seeded, seeded } from '../seeded.js';
import { ADMIN_KEY } from '../service.js';
import { type Hook, LOOPBACK, startHook } from '../webhooks.js';
import { type CancellingProxy, openCancellingProxy } from './cancelling-proxy.js';
import {
  expectDelivered,
  expectNothingLeaked,
  expectOnce,
  expectStored,
  expectStreamed,
  expectWholeRecords,
} from './checks.js';
import { type FaultCounts, startFaults } from './faults.js';
import { Load } from './load.js';
import { followEvents } from './streams.js';

const NODES = 2;
/** The connections that a node opens by default. */
const POOL = 10;
const ROUND_SECONDS = 60;
const CANCELLED_SHARE = 0.01;
const LOGGED_CHARACTERS = 4_000;
/** What the log says of a failure that no client may have noticed. */
const FAULTS_OF_OURS = /"msg":"(unhandled rejection|unexpected error)"/;

export interface BusyReport extends FaultCounts {
  readonly acknowledged: number;
  readonly unavailable: number;
  readonly statements: number;
  /** Statements that the server reported as cancelled by the proxy. */
  readonly cancelled: number;
  readonly events: number;
  readonly streamed: number;
  readonly delivered: number;
  readonly recoveryMs: number;
}

interface Parts {
  readonly urls: readonly string[];
  /** Of the database, not through the proxy. */
  readonly url: string;
  readonly proxy: CancellingProxy;
  readonly hook: Hook;
  readonly fork: () => Seeded;
}

/**
 * Sends mixed writes to two nodes while statements are cancelled, tables locked and backends terminated, and expects that
 * everything acknowledged holds.
 */
export async function checkBusyHour(plan: { seconds: number; seed: number }): Promise<BusyReport> {
  const random = seeded(plan.seed);
  const fork = () => seeded(random.between(0, 2 ** 31));
  const scratch = mkdtempSync(join(tmpdir(), 'svc-busy-hour-'));
  const installed = install();
  const redis = await startRedisServer();
  const hook = await startHook();
  const { db, url } = await freshDatabase('postgres');
  await db.close();
  const proxy = await openCancellingProxy(url as string, fork());
  try {
    const nodes: Running[] = [];
    for (let number = 0; number < NODES; number += 1) {
      const folder = join(scratch, String(number));
      nodes.push(await startProcess(installed, settings(folder, proxy.url, redis.url)));
      await nodes[number]?.serving;
    }
    const urls = nodes.map((node) => node.url);
    const report = await untilOneEnds(
      nodes,
      work({ urls, url: url as string, proxy, hook, fork }, plan.seconds),
    );
    for (const node of nodes) node.kill('SIGTERM');
    for (const node of nodes) {
      const { code, output } = await node.ended;
      expect(code).toBe(0);
      expect(output.split('\n').filter((line) => FAULTS_OF_OURS.test(line))).toEqual([]);
    }
    return report;
  } finally {
    endProcesses();
    proxy.close();
    await hook.stop();
    endRedisServers();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const settings = (folder: string, databaseUrl: string, redisUrl: string) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  DATA_DIR: folder,
  SVC_SECRET: 'the secret of the busy hour, long enough',
  ADMIN_API_KEY: ADMIN_KEY,
  DEFAULT_PLAN: 'enterprise',
  PLAN_WINDOW_MULTIPLIER: '1000',
  TRUST_PROXY: '127.0.0.1',
  // The reason of a response that nobody expected.
  LOG_LEVEL: 'info',
  ...LOOPBACK,
});

/** The result of the work. Rejects with the end of a node's log if the node ends first. */
function untilOneEnds<T>(nodes: readonly Running[], work: Promise<T>): Promise<T> {
  const ended = nodes.map(async (node, at) => {
    const { code, signal, output } = await node.ended;
    throw new Error(`node ${at} ended with ${code ?? signal}:\n${output.slice(-LOGGED_CHARACTERS)}`);
  });
  for (const one of ended) one.catch(() => {});
  const explained = work.catch((error: Error) => {
    throw new Error(`${error.message}\n${linesOf(nodes, error.message).join('\n')}`, { cause: error });
  });
  explained.catch(() => {});
  return Promise.race([...ended, explained]);
}

/** What the nodes logged of the requests that a message names. */
function linesOf(nodes: readonly Running[], message: string): string[] {
  const ids = [...message.matchAll(/requestId\W+([\da-f-]{36})/g)].map(([, id]) => id as string);
  const lines = nodes.flatMap((node) => node.output().split('\n'));
  return lines.filter((line) => ids.some((id) => line.includes(id)));
}

async function work(parts: Parts, seconds: number): Promise<BusyReport> {
  const { urls, url, proxy, hook, fork } = parts;
  const load = await Load.create(urls, hook.url, fork);
  const streams = load.hosts.map(({ allKey }, at) => followEvents(urls[at % urls.length] as string, allKey));
  const counts: FaultCounts = { locked: {}, cancelledWaits: 0, terminated: 0 };
  const end = Date.now() + seconds * 1_000;
  try {
    while (Date.now() < end) {
      await load.work(cause(parts, counts, Math.min(ROUND_SECONDS * 1_000, end - Date.now())));
      await expectNothingLeaked(url, NODES * POOL);
      await load.check();
      await expectWholeRecords(url);
    }
    for (const [table, ids] of load.stored) await expectStored(url, table, ids);
    await expectOnce(url, load.recorded);
    const delivered = await expectDelivered(url, hook);
    const streamed = await expectStreamed(url, load.hosts, streams);
    const { acknowledged, withoutResponse, events } = load.journal;
    return {
      acknowledged,
      unavailable: withoutResponse,
      events: events.min,
      statements: proxy.statements,
      cancelled: proxy.cancelled,
      ...counts,
      streamed,
      delivered,
      recoveryMs: load.recoveryMs,
    };
  } finally {
    load.stop();
    await Promise.all(streams.map((stream) => stream.stop()));
  }
}

/** The faults of a round. Resolves when they are over. */
async function cause({ url, proxy, fork }: Parts, counts: FaultCounts, ms: number): Promise<void> {
  proxy.share = CANCELLED_SHARE;
  const stop = await startFaults(url, fork(), counts);
  await delay(ms);
  proxy.share = 0;
  await stop();
}
