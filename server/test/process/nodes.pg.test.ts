// @module-tag if-touched @core server/src/features/health/ scripts/: two nodes with Redis
// @module-tag needs-redis-server
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { operate } from '../../src/bin/operate.js';
import { databaseClock } from '../../src/db/database-clock.js';
import type { RawDatabase } from '../../src/db/db.js';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { PLAN_LIMITS } from '../../src/model/plans.js';
import { countStatements, sharedDatabase } from '../support/database.js';
import {
  connectRedis,
  endRedisServers,
  freshPrefix,
  rawRedis,
  startRedisServer,
} from '../support/faults/redis.js';
import { openPairing, poll, proveForPairing, submit, watch } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';

const SECRET = 'the secret of the tests, 32 bytes and more';
const MONTH = '2026-05';
/** Keeps the rate-limit window out of the tests of quotas. */
const WIDE = { PLAN_WINDOW_MULTIPLIER: '1000' };

let url: string;
const opened: RawDatabase[] = [];
beforeAll(async () => {
  url = (await sharedDatabase()).url as string;
});
afterAll(async () => {
  for (const db of opened) await db.close();
  endRedisServers();
});

/** Opens a separate database connection pool for a node. */
function openDatabase(): RawDatabase {
  const db = openPostgres({ url, connections: 6 });
  opened.push(db);
  return db;
}

const nonce = (node: Service, key: string) => node.call('GET', '/v1/auth/zkp/nonce', { as: key });
const count = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const inTurns = (nodes: readonly Service[], times: number, call: (node: Service) => Promise<Reply>) =>
  Promise.all(Array.from({ length: times }, (_, at) => call(nodes[at % nodes.length] as Service)));

describe('two nodes over one database and one Redis', () => {
  const prefix = freshPrefix();
  const clock = manualClock();
  let a: Service;
  let b: Service;
  let statementsOfB: string[];

  beforeEach(async () => {
    const counting = countStatements(openDatabase());
    statementsOfB = counting.statements;
    [a, b] = (await Promise.all([
      startService({ db: openDatabase(), redis: await connectRedis(prefix), clock }),
      startService({ db: counting, redis: await connectRedis(prefix), clock }),
    ])) as [Service, Service];
  });
  afterEach(async () => {
    for (const node of [a, b]) {
      await node.close();
      await node.app.deps.meter.close();
      await node.app.deps.redis?.close();
    }
  });
  afterAll(async () => {
    const raw = await rawRedis();
    const left = await raw.keys(`${prefix}*`);
    if (left.length > 0) await raw.del(left);
    raw.destroy();
  });

  it('allow an account 120 console writes a minute together', async () => {
    const { token } = await a.signUp();
    const write = (node: Service) => node.call('POST', '/api/console/devices', { as: token, body: {} });
    const replies = await inTurns([a, b], 200, write);
    expect([count(replies, 400), count(replies, 429)]).toEqual([120, 80]);
    clock.advance(60_000);
    expect((await write(b)).status).toBe(400);
  });

  it('accept exactly 100 of 200 calls of a free account, with one shared count of the rest [service/nodes-and-redis]', async () => {
    const { key } = await a.signUp();
    const replies = await inTurns([a, b], 200, (node) => nonce(node, key));
    expect([count(replies, 200), count(replies, 429)]).toEqual([100, 100]);
    const remaining = replies
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.sort((x, y) => x - y)).toEqual(Array.from({ length: 100 }, (_, at) => at));
    clock.advance(15 * 60_000);
    expect((await nonce(b, key)).headers['x-ratelimit-remaining']).toBe('99');
  });

  it('share the limits by address: reject the eleventh sign-up on either node', async () => {
    const attempt = (node: Service) =>
      node.call('POST', '/api/console/signup', { body: {}, address: '203.0.113.77' });
    const replies = await inTurns([a, b], 11, attempt);
    expect([count(replies, 400), count(replies, 429)]).toEqual([10, 1]);
    const raw = await rawRedis();
    const keys = (await raw.keys(`${prefix}window:*`)).join();
    raw.destroy();
    expect(keys).toMatch(/^svc-test:[^,]+window:[0-9a-f]{64}(,|$)/);
    expect(keys).not.toContain('203.0.113');
  });

  it('share the code-guessing guard [devices/tries-while-guessing]', async () => {
    const guess = (node: Service, at: number) =>
      node.call('POST', '/v1/devices/enroll', {
        body: { enrollment_code: 'SV-2222-3333', fingerprint: 'f'.repeat(32) },
        address: `198.18.${at >> 8}.${at & 255}`,
      });
    for (let at = 0; at < 101; at += 1) expect((await guess(a, at)).status).toBe(404);
    for (const node of [a, b])
      expect((await node.call('GET', '/api/health')).body.subsystems.codes.guarded).toBe(true);
    expect([(await guess(b, 200)).status, (await guess(b, 200)).status]).toEqual([404, 429]);
    clock.advance(15 * 60_000);
    expect((await b.call('GET', '/api/health')).body.subsystems.codes.guarded).toBe(false);
  });

  it('look up a key for each request, and once for concurrent requests [keys/reading-keys]', async () => {
    const { key } = await a.signUp();
    const lookUps = () =>
      statementsOfB.filter((text) => text.includes('from api_keys k join tenants')).length;
    for (let call = 0; call < 5; call += 1) expect((await nonce(b, key)).status).toBe(200);
    expect(lookUps()).toBe(5);
    const replies = await inTurns([b], 50, (node) => nonce(node, key));
    expect(count(replies, 200)).toBe(50);
    expect(lookUps() - 5).toBeLessThan(10);
  });

  it('apply a plan, a suspension and a revocation created on the other node from the next request', async () => {
    const account = await a.signUp();
    const after = async (change: () => Promise<unknown>) => {
      expect((await nonce(b, account.key)).status).not.toBe(401);
      await change();
      return nonce(b, account.key);
    };
    const changed = await after(() => a.setPlan(account, 'growth'));
    expect(changed.headers['x-svc-plan']).toBe('growth');
    expect((await after(() => a.setStatus(account, 'suspended'))).status).toBe(403);
    expect((await after(() => a.setStatus(account, 'active'))).status).toBe(200);
    const revoke = () => a.call('DELETE', `/api/console/keys/${account.keyId}`, { as: account.token });
    expect((await after(revoke)).status).toBe(401);
  });

  it('send a proof submitted on one node to a stream on the other, and end the stream when the account is suspended', async () => {
    const account = await a.signUp({ plan: 'growth' });
    const person = await registerPerson(a, account.key);
    const pairing = await openPairing(b, account.key);
    const stream = await watch(b, account.key, pairing);
    expect((await stream.next()).event).toBe('session_created');
    const { tenantId } = account;
    const body = await proveForPairing(person, { tenantId, sessionId: pairing.id, nonce: pairing.nonce });
    const started = performance.now();
    expect((await submit(a, account.key, pairing.id, body)).status).toBe(200);
    const submittedAt = performance.now();
    expect((await stream.next()).event).toBe('session_bound');
    console.info(
      'bound event after ms:',
      Math.round(performance.now() - submittedAt),
      'of',
      Math.round(submittedAt - started),
    );
    expect((await poll(b, account.key, pairing)).body.session.state).toBe('bound');

    const second = await watch(b, account.key, await openPairing(b, account.key));
    await second.next();
    await a.setStatus(account, 'suspended');
    expect(await second.ended()).toBe(true);
  });

  it('agree on the time even if their own clocks differ', async () => {
    const clocks = [databaseClock(a.db), databaseClock(b.db)] as const;
    const real = performance.timeOrigin;
    try {
      await clocks[0].sync();
      // The second node’s clock is ten minutes slow.
      vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(real - 600_000);
      await clocks[1].sync();
      const late = clocks[1].now();
      vi.restoreAllMocks();
      expect(Math.abs(late - clocks[0].now())).toBeLessThan(1_000);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a monthly quota over several nodes', () => {
  const LIMIT = PLAN_LIMITS.free.monthlyRequests as number;
  const clock = manualClock();
  let nodes: Service[] = [];

  const start = async (db: RawDatabase = openDatabase()) => {
    const node = await startService({ db, clock, env: WIDE });
    nodes.push(node);
    return node;
  };
  afterEach(async () => {
    for (const node of nodes) {
      await node.close();
      await node.app.deps.meter.close();
    }
    nodes = [];
  });

  const setUsed = ({ tenantId }: Account, used: number, of: Service) =>
    of.db.query(sql`insert into usage_months (tenant_id, month, used) values (${tenantId}, ${MONTH}, ${used})
      on conflict (tenant_id, month) do update set used = excluded.used`);
  const used = async ({ tenantId }: Account, of: Service) => {
    const [row] = await of.db.query<{ used: number }>(
      sql`select used from usage_months where tenant_id = ${tenantId} and month = ${MONTH}`,
    );
    return row?.used;
  };
  /** The principal of the account's key, as the pipeline builds it. */
  const principalOf = ({ tenantId, keyId }: Account) =>
    ({ tenant: { id: tenantId, plan: 'free' }, keyId, environment: 'live' }) as never;

  it.each([1, 3, 20])(
    'accepts, with %i calls left, as many of 50 concurrent calls [limits/quotas-over-nodes]',
    async (left) => {
      const [a, b] = [await start(), await start()];
      const account = await a.signUp();
      await setUsed(account, LIMIT - left, a);
      const replies = await inTurns([a, b], 50, (node) => nonce(node, account.key));
      expect(count(replies, 200)).toBe(left);
      for (const { status, body } of replies)
        if (status !== 200) expect(body.error).toBe('monthly_quota_exceeded');
      expect(await used(account, a)).toBe(LIMIT);
    },
  );

  it('is used up to the last call and never exceeded, and concurrent calls share a statement', async () => {
    const counting = countStatements(openDatabase());
    const [a, b, c] = [await start(counting), await start(), await start()];
    const account = await a.signUp();
    const replies: Reply[] = [];
    for (let round = 0; round < 12; round += 1)
      replies.push(...(await inTurns([a, b, c], 99, (node) => nonce(node, account.key))));
    expect(count(replies, 200)).toBe(LIMIT);
    expect(await used(account, a)).toBe(LIMIT);
    const asked = counting.statements.filter((text) => text.includes('usage_months')).length;
    expect(asked).toBeLessThan(100);
    console.info(`${asked} statements for ${Math.round(LIMIT / 3)} calls of a node`);
  });

  it('is exact when accounts share statements, and the nodes never deadlock', async () => {
    const started = await Promise.all([start(), start(), start()]);
    const accounts = await Promise.all(Array.from({ length: 6 }, () => started[0]!.signUp()));
    for (const [left, account] of accounts.entries()) await setUsed(account, LIMIT - 5 * left, started[0]!);
    for (let round = 0; round < 5; round += 1) {
      const calls = accounts.flatMap((account) => started.map((node) => nonce(node, account.key)));
      for (const { status } of await Promise.all(calls)) expect([200, 429]).toContain(status);
    }
    for (const [left, account] of accounts.entries())
      expect(await used(account, started[0]!), `with ${5 * left} left`).toBe(
        LIMIT - 5 * left + Math.min(15, 5 * left),
      );
  });

  it('counts a call whose node dies before it ends, and no other [limits/quotas-over-nodes]', async () => {
    const [a, b] = [await start(), await start()];
    const account = await a.signUp();
    await setUsed(account, LIMIT - 10, a);
    expect(await a.app.deps.meter.admit(principalOf(account), clock.now())).toBe(true);
    // The node does not settle the call.
    expect(await used(account, b)).toBe(LIMIT - 9);
    const replies = await inTurns([b], 20, (of) => nonce(of, account.key));
    expect(count(replies, 200)).toBe(9);
    expect(await used(account, b)).toBe(LIMIT);
  });

  it('applies a smaller plan immediately on every node', async () => {
    const [a, b] = [await start(), await start()];
    const account = await a.signUp({ plan: 'growth' });
    await setUsed(account, LIMIT - 5, a);
    expect((await nonce(a, account.key)).status).toBe(200);
    await a.setPlan(account, 'free');
    const replies = await inTurns([a, b], 40, (node) => nonce(node, account.key));
    expect(count(replies, 200)).toBe(4);
    expect(await used(account, a)).toBe(LIMIT);
    await a.setPlan(account, 'starter');
    expect((await nonce(b, account.key)).status).toBe(200);
  });

  it('gets a call back that ends in 503, on every node', async () => {
    const [a, b] = [await start(), await start()];
    const account = await a.signUp();
    const { meter } = a.app.deps;
    const at = clock.now();
    const principal = principalOf(account);
    for (const next of [a, b]) {
      await setUsed(account, LIMIT - 1, a);
      expect(await meter.admit(principal, at)).toBe(true);
      expect((await nonce(b, account.key)).status).toBe(429);
      const call = { method: 'GET', endpoint: '/x', status: 503, at, durationMs: 1, address: '192.0.2.7' };
      const error = 'service_unavailable';
      await meter.settle({ principal, ...call, requestId: a.app.deps.ids(), error });
      expect((await nonce(next, account.key)).status).toBe(200);
      expect((await nonce(next, account.key)).status).toBe(429);
      expect(await used(account, a)).toBe(LIMIT);
    }
  });
});

describe('the operator’s command line', () => {
  it('ends streams on every node and rejects the account’s keys', async () => {
    const server = await startRedisServer();
    const clock = manualClock();
    const node = async () =>
      startService({ db: openDatabase(), redis: await connectRedis('svc:', server.url), clock });
    const [a, b] = [await node(), await node()];
    try {
      const account = await a.signUp({ plan: 'growth' });
      const streams = await Promise.all(
        [a, b].map(async (of) => watch(of, account.key, await openPairing(of, account.key))),
      );
      for (const stream of streams) await stream.next();
      const env = { DATABASE_URL: url, REDIS_URL: server.url, SVC_SECRET: SECRET };
      const reply = await operate(env, { command: 'accounts suspend', input: { tenant: account.tenantId } });
      const done = performance.now();
      expect(reply).toMatchObject({ ok: true });
      // The clock does not advance, so only Redis can have notified the nodes.
      for (const stream of streams) expect(await stream.ended()).toBe(true);
      console.info('streams ended ms after the command:', Math.round(performance.now() - done));
      for (const of of [a, b]) expect((await nonce(of, account.key)).status).toBe(403);
    } finally {
      for (const of of [a, b]) {
        await of.close();
        await of.app.deps.redis?.close();
      }
      await server.kill();
    }
  });
});
