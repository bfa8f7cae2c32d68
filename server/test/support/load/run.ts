import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type DatabaseKind, freshDatabase } from '../database.js';
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

/** The connections that a node opens by default. */
const POOL = 10;
const ROUND_SECONDS = 60;
const CANCELLED_SHARE = 0.01;
/** No proofs are made for the last writes before a kill. */
const WRITES_WITHOUT_PROVING = 30;
const LOGGED_CHARACTERS = 4_000;
/** What the log says of a failure that no client may have noticed. */
const FAULTS_OF_OURS = /"msg":"(unhandled rejection|unexpected error)"/;

/** What happens to the service under the load. */
export type Trouble =
  /** One node is killed and started again, each time after a number of acknowledged writes. */
  | { readonly kills: number; readonly between: readonly [min: number, max: number] }
  /** Statements of two nodes on PostgreSQL are cancelled, tables locked and backends terminated. */
  | { readonly seconds: number };

export interface LoadPlan {
  readonly kind: DatabaseKind;
  readonly trouble: Trouble;
  readonly seed: number;
}

export interface LoadReport extends FaultCounts {
  readonly acknowledged: number;
  readonly withoutResponse: number;
  readonly events: number;
  /** The duration of each start after a kill. */
  readonly startMs: readonly number[];
  /** Statements that were sent, and those that the server reported as cancelled. */
  readonly statements: number;
  readonly cancelled: number;
  /** Only with PostgreSQL. */
  readonly delivered: number;
  readonly streamed: number;
  readonly recoveryMs: number;
}

interface Parts {
  readonly plan: LoadPlan;
  /** Of the database, not through the proxy. Undefined for the embedded one. */
  readonly url: string | undefined;
  readonly proxy: CancellingProxy | undefined;
  readonly hook: Hook;
  readonly random: Seeded;
  readonly fork: () => Seeded;
  readonly nodes: Running[];
  readonly start: (number: number) => Promise<Running>;
  readonly counts: FaultCounts;
  readonly startMs: number[];
}

/** Sends mixed writes to the service while there is trouble, and expects that everything acknowledged holds. */
export async function checkLoad(plan: LoadPlan): Promise<LoadReport> {
  const random = seeded(plan.seed);
  const fork = () => seeded(random.between(0, 2 ** 31));
  const scratch = mkdtempSync(join(tmpdir(), 'svc-load-'));
  const installed = install();
  const hook = await startHook();
  const url = await databaseOf(plan.kind);
  const isLong = 'seconds' in plan.trouble;
  const proxy = isLong ? await openCancellingProxy(url as string, fork()) : undefined;
  const redisUrl = isLong ? (await startRedisServer()).url : undefined;
  const start = async (number: number) => {
    const node = await startProcess(installed, {
      ...SETTINGS,
      DATA_DIR: join(scratch, String(number)),
      ...(url && { DATABASE_URL: proxy?.url ?? url, SVC_SECRET: 'the secret of the load, long enough' }),
      ...(redisUrl && { REDIS_URL: redisUrl }),
    });
    await node.serving;
    return node;
  };
  try {
    const nodes = [await start(0), ...(isLong ? [await start(1)] : [])];
    const counts: FaultCounts = { locked: {}, cancelledWaits: 0, terminated: 0 };
    const parts = { plan, url, proxy, hook, random, fork, nodes, start, counts, startMs: [] };
    const report = await (isLong ? untilOneEnds(nodes, work(parts)) : work(parts));
    for (const node of nodes) node.kill('SIGTERM');
    for (const node of nodes) {
      const { code, output } = await node.ended;
      expect(code).toBe(0);
      expect(output.split('\n').filter((line) => FAULTS_OF_OURS.test(line))).toEqual([]);
    }
    return report;
  } finally {
    endProcesses();
    proxy?.close();
    await hook.stop();
    if (isLong) endRedisServers();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function databaseOf(kind: DatabaseKind): Promise<string | undefined> {
  // The embedded one is a folder that the service creates.
  if (kind === 'pglite') return undefined;
  const { db, url } = await freshDatabase(kind);
  await db.close();
  return url;
}

const SETTINGS = {
  ADMIN_API_KEY: ADMIN_KEY,
  DEFAULT_PLAN: 'enterprise',
  PLAN_WINDOW_MULTIPLIER: '1000',
  TRUST_PROXY: '127.0.0.1',
  // The reason of a response that nobody expected.
  LOG_LEVEL: 'info',
  ...LOOPBACK,
};

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

async function work(parts: Parts): Promise<LoadReport> {
  const { plan, url, proxy, hook, fork, nodes, counts, startMs } = parts;
  const isLong = 'seconds' in plan.trouble;
  const load = await Load.create({
    urls: nodes.map((node) => node.url),
    receiver: hook.url,
    fork,
    ...(isLong
      ? { thinkMs: [20, 400], provingShare: 0.05, wrongCodes: 1 }
      : { thinkMs: [0, 0], provingShare: 0.4, wrongCodes: 12 }),
  });
  // A killed node gets another address, to which a stream would not go.
  const streams = isLong
    ? load.hosts.map(({ allKey }, at) => followEvents(nodes[at % nodes.length]?.url as string, allKey))
    : [];
  try {
    for (const round of roundsOf(parts, load)) {
      await load.work(round());
      if (url) await expectNothingLeaked(url, nodes.length * POOL);
      await load.check();
      if (url) await expectWholeRecords(url);
    }
    const { acknowledged, withoutResponse, events } = load.journal;
    return {
      acknowledged,
      withoutResponse,
      events: events.min,
      startMs,
      statements: proxy?.statements ?? 0,
      cancelled: proxy?.cancelled ?? 0,
      ...counts,
      ...(await checkAtEnd(parts, load, streams)),
      recoveryMs: load.recoveryMs,
    };
  } finally {
    load.stop();
    await Promise.all(streams.map((stream) => stream.stop()));
  }
}

async function checkAtEnd(
  { url, hook }: Parts,
  load: Load,
  streams: readonly ReturnType<typeof followEvents>[],
): Promise<Pick<LoadReport, 'delivered' | 'streamed'>> {
  if (url === undefined) return { delivered: 0, streamed: 0 };
  for (const [table, ids] of load.stored) await expectStored(url, table, ids);
  await expectOnce(url, load.recorded);
  const delivered = await expectDelivered(url, hook);
  const streamed = streams.length > 0 ? await expectStreamed(url, load.hosts, streams) : 0;
  return { delivered, streamed };
}

/** The rounds of trouble. Each resolves when it is over and the nodes serve again. */
function* roundsOf(parts: Parts, load: Load): Generator<() => Promise<void>> {
  const { trouble } = parts.plan;
  if ('kills' in trouble) {
    for (let kill = 0; kill < trouble.kills; kill += 1)
      yield () => killOnce(parts, load, parts.random.between(...trouble.between));
    return;
  }
  const end = Date.now() + trouble.seconds * 1_000;
  while (Date.now() < end) yield () => disturb(parts, Math.min(ROUND_SECONDS * 1_000, end - Date.now()));
}

/** Kills the node after some acknowledged writes, with requests in flight, and starts it again. */
async function killOnce(parts: Parts, load: Load, writes: number): Promise<void> {
  const { journal } = load;
  const node = parts.nodes[0] as Running;
  let left = writes;
  load.mayProve = true;
  await new Promise<void>((resolve) => {
    load.onAcknowledged = () => {
      left -= 1;
      load.mayProve = left > WRITES_WITHOUT_PROVING;
      if (left === 0) resolve();
    };
  });
  load.onAcknowledged = () => {};
  await delay(parts.random.between(0, 10));
  let serve = () => {};
  journal.lost = 0;
  journal.serving = new Promise((resolve) => {
    serve = resolve;
  });
  journal.killed = true;
  node.kill('SIGKILL');
  expect((await node.ended).signal).toBe('SIGKILL');
  const before = performance.now();
  const next = await parts.start(0);
  parts.startMs.push(Math.round(performance.now() - before));
  expect(journal.lost, 'no request was in flight').toBeGreaterThan(0);
  parts.nodes[0] = next;
  Object.assign(journal, { urls: [next.url], killed: false });
  serve();
}

/** Cancels statements, locks tables and terminates backends for a while. */
async function disturb({ url, proxy, fork, counts }: Parts, ms: number): Promise<void> {
  const cancelling = proxy as CancellingProxy;
  cancelling.share = CANCELLED_SHARE;
  const stop = await startFaults(url as string, fork(), counts);
  await delay(ms);
  cancelling.share = 0;
  await stop();
}
