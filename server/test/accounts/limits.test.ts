import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { DatabaseUnavailableError } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { PLAN_LIMITS, PLANS } from '../../src/model/plans.js';
import { sharedDatabase } from '../support/database.js';
import { openPairing, proveForPairing } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';

const WINDOW_MS = 15 * 60_000;
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const nonce = (as: string, of = service) => of.call('GET', '/v1/auth/zkp/nonce', { as });
const usage = async ({ token }: Account, of = service) =>
  (await of.call('GET', '/api/console/usage', { as: token })).body;
const count = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const concurrently = (times: number, call: (at: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: times }, (_, at) => call(at)));

async function setUsed(account: Account, month: string, used: number): Promise<void> {
  await service.db.query(sql`insert into usage_months (tenant_id, month, used) values (${account.tenantId}, ${month}, ${used})
    on conflict (tenant_id, month) do update set used = excluded.used`);
}

describe('the plan’s rate limit [limit: Rate limit per 15-minute sliding window]', () => {
  it('allows exactly 100 of 200 concurrent requests on the free plan, across the account’s keys [X-RateLimit-Remaining] [limits/several-nodes]', async () => {
    const account = await service.signUp();
    const keys = [account.key, await service.createKey(account, 'test')];
    const replies = await concurrently(200, (at) => nonce(keys[at % 2] as string));
    expect(count(replies, 200)).toBe(100);
    expect(count(replies, 429)).toBe(100);
    const remaining = replies
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));
    for (const { headers, status } of replies) {
      expect(headers['x-ratelimit-limit']).toBe('100');
      expect(Number(headers['x-ratelimit-reset'])).toBe(Math.ceil((service.clock.now() + WINDOW_MS) / 1000));
      if (status === 429) expect(headers['retry-after']).toBe('900');
    }
  });

  it('stops counting a request exactly 15 minutes after it was made [X-RateLimit-Reset]', async () => {
    const account = await service.signUp();
    const start = service.clock.now();
    const passes = async () => (await nonce(account.key)).status === 200;
    for (let call = 0; call < 99; call += 1) await nonce(account.key);
    service.clock.advance(WINDOW_MS - 1);
    const last = await nonce(account.key);
    expect(last.headers['x-ratelimit-remaining']).toBe('0');
    expect(Number(last.headers['x-ratelimit-reset'])).toBe(Math.ceil((start + WINDOW_MS) / 1000));
    const stopped = await nonce(account.key);
    expect(`${stopped.status} ${stopped.body.error} ${stopped.headers['retry-after']}`).toBe(
      '429 rate_limit_exceeded 1',
    );
    service.clock.advance(1);
    for (let call = 0; call < 99; call += 1) expect(await passes()).toBe(true);
    expect(await passes()).toBe(false);
  });

  it.each(PLANS)('follows a change of plan to %s [X-RateLimit-Limit] [X-Svc-Plan]', async (plan) => {
    const account = await service.signUp();
    await nonce(account.key);
    await service.setPlan(account, plan);
    const { headers } = await nonce(account.key);
    const limit = { free: 100, starter: 500, growth: 2_000, enterprise: 10_000 }[plan];
    expect(headers['x-ratelimit-limit']).toBe(String(limit));
    expect(headers['x-ratelimit-remaining']).toBe(String(limit - 2));
    expect(headers['x-svc-plan']).toBe(plan);
    expect((await usage(account)).rateLimit).toEqual({ requestsPer15Min: limit });
  });

  it('counts every request with a valid key unless it returns 429, and none with an invalid key [limits/windows-and-quotas]', async () => {
    const account = await service.signUp();
    const audit = await service.createKey(account, 'live', ['audit:read']);
    const calls = [
      () => nonce(audit),
      () => service.call('POST', '/v1/devices', { as: account.key, body: {} }),
      () =>
        service.call('PATCH', `/v1/devices/${crypto.randomUUID()}`, { as: account.key, body: { name: 'x' } }),
      () => service.call('GET', '/v1/identity/me', { as: account.key }),
      () =>
        service.call('POST', '/v1/devices', {
          as: account.key,
          raw: 'x',
          headers: { 'content-type': 'text/plain' },
        }),
    ];
    const statuses: number[] = [];
    for (const call of calls) statuses.push((await call()).status);
    expect(statuses).toEqual([403, 400, 404, 401, 415]);
    await nonce(account.key.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')));
    await service.call('GET', '/v1/nothing', { as: account.key });
    expect((await nonce(account.key)).headers['x-ratelimit-remaining']).toBe('94');
    expect((await usage(account)).currentMonth.used).toBe(6);
    await concurrently(100, () => nonce(account.key));
    expect((await usage(account)).currentMonth.used).toBe(100);
  });
});

describe('the console’s rate limit', () => {
  const MINUTE_MS = 60_000;
  const read = ({ token }: Account) => service.call('GET', '/api/console/account', { as: token });
  /** An invalid write, which counts like any other. */
  const write = ({ token }: Account) => service.call('POST', '/api/console/devices', { as: token, body: {} });

  it('allows exactly 600 requests a minute and returns 429 with Retry-After beyond that [limits/console-window]', {
    tags: ['ci'],
  }, async () => {
    const account = await service.signUp();
    const replies = await concurrently(650, () => read(account));
    expect([count(replies, 200), count(replies, 429)]).toEqual([600, 50]);
    const rejected = await read(account);
    expect([rejected.status, rejected.body.error, rejected.headers['retry-after']]).toEqual([
      429,
      'rate_limit_exceeded',
      '60',
    ]);
    expect((await write(account)).status).toBe(429);
    expect((await nonce(account.key)).status, 'API keys have their own limit').toBe(200);
    expect((await read(await service.signUp())).status, 'other accounts are not affected').toBe(200);
    service.clock.advance(MINUTE_MS - 1);
    expect((await read(account)).headers['retry-after']).toBe('1');
    service.clock.advance(1);
    expect((await read(account)).status).toBe(200);
  });

  it('allows exactly 120 writes a minute; rejected writes do not count against reads', async () => {
    const account = await service.signUp();
    const replies = await concurrently(200, () => write(account));
    expect([count(replies, 400), count(replies, 429)]).toEqual([120, 80]);
    expect((await write(account)).headers['retry-after']).toBe('60');
    const reads = await concurrently(500, () => read(account));
    expect([count(reads, 200), count(reads, 429)]).toEqual([480, 20]);
    service.clock.advance(MINUTE_MS);
    expect((await write(account)).status).toBe(400);
  });

  it('does not count requests without a valid token', async () => {
    const account = await service.signUp();
    await concurrently(700, () => read({ ...account, token: `${account.token}x` }));
    expect((await read(account)).status).toBe(200);
  });
});

describe('a limit per address', () => {
  it.each([
    ['/api/console/signup', 10],
    ['/api/console/login', 20],
    ['/v1/devices/enroll', 10],
    ['/v1/registrations/complete', 20],
  ])('of %s is ten times as high for an IPv6 /48 [limits/ipv6-networks]', async (path, max) => {
    const from = (address: string) => service.call('POST', path, { address, body: {} });
    const spend = async (address: string) => {
      const replies = await concurrently(max + 1, () => from(address));
      return [count(replies, 400), count(replies, 429)];
    };
    for (let subnet = 0; subnet < 10; subnet += 1)
      expect(await spend(`2001:db8:7:${subnet}::1`)).toEqual([max, 1]);
    const rejected = await from('2001:db8:7:ffff::1');
    expect([rejected.status, rejected.body.error]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('2001:db8:8::1')).status, 'another /48').toBe(400);
    for (let host = 1; host <= 11; host += 1) expect(await spend(`198.51.100.${host}`)).toEqual([max, 1]);
  });
});

describe('phones behind one address', () => {
  const MINUTE_MS = 60_000;
  const office = '198.51.100.77';
  const read = (id: string, address = office) =>
    service.call('GET', `/v1/phone/pairing/${id}/context`, { address });
  const newSession = async ({ key }: Account) => (await openPairing(service, key)).id;

  it.each(['context', 'submit', 'decline'])(
    'have 20 calls of %s a minute for one session, and 600 for all [phones/phones-behind-one-address]',
    { tags: ['ci'] },
    async (action) => {
      service.clock.advance(MINUTE_MS);
      const call = (id: string, address = office) =>
        action === 'context'
          ? read(id, address)
          : service.call('POST', `/v1/phone/pairing/${id}/${action}`, { address, body: {} });
      const id = crypto.randomUUID();
      const one = await concurrently(25, (at) => call(at % 2 === 0 ? id : id.toUpperCase()));
      expect(count(one, 429)).toBe(5);
      expect((await call(id, '198.51.100.78')).status, 'another address').not.toBe(429);
      const others = await concurrently(600, () => call(crypto.randomUUID()));
      expect(count(others, 429)).toBe(20);
      const refused = await call(crypto.randomUUID());
      expect([refused.status, refused.body.error, refused.headers['retry-after']]).toEqual([
        429,
        'rate_limit_exceeded',
        '60',
      ]);
      service.clock.advance(MINUTE_MS);
      expect((await call(id)).status).not.toBe(429);
    },
  );

  it('count as one session if they name none, however their text differs [phones/phones-behind-one-address]', async () => {
    const replies = await concurrently(25, (at) => read(`no-session-${at}`, '198.51.100.79'));
    expect([count(replies, 404), count(replies, 429)]).toEqual([20, 5]);
  });

  it('of an IPv6 /48 have 6,000 calls a minute together [phones/phones-behind-one-address]', {
    tags: ['ci'],
  }, async () => {
    service.clock.advance(MINUTE_MS);
    for (let subnet = 0; subnet < 10; subnet += 1) {
      const replies = await concurrently(600, () => read(crypto.randomUUID(), `2001:db8:80:${subnet}::1`));
      expect(count(replies, 429)).toBe(0);
    }
    expect((await read(crypto.randomUUID(), '2001:db8:80:99::1')).status).toBe(429);
    expect((await read(crypto.randomUUID(), '2001:db8:81::1')).status).toBe(404);
  });

  it('can approve any number of sign-ins: a submit that succeeds does not count [phones/phones-behind-one-address]', async () => {
    service.clock.advance(MINUTE_MS);
    const account = await service.signUp({ plan: 'enterprise' });
    const person = await registerPerson(service, account.key);
    const address = '198.51.100.80';
    const submit = (id: string, body: object = {}) =>
      service.call('POST', `/v1/phone/pairing/${id}/submit`, { address, body });
    const approve = async () => {
      const { id: sessionId, nonce } = await openPairing(service, account.key);
      const proof = await proveForPairing(person, { tenantId: account.tenantId, sessionId, nonce });
      return (await submit(sessionId, proof)).status;
    };
    const failed = await concurrently(599, () => submit(crypto.randomUUID()));
    expect(count(failed, 429)).toBe(0);
    expect([await approve(), await approve(), await approve()]).toEqual([200, 200, 200]);
    expect((await submit(await newSession(account))).status, 'the 600th that counts').toBe(400);
    expect((await submit(await newSession(account))).status).toBe(429);
  });
});

describe('the monthly quota', () => {
  it('is never exceeded by concurrent requests', async () => {
    const account = await service.signUp();
    await setUsed(account, '2026-05', PLAN_LIMITS.free.monthlyRequests! - 1);
    const replies = await concurrently(50, () => nonce(account.key));
    expect(count(replies, 200)).toBe(1);
    const rejected = replies.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(49);
    for (const reply of rejected) {
      expect(reply.body.error).toBe('monthly_quota_exceeded');
      expect(Number(reply.headers['retry-after'])).toBe(
        Math.ceil((Date.UTC(2026, 5) - service.clock.now()) / 1000),
      );
    }
    expect((await usage(account)).currentMonth).toEqual({ used: 1_000, limit: 1_000, remaining: 0 });
    expect(
      (await nonce(account.key)).headers['x-ratelimit-remaining'],
      'rejected requests do not count',
    ).toBe('99');
  });

  it('resets at 00:00 UTC on the first, and counts a request in the month it arrived [console/usage-and-overview]', async () => {
    const clock = manualClock(Date.parse('2026-05-31T23:59:59.990Z'));
    const { db } = await sharedDatabase();
    let late = 0;
    /** A database whose next key look-up lasts `late` milliseconds, once. */
    const slow: RawDatabase = {
      ...db,
      query: (statement) => {
        if (late > 0 && statement.text.includes('from api_keys k join tenants')) {
          clock.advance(late);
          late = 0;
        }
        return db.query(statement);
      },
    };
    const may = await startService({ clock, db: slow });
    try {
      const account = await may.signUp();
      await setUsed(account, '2026-05', 999);
      expect((await nonce(account.key, may)).status).toBe(200);
      expect((await nonce(account.key, may)).body.error).toBe('monthly_quota_exceeded');
      expect((await nonce(account.key, may)).headers['retry-after']).toBe('1');
      await setUsed(account, '2026-06', 998);
      clock.advance(9);
      late = 1;
      expect((await nonce(account.key, may)).status, 'arrived in May, whose quota is used up').toBe(429);
      expect(clock.now()).toBe(Date.parse('2026-06-01T00:00:00.000Z'));
      expect((await nonce(account.key, may)).status).toBe(200);
      expect((await nonce(account.key, may)).status).toBe(200);
      expect((await nonce(account.key, may)).body.error).toBe('monthly_quota_exceeded');
      const { currentMonth, history } = await usage(account, may);
      expect(currentMonth.used).toBe(1_000);
      expect(history.slice(0, 3)).toEqual([
        { month: '2026-06', used: 1_000 },
        { month: '2026-05', used: 1_000 },
        { month: '2026-04', used: 0 },
      ]);
      expect(history).toHaveLength(12);
    } finally {
      await may.close();
    }
  });

  it.each([
    ['free', 1_000],
    ['starter', 25_000],
    ['growth', 250_000],
  ] as const)(
    'of the %s plan is %i requests; the next returns 429 [limit: Monthly requests]',
    async (plan, quota) => {
      const account = await service.signUp({ plan });
      await setUsed(account, '2026-05', quota - 1);
      expect((await nonce(account.key)).status).toBe(200);
      const rejected = await nonce(account.key);
      expect([rejected.status, rejected.body.error]).toEqual([429, 'monthly_quota_exceeded']);
    },
  );

  it('is null for a plan without a limit [console/usage-and-overview]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    await setUsed(account, '2026-05', 5_000_000);
    expect((await nonce(account.key)).status).toBe(200);
    expect((await usage(account)).currentMonth).toEqual({ used: 5_000_001, limit: null, remaining: null });
  });

  it('survives a restart, and grows with the plan', async () => {
    const account = await service.signUp();
    await setUsed(account, '2026-05', 998);
    expect((await nonce(account.key)).status).toBe(200);
    await service.app.deps.meter.flush();
    const restarted = await startService({ clock: service.clock });
    try {
      expect((await nonce(account.key, restarted)).status).toBe(200);
      expect((await nonce(account.key, restarted)).body.error).toBe('monthly_quota_exceeded');
      await restarted.setPlan(account, 'starter');
      expect((await nonce(account.key, restarted)).status).toBe(200);
      expect((await usage(account, restarted)).currentMonth).toEqual({
        used: 1_001,
        limit: 25_000,
        remaining: 23_999,
      });
    } finally {
      await restarted.close();
    }
  });

  it('counts a request before processing it', async () => {
    const limit = PLAN_LIMITS.free.monthlyRequests!;
    const { db } = await sharedDatabase();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    const slow: RawDatabase = {
      ...db,
      async begin() {
        isHeld = true;
        await gate;
        return db.begin();
      },
    };
    const clock = manualClock();
    const [one, two] = [await startService({ clock, db: slow }), await startService({ clock })];
    try {
      const account = await two.signUp();
      await setUsed(account, '2026-05', limit - 31);
      const late = one.call('POST', '/v1/devices', { as: account.key, body: { name: 'x' } });
      await vi.waitUntil(() => isHeld);
      // A write waits for ten seconds at most.
      clock.advance(9_000);
      const replies = await concurrently(40, () => nonce(account.key, two));
      expect(count(replies, 200)).toBe(30);
      release();
      expect((await late).status).toBe(201);
      expect((await usage(account, two)).currentMonth).toEqual({ used: limit, limit, remaining: 0 });
    } finally {
      release();
      await one.close();
      await two.close();
    }
  });
});

describe('a 503 response', () => {
  it('counts in neither the rate limit nor the quota, and has Retry-After [http/headers]', async () => {
    const { db } = await sharedDatabase();
    let down = false;
    const flaky: RawDatabase = {
      ...db,
      begin: () => (down ? Promise.reject(new DatabaseUnavailableError('down')) : db.begin()),
    };
    const broken = await startService({ db: flaky, clock: service.clock });
    try {
      const account = await broken.signUp();
      expect((await nonce(account.key, broken)).headers['x-ratelimit-remaining']).toBe('99');
      down = true;
      for (let call = 0; call < 5; call += 1) {
        const reply = await broken.call('POST', '/v1/devices', { as: account.key, body: { name: 'x' } });
        expect(`${reply.status} ${reply.body.error} ${reply.headers['retry-after']}`).toBe(
          '503 service_unavailable 2',
        );
        expect(reply.headers['x-ratelimit-remaining']).toBe('99');
      }
      down = false;
      expect((await nonce(account.key, broken)).headers['x-ratelimit-remaining']).toBe('98');
      expect((await usage(account, broken)).currentMonth.used).toBe(2);
    } finally {
      await broken.close();
    }
  });

  it('is returned on every path that needs the database while it is unavailable, and by health [service/health]', async () => {
    const { db } = await sharedDatabase();
    let down = false;
    const unavailable = () => Promise.reject(new DatabaseUnavailableError('down'));
    const flaky: RawDatabase = {
      ...db,
      query: (statement) => (down ? unavailable() : db.query(statement)),
      begin: () => (down ? unavailable() : db.begin()),
    };
    const broken = await startService({ db: flaky, clock: service.clock });
    try {
      const account = await broken.signUp();
      down = true;
      for (const [path, as] of [
        ['/v1/devices', account.key],
        ['/api/console/usage', account.token],
        ['/api/health', undefined],
        ['/api/health/ready', undefined],
      ] as const) {
        const reply = await broken.call('GET', path, as ? { as } : {});
        expect(reply.status, path).toBe(503);
        expect(reply.headers['retry-after'], path).toBe('2');
      }
      expect((await broken.call('GET', '/api/health/live')).status).toBe(200);
      expect((await broken.call('GET', '/api/health')).body).toMatchObject({
        status: 'degraded',
        database: false,
      });
      down = false;
      expect((await broken.call('GET', '/v1/devices', { as: account.key })).status).toBe(200);
      expect((await broken.call('GET', '/api/health')).body).toMatchObject({ status: 'ok', database: true });
    } finally {
      await broken.close();
    }
  });
});

describe('usage', () => {
  it('lists the last 50 calls, newest first, with route patterns instead of URLs [limit: Recent calls in usage] [GET /api/console/usage]', async () => {
    const account = await service.signUp();
    const start = service.clock.now();
    for (let call = 0; call < 55; call += 1) {
      service.clock.advance(1_000);
      await service.call('PATCH', `/v1/devices/${crypto.randomUUID()}?x=1`, { as: account.key, body: {} });
      if (call === 20) await service.app.deps.meter.flush();
    }
    const test = await service.createKey(account, 'test');
    await nonce(test);
    const { recentCalls } = await usage(account);
    expect(recentCalls).toHaveLength(50);
    expect(recentCalls[0]).toMatchObject({
      method: 'GET',
      endpoint: '/v1/auth/zkp/nonce',
      status: 200,
      environment: 'test',
    });
    expect(recentCalls[1]).toEqual({
      method: 'PATCH',
      endpoint: '/v1/devices/:deviceId',
      status: 400,
      timestamp: new Date(start + 55_000).toISOString(),
      environment: 'live',
      durationMs: expect.any(Number),
    });
    const times = recentCalls.map((call: { timestamp: string }) => call.timestamp);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('waits for calls that are still being written', async () => {
    const { db } = await sharedDatabase();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isWriting = false;
    const slow: RawDatabase = {
      ...db,
      async query(statement) {
        if (/insert into recent_calls/.test(statement.text)) {
          isWriting = true;
          await gate;
        }
        return db.query(statement);
      },
    };
    const own = await startService({ db: slow });
    try {
      const account = await own.signUp();
      await nonce(account.key, own);
      await vi.waitUntil(() => isWriting);
      const looking = usage(account, own);
      // Long enough that a read which does not wait would finish too early.
      for (let turn = 0; turn < 100; turn += 1) await db.query(sql`select 1`);
      release();
      expect((await looking).recentCalls).toHaveLength(1);
    } finally {
      release();
      await own.close();
    }
  });

  it('is separate for each account', async () => {
    const [one, two] = [await service.signUp(), await service.signUp()];
    await nonce(one.key);
    expect((await usage(one)).currentMonth.used).toBe(1);
    expect((await usage(two)).currentMonth.used).toBe(0);
    expect((await usage(two)).recentCalls).toEqual([]);
  });
});
