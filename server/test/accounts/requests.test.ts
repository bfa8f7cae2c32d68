import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NIL_UUID } from '../../src/base/crypto/random.js';
import { sql } from '../../src/db/sql.js';
import type { Call } from '../../src/http/deps.js';
import { deleteExpired } from '../../src/jobs.js';
import { openStream } from '../support/pairing.js';
import { type Account, manualClock, type Service, startService } from '../support/service.js';

const DAY = 24 * 60 * 60_000;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Logged {
  readonly requestId: string;
  readonly status: number;
  readonly [field: string]: unknown;
}

async function readLog(account: Account, query = '', of = service) {
  const reply = await of.call('GET', `/api/console/requests?${query}`, { as: account.token });
  expect(reply.status, reply.text).toBe(200);
  return reply.body as { requests: Logged[]; environment: string; nextCursor: string | null };
}

async function readAll(account: Account, query = ''): Promise<Logged[]> {
  const all: Logged[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await readLog(account, `limit=100&${query}${cursor && `&cursor=${cursor}`}`);
    all.push(...page.requests);
    cursor = page.nextCursor;
  }
  return all;
}

/** A finished call, as the pipeline reports it. Returns its id. */
async function settle(account: Account, call: Partial<Call> = {}, of = service): Promise<string> {
  const requestId = of.app.deps.ids();
  await of.app.deps.meter.settle({
    principal: {
      keyId: account.keyId,
      environment: 'live',
      tenant: { id: account.tenantId, plan: 'enterprise' },
    } as Call['principal'],
    method: 'GET',
    endpoint: '/v1/users',
    status: 200,
    at: of.clock.now(),
    durationMs: 3,
    address: '192.0.2.7',
    error: null,
    requestId,
    ...call,
  });
  return requestId;
}

describe('GET /api/console/requests', () => {
  it('lists requests with their key, id and error, newest first [GET /api/console/requests] [console/request-log]', async () => {
    const account = await service.signUp();
    const first = await service.call('GET', '/v1/auth/zkp/nonce?x=1', { as: account.key });
    service.clock.advance(1_000);
    const second = await service.call('PATCH', `/v1/devices/${randomUUID()}`, {
      as: account.key,
      body: { name: 'x' },
    });
    const log = await readLog(account);
    expect(log).toEqual({
      requests: [
        {
          timestamp: new Date(service.clock.now()).toISOString(),
          method: 'PATCH',
          path: '/v1/devices/:deviceId',
          status: 404,
          durationMs: expect.any(Number),
          keyId: account.keyId,
          requestId: second.headers['x-request-id'],
          error: 'device_not_found',
        },
        expect.objectContaining({
          path: '/v1/auth/zkp/nonce',
          status: 400,
          requestId: first.headers['x-request-id'],
          error: 'invalid_request',
        }),
      ],
      environment: 'live',
      nextCursor: null,
    });
  });

  it('filters by status, class, method, path, key and error, also over pages', async () => {
    const account = await service.signUp();
    const other = { ...account, keyId: randomUUID() };
    const [a, b, c, d] = [
      await settle(account),
      await settle(account, { status: 404, error: 'device_not_found', endpoint: '/v1/devices/:deviceId' }),
      await settle(account, { status: 409, error: 'device_not_pending', method: 'POST' }),
      await settle(other, { status: 500, error: 'internal_error' }),
    ];
    const ids = async (query: string) =>
      (await readLog(account, query)).requests.map(({ requestId }) => requestId);
    expect(await ids('')).toEqual([d, c, b, a]);
    expect(await ids('status=4xx')).toEqual([c, b]);
    expect(await ids('status=404')).toEqual([b]);
    expect(await ids('method=POST')).toEqual([c]);
    expect(await ids('path=/v1/devices/:deviceId')).toEqual([b]);
    expect(await ids(`keyId=${other.keyId.toUpperCase()}`)).toEqual([d]);
    expect(await ids('error=device_not_pending&status=4xx&method=POST')).toEqual([c]);
    expect(await ids('error=nothing')).toEqual([]);
    const page = await readLog(account, 'status=4xx&limit=1');
    expect(page.requests.map(({ requestId }) => requestId)).toEqual([c]);
    expect(await ids(`status=4xx&limit=1&cursor=${page.nextCursor}`)).toEqual([b]);
    for (const bad of ['status=600', 'status=4x', 'status=4xx4', 'method=TRACE', 'keyId=1', 'path=', 'q=1']) {
      const reply = await service.call('GET', `/api/console/requests?${bad}`, { as: account.token });
      expect([bad, reply.status, reply.body.details[0].path]).toEqual([
        bad,
        400,
        `query.${bad.split('=')[0]}`,
      ]);
    }
  });

  it('is separate for each account and environment', async () => {
    const [one, two] = [await service.signUp(), await service.signUp()];
    const test = await service.createKey(one, 'test');
    await service.call('GET', '/v1/users', { as: one.key });
    await service.call('GET', '/v1/devices', { as: test });
    expect((await readLog(two)).requests).toEqual([]);
    expect((await readLog(one)).requests.map(({ path }) => path)).toEqual(['/v1/users']);
    expect((await readLog(one, 'environment=test')).requests.map(({ path }) => path)).toEqual([
      '/v1/devices',
    ]);
  });

  it.each([false, true])(
    'has the last 1,000 of an account, of all nodes (one machine after the other: %s)',
    { tags: ['ci'] },
    async (spread) => {
      const nodes = await Promise.all([startService({ spread }), startService({ spread })]);
      try {
        const account = await service.signUp();
        const ids: string[] = [];
        for (let round = 0; round < 7; round += 1) {
          for (const node of nodes) {
            for (let n = 0; n < 100; n += 1) ids.push(await settle(account, {}, node));
            await node.app.deps.meter.flush(account.tenantId);
          }
        }
        const logged = await readAll(account);
        expect(logged.map(({ requestId }) => requestId)).toEqual(ids.toSorted().reverse().slice(0, 1_000));
        const [rows] = await service.db.query<{ n: number }>(
          sql`select count(*) as n from recent_calls where tenant_id = ${account.tenantId}`,
        );
        expect(rows?.n).toBeLessThanOrEqual(1_400);
      } finally {
        for (const node of nodes) await node.close();
      }
    },
  );

  it('keeps the newest calls of a burst that is larger than a flush', async () => {
    const account = await service.signUp();
    const calls = Array.from({ length: 7_000 }, () => settle(account));
    const ids = await Promise.all(calls);
    const logged = await readAll(account);
    expect(logged.map(({ requestId }) => requestId)).toEqual(ids.slice(-1_000).reverse());
  });

  it('has the last 7 days, and housekeeping deletes what is older', async () => {
    const own = await startService();
    try {
      const account = await own.signUp();
      await settle(account, { at: own.clock.now() - 7 * DAY - 1 }, own);
      const kept = await settle(account, { at: own.clock.now() - 7 * DAY }, own);
      const log = await readLog(account, '', own);
      expect(log.requests.map(({ requestId }) => requestId)).toEqual([kept]);
      await deleteExpired(own.app.deps);
      const rows = await own.db.query<{ id: string }>(
        sql`select id from recent_calls where tenant_id = ${account.tenantId}`,
      );
      expect(rows).toEqual([{ id: kept }]);
    } finally {
      await own.close();
    }
  });

  it('lists what a node of an earlier version logged without key and request id', async () => {
    const account = await service.signUp();
    await service.db.query(sql`insert into recent_calls (tenant_id, id, method, endpoint, status, environment, called_at, duration_ms)
      values (${account.tenantId}, ${randomUUID()}, 'GET', '/v1/users', 200, 'live', ${new Date(service.clock.now())}, 1)`);
    expect((await readLog(account)).requests).toMatchObject([{ keyId: null, requestId: null, error: null }]);
  });
});

describe('GET /api/console/requests/stream', () => {
  const open = (
    account: Account,
    { of = service, query = '', lastId = undefined as string | undefined } = {},
  ) =>
    openStream(of, `/api/console/requests/stream?${query}`, {
      authorization: `Bearer ${account.token}`,
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    });
  /** Writes what the node has in memory. Streams find it within a second. */
  async function passSecond(account: Account, of = service): Promise<void> {
    await of.app.deps.meter.flush(account.tenantId);
    service.clock.advance(1_000);
  }
  const settled = () =>
    vi.waitFor(() => expect([service.app.deps.streams.size, service.app.deps.bus.size]).toEqual([0, 0]));

  it('sends the calls of every node as they are logged, none twice [GET /api/console/requests/stream] [console/request-log]', async () => {
    const other = await startService({ clock: service.clock });
    try {
      const account = await service.signUp();
      await settle(account);
      const stream = await open(account);
      expect(stream.status).toBe(200);
      const ids = [
        await settle(account),
        await settle(account, { status: 404, error: 'device_not_found' }, other),
      ];
      await other.app.deps.meter.flush();
      await passSecond(account);
      const events = [await stream.next(), await stream.next()];
      expect(events.map(({ event }) => event)).toEqual(['request', 'request']);
      expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const list = (await readLog(account)).requests;
      for (const { id, data } of events) expect(data).toEqual(list.find(({ requestId }) => requestId === id));
      // A call that was logged late has an earlier id than the last event.
      const late = `${ids[0]?.slice(0, 14)}7000-8000-000000000000`;
      await settle(account, { requestId: late });
      await passSecond(account);
      expect((await stream.next()).id).toBe(late);
      stream.disconnect();
      await settled();
    } finally {
      await other.close();
    }
  });

  it('sends only matching calls of its account and environment', async () => {
    const [account, stranger] = [await service.signUp(), await service.signUp()];
    const stream = await open(account, { query: 'status=4xx&limit=2' });
    await settle(stranger, { status: 404 });
    await settle(account);
    const first = await settle(account, { status: 404 });
    const second = await settle(account, { status: 409 });
    await settle(account, { status: 410 });
    await passSecond(account);
    expect([(await stream.next()).id, (await stream.next()).id]).toEqual([first, second]);
    expect(await stream.ended()).toBe(true);
    await settled();
  });

  it('continues after Last-Event-ID, and begins with the next call without a valid one', async () => {
    const account = await service.signUp();
    const ids = [await settle(account), await settle(account), await settle(account)];
    const resumed = await open(account, { lastId: ids[0] as string, query: 'limit=2' });
    expect([(await resumed.next()).id, (await resumed.next()).id]).toEqual(ids.slice(1));
    const fresh = await open(account, { lastId: 'x', query: 'limit=1' });
    const next = await settle(account);
    await passSecond(account);
    expect((await fresh.next()).id).toBe(next);
    await settled();
  });

  it('leaves out calls that are too many, and says so', async () => {
    const account = await service.signUp();
    const before = await settle(account);
    const stream = await open(account, { query: 'limit=200' });
    const ids: string[] = [];
    for (let n = 0; n < 250; n += 1) ids.push(await settle(account));
    await passSecond(account);
    expect(await stream.next()).toEqual({ id: before, event: 'requests_skipped', data: {} });
    for (const id of ids.slice(50)) expect((await stream.next()).id).toBe(id);
    expect(await stream.ended()).toBe(true);
    const resumed = await open(account, { lastId: NIL_UUID, query: 'limit=1' });
    expect((await resumed.next()).event).toBe('requests_skipped');
    resumed.disconnect();
    await settled();
  });

  it('ends when the account logs out, also on another node, and after 15 minutes', async () => {
    const other = await startService({ clock: service.clock });
    try {
      const account = await service.signUp();
      const stream = await open(account);
      await other.call('POST', '/api/console/logout', { as: account.token });
      await vi.waitFor(async () => {
        service.clock.advance(1_000);
        expect(service.app.deps.streams.size).toBe(0);
      });
      expect(await stream.ended()).toBe(true);
      const second = await service.signUp();
      const long = await open(second);
      await vi.waitFor(async () => {
        service.clock.advance(15 * 60_000);
        expect(service.app.deps.streams.size).toBe(0);
      });
      expect(await long.ended()).toBe(true);
      await settled();
    } finally {
      await other.close();
    }
  });

  it('returns 429 for a sixth stream of the account, and 401 without a valid token', async () => {
    const account = await service.signUp();
    const streams = await Promise.all(Array.from({ length: 5 }, () => open(account)));
    const sixth = await open(account);
    expect([sixth.status, sixth.headers['retry-after']]).toEqual([429, '15']);
    expect((await open({ ...account, token: `${account.token}x` })).status).toBe(401);
    for (const stream of streams) stream.disconnect();
    await settled();
    const again = await open(account);
    expect(again.status).toBe(200);
    again.disconnect();
    await settled();
  });

  it('ends at shutdown and tells the client to connect again', async () => {
    const own = await startService({ clock: manualClock() });
    const account = await own.signUp();
    const stream = await open(account, { of: own });
    await own.close();
    expect(await stream.ended()).toBe(true);
    expect(stream.text()).toContain('retry: 1000');
  });
});
