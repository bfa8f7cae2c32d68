// @module-tag if-touched @core server/src/features/health/ scripts/: kills and freezes Redis
// @module-tag needs-redis-server
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemRandom } from '../../src/base/crypto/random.js';
import { createLog } from '../../src/base/telemetry/log.js';
import { openRedis } from '../../src/cluster/redis.js';
import {
  connectRedis,
  endRedisServers,
  type RedisServer,
  rawRedis,
  startProxy,
  startRedisServer,
} from '../support/faults/redis.js';
import { openPairing, submit } from '../support/pairing.js';
import { proveUnbound } from '../support/phone.js';
import { freePort } from '../support/process.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';

afterAll(endRedisServers);

let server: RedisServer;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let nodes: [Service, Service];
let account: Account;
const clock = manualClock();

beforeEach(async () => {
  server = await startRedisServer();
  proxy = await startProxy(server.url);
  const start = async () => startService({ redis: await connectRedis('svc:', proxy.url), clock });
  nodes = [await start(), await start()];
  account = await nodes[0].signUp();
});
afterEach(async () => {
  for (const node of nodes) {
    await node.close();
    await node.app.deps.redis?.close();
  }
  proxy.close();
  server.signal('SIGCONT');
  await server.kill();
});

const nonce = (node: Service, key = account.key) => node.call('GET', '/v1/auth/zkp/nonce', { as: key });
const health = async (node: Service) => {
  const { status, body } = await node.call('GET', '/api/health');
  return `${status} ${body.status} ${body.subsystems.redis.status}`;
};
const recovered = () =>
  vi.waitFor(
    async () => {
      for (const node of nodes) expect(await health(node)).toBe('200 ok ok');
    },
    { interval: 50 },
  );

/**
 * How long a slow one of 15 sequential calls takes in ms: the third longest, without the time that this process was blocked, because a
 * busy machine delays any single call.
 */
async function slowCall(of: Service, key: string): Promise<number> {
  const stalls = monitorEventLoopDelay({ resolution: 10 });
  stalls.enable();
  const took: number[] = [];
  for (let call = 0; call < 15; call += 1) {
    stalls.reset();
    const started = performance.now();
    const { status, headers } = await nonce(of, key);
    took.push(performance.now() - started - stalls.max / 1e6);
    expect(status).toBe(200);
    for (const name of ['limit', 'remaining', 'reset'])
      expect(headers[`x-ratelimit-${name}`], name).toMatch(/^\d+$/);
  }
  stalls.disable();
  return took.sort((left, right) => right - left)[2] as number;
}

const FAULTS: Record<string, { inject: () => unknown; repair: () => unknown }> = {
  'is killed': { inject: () => server.kill(), repair: () => server.start() },
  'is frozen': { inject: () => server.signal('SIGSTOP'), repair: () => server.signal('SIGCONT') },
  'responds after two seconds': {
    inject: () => {
      proxy.delayMs = 2_000;
    },
    repair: () => {
      proxy.delayMs = 0;
    },
  },
};

describe('while Redis is unavailable', () => {
  it.each(Object.entries(FAULTS))(
    'because it %s, each node enforces the same limit locally without delay, reports it as degraded, and recovers without a restart [service/nodes-and-redis]',
    async (fault, { inject, repair }) => {
      const busy = await nodes[0].signUp({ plan: 'enterprise' });
      const before = await slowCall(nodes[0], busy.key);
      await recovered(); // on a busy machine Redis may have responded too late

      await inject();
      const during = await slowCall(nodes[0], busy.key);
      console.info(
        `${fault}: a slow call took ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during`,
      );
      expect(during - before).toBeLessThan(100);
      for (const node of nodes) {
        const replies: Reply[] = [];
        for (let call = 0; call < 101; call += 1) replies.push(await nonce(node));
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(100);
        expect(replies.at(-1)?.body.error).toBe('rate_limit_exceeded');
        expect(replies.at(-1)?.headers['x-ratelimit-remaining']).toBe('0');
        expect(await health(node)).toBe('200 degraded down');
      }
      const other = await nodes[0].signUp();
      expect((await nonce(nodes[1], other.key)).status).toBe(200);
      await nodes[0].call('DELETE', `/api/console/keys/${other.keyId}`, { as: other.token });
      expect((await nonce(nodes[1], other.key)).status).toBe(401);

      await repair();
      await recovered();
      clock.advance(15 * 60_000);
      // On a busy machine Redis may respond too late again.
      await vi.waitFor(async () => {
        const { key } = await nodes[0].signUp();
        const replies = await Promise.all(Array.from({ length: 150 }, (_, at) => nonce(nodes[at % 2]!, key)));
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(100);
      });
    },
  );

  it('subscribers of a record that changed are notified when Redis is back, and no others [keys/reading-keys]', async () => {
    const { bus } = nodes[1].app.deps;
    const sessions = {
      changed: await openPairing(nodes[1], account.key),
      same: await openPairing(nodes[1], account.key),
    };
    const notified: string[] = [];
    for (const [name, { id }] of Object.entries(sessions))
      bus.subscribe('pairing_session', id, () => notified.push(name));
    clock.advance(1_000);
    await vi.waitFor(() => expect(notified.splice(0).sort()).toEqual(['changed', 'same']));
    await server.kill();
    await vi.waitFor(async () => expect(await health(nodes[1])).toBe('200 degraded down'));
    const { did, proof, publicSignals } = await proveUnbound(nodes[0], createIdentity());
    const rejected = await submit(nodes[0], account.key, sessions.changed.id, { did, proof, publicSignals });
    expect([rejected.body.error, notified]).toEqual(['pairing_nonce_mismatch', []]);
    await server.start();
    await recovered();
    await vi.waitFor(() => expect(notified).toEqual(['changed']));
    nodes[0].app.deps.bus.publish('pairing_session', sessions.same.id);
    await vi.waitFor(() => expect(notified).toEqual(['changed', 'same']));
  });
});

describe('a change that ends access', () => {
  const CHANGES: Record<string, () => Promise<unknown>> = {
    'a revoked key': () =>
      nodes[0].call('DELETE', `/api/console/keys/${account.keyId}`, { as: account.token }),
    'a suspended account': () => nodes[0].setStatus(account, 'suspended'),
  };
  const MESSAGES: Record<string, () => unknown> = {
    slow: () => {
      proxy.delayMs = 15;
    },
    lost: () => server.kill(),
  };
  const cases = Object.keys(CHANGES).flatMap((name) =>
    Object.keys(MESSAGES).map((fault) => [name, fault] as const),
  );

  it.each(cases)(
    '%s is rejected by the other node as soon as the change has returned, also when messages are %s [sessions/endings-reach-every-node]',
    async (name, fault) => {
      // Messages to and from the node that makes the change are slow, those of the other node are not.
      const redis = await connectRedis('svc:', server.url);
      const other = await startService({ redis, clock });
      await recovered();
      expect((await nonce(other)).status).toBe(200);
      await MESSAGES[fault]?.();
      await CHANGES[name]?.();
      expect((await nonce(other)).status).not.toBe(200);
      await other.close();
      await redis.close();
    },
  );
});

describe('a Redis key of another type', () => {
  it('in place of a rate-limit window is replaced', async () => {
    const raw = await rawRedis(server.url);
    // On a busy machine a node may take Redis for lost, and would count alone.
    await recovered();
    await nonce(nodes[0]);
    const windows = await raw.keys('svc:*');
    expect(windows).not.toEqual([]);
    // In one step, because a node may write a window again at any time.
    for (const key of windows) await raw.multi().del(key).hSet(key, 'x', '1').exec();
    raw.destroy();
    await recovered();
    const { status, headers } = await nonce(nodes[0]);
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '99']);
    expect((await nonce(nodes[1])).headers['x-ratelimit-remaining']).toBe('98');
    await recovered();
  });
});

describe('a node', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const connectTo = (url: string) => openRedis({ url, random: systemRandom, log });

  it('starts while Redis is down or rejects writes, and uses it once it is available', async () => {
    const port = await freePort();
    const unavailable = await connectTo(`redis://user:pass-word-of-redis@127.0.0.1:${port}`);
    expect(unavailable.isUp).toBe(false);
    await unavailable.close();
    expect(lines.join()).not.toContain('pass-word-of-redis');

    const raw = await rawRedis(server.url);
    await raw.configSet('maxmemory', '1');
    const full = await connectTo(server.url);
    expect(full.isUp).toBe(false);
    await raw.configSet('maxmemory', '0');
    await vi.waitFor(() => expect(full.isUp).toBe(true));
    await raw.configSet('maxmemory', '1');
    await vi.waitFor(async () => {
      const hit = nodes[0].app.deps.planLimiter.hit(crypto.randomUUID(), 10, 1_000);
      expect((await hit).allowed).toBe(true);
      expect(nodes[0].app.deps.redis?.isUp).toBe(false);
    });
    await raw.configSet('maxmemory', '0');
    await recovered();
    raw.destroy();
    await full.close();
  });

  it('runs its scripts again after Redis has flushed them', async () => {
    await nonce(nodes[0]);
    const raw = await rawRedis(server.url);
    await raw.scriptFlush();
    raw.destroy();
    expect((await nonce(nodes[0])).headers['x-ratelimit-remaining']).toBe('98');
    expect(nodes[0].app.deps.redis?.isUp).toBe(true);
  });
});
