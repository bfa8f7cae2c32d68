import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { DatabaseUnavailableError } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import type { Call } from '../../src/http/deps.js';
import { sharedDatabase } from '../support/database.js';
import { type Account, type Service, START, startService } from '../support/service.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** 09:00 of the day at which the test's clock begins, at 09:30. */
const THIS_HOUR = START - HOUR / 2;
const iso = (at: number) => new Date(at).toISOString();

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Point {
  readonly at: string;
  readonly key: string;
  readonly count: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

async function series(account: Account, query = '', of = service): Promise<Point[]> {
  const reply = await of.call('GET', `/api/console/usage/series?${query}`, { as: account.token });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.series;
}
const called = (points: readonly Point[]) => points.filter(({ count }) => count > 0);

type Fields = Partial<Omit<Call, 'principal'>> & { keyId?: string; environment?: 'live' | 'test' };

/** A finished call, as the pipeline reports it. */
const settle = (account: Account, { keyId, environment, ...call }: Fields = {}, of = service) =>
  of.app.deps.meter.settle({
    principal: {
      keyId: keyId ?? account.keyId,
      environment: environment ?? 'live',
      tenant: { id: account.tenantId, plan: 'enterprise' },
    } as Call['principal'],
    method: 'POST',
    endpoint: '/v1/verifications',
    status: 201,
    at: START,
    durationMs: 8,
    address: '192.0.2.7',
    requestId: of.app.deps.ids(),
    error: null,
    ...call,
  });

describe('GET /api/console/usage/series', () => {
  it('counts calls as they happen, by method and route pattern [GET /api/console/usage/series] [console/usage-series]', async () => {
    const account = await service.signUp();
    await service.call('GET', '/v1/auth/zkp/nonce', { as: account.key });
    await service.call('GET', '/v1/auth/zkp/nonce?x=1', { as: account.key });
    await service.call('GET', `/v1/devices/${randomUUID()}`, { as: account.key });
    const points = called(await series(account));
    expect(points.map(({ at, key, count }) => [at, key, count])).toEqual([
      [iso(THIS_HOUR), 'GET /v1/auth/zkp/nonce', 2],
      [iso(THIS_HOUR), 'GET /v1/devices/:deviceId', 1],
    ]);
    for (const { p50, p95 } of points) expect(p95).toBeGreaterThanOrEqual(p50 as number);
  });

  it('groups by status and by key', async () => {
    const account = await service.signUp();
    const other = randomUUID();
    await settle(account);
    await settle(account, { status: 404 });
    await settle(account, { status: 404, keyId: other });
    const counts = async (by: string) =>
      Object.fromEntries(called(await series(account, `by=${by}`)).map(({ key, count }) => [key, count]));
    expect(await counts('status')).toEqual({ 201: 1, 404: 2 });
    expect(await counts('key')).toEqual({ [account.keyId]: 2, [other]: 1 });
    expect(await counts('endpoint')).toEqual({ 'POST /v1/verifications': 3 });
  });

  it('has a point for every hour of the last 48 and every group, zero without calls', async () => {
    const account = await service.signUp();
    expect(await series(account)).toEqual([]);
    await settle(account, { at: START - 5 * HOUR });
    await settle(account, { endpoint: '/v1/devices' });
    const points = await series(account);
    expect(points).toHaveLength(2 * 49);
    expect(points.filter(({ at }) => at === iso(THIS_HOUR))).toEqual([
      { at: iso(THIS_HOUR), key: 'POST /v1/devices', count: 1, p50: 10, p95: 10 },
      { at: iso(THIS_HOUR), key: 'POST /v1/verifications', count: 0, p50: null, p95: null },
    ]);
    expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted());
    expect(points[0]?.at).toBe(iso(THIS_HOUR - 48 * HOUR));
  });

  it('adds hours up to days, with the percentiles of all calls of the day', async () => {
    const account = await service.signUp();
    const today = START - (START % DAY);
    for (const [hour, durationMs, times] of [
      [0, 1, 50],
      [5, 70, 44],
      [9, 400, 6],
    ] as const)
      for (let n = 0; n < times; n += 1) await settle(account, { at: today + hour * HOUR, durationMs });
    await settle(account, { at: today - 1, durationMs: 20_000 });
    const points = await series(account, 'step=day');
    expect(points).toHaveLength(31);
    const [yesterday, day] = points.slice(-2) as [Point, Point];
    expect([yesterday.at, yesterday.count]).toEqual([iso(today - DAY), 1]);
    expect(yesterday.p50).toBeGreaterThan(5_000);
    expect([day.at, day.count, day.p50]).toEqual([iso(today), 100, 1]);
    // The 95th of 100 calls is the first of those in (200, 500].
    expect(day.p95).toBe(250);
    const hours = called(await series(account, `from=${iso(today)}`));
    expect(hours.map(({ count }) => count)).toEqual([50, 44, 6]);
  });

  it('covers whole steps from `from` to before `to`', async () => {
    const account = await service.signUp();
    for (const hours of [0, 1, 2, 3]) await settle(account, { at: THIS_HOUR - hours * HOUR });
    const hoursOf = async (from: number, to: number) =>
      (await series(account, `from=${iso(from)}&to=${iso(to)}`)).map(({ at }) => at);
    expect(await hoursOf(THIS_HOUR - 2 * HOUR + 1, THIS_HOUR)).toEqual(
      [2, 1].map((hours) => iso(THIS_HOUR - hours * HOUR)),
    );
    expect(await hoursOf(THIS_HOUR, START + 3 * DAY)).toEqual([iso(THIS_HOUR)]);
    expect(await hoursOf(THIS_HOUR, THIS_HOUR)).toEqual([]);
  });

  it('rejects ranges that it has no calls for, and anything else that is not in its schema', async () => {
    const account = await service.signUp();
    const oldest = START - (START % DAY) - 90 * DAY;
    expect(await series(account, `step=day&from=${iso(oldest)}`)).toEqual([]);
    const hours = (from: number, to: number) => `from=${iso(from)}&to=${iso(to)}`;
    expect(await series(account, hours(START - 14 * DAY, START))).toEqual([]);
    for (const [query, path] of [
      [hours(START, START - 1), 'query.from'],
      [hours(START + 1, START + 2), 'query.from'],
      [hours(START - 14 * DAY - 1, START), 'query.from'],
      [`step=day&from=${iso(oldest - 1)}`, 'query.from'],
      [`to=${iso(oldest - DAY)}`, 'query.from'],
      ['from=2026-05-12', 'query.from'],
      ['from=0000-00-00T00:00:00Z', 'query.from'],
      ['to=yesterday', 'query.to'],
      ['step=minute', 'query.step'],
      ['by=tenant_id', 'query.by'],
      ['by=endpoint&by=status', 'query.by'],
      ['environment=prod', 'query.environment'],
      ['limit=1', 'query.limit'],
    ]) {
      const reply = await service.call('GET', `/api/console/usage/series?${query}`, { as: account.token });
      expect([query, reply.status, reply.body.details?.[0]?.path]).toEqual([query, 400, path]);
    }
  });

  it('is separate for each account and environment', async () => {
    const [one, two] = [await service.signUp(), await service.signUp()];
    await settle(one);
    await settle(one, { environment: 'test', endpoint: '/v1/users' });
    expect(await series(two)).toEqual([]);
    expect(await series(two, 'environment=test')).toEqual([]);
    const keys = async (query: string) => called(await series(one, query)).map(({ key }) => key);
    expect(await keys('')).toEqual(['POST /v1/verifications']);
    expect(await keys('environment=test')).toEqual(['POST /v1/users']);
  });

  it('lists the 50 groups with the most calls', async () => {
    const account = await service.signUp();
    const keys = Array.from({ length: 60 }, () => randomUUID());
    for (const [at, keyId] of keys.entries())
      for (let n = 0; n <= (at < 10 ? 0 : 1); n += 1) await settle(account, { keyId });
    const points = called(await series(account, `by=key&from=${iso(THIS_HOUR)}`));
    expect(points.map(({ key }) => key).toSorted()).toEqual(keys.slice(10).toSorted());
  });

  it.each([false, true])(
    'adds up over nodes that write at the same time (one machine after the other: %s)',
    async (spread) => {
      const nodes = await Promise.all([startService({ spread }), startService({ spread })]);
      try {
        const account = await service.signUp();
        const statuses = [200, 201, 404, 409];
        await Promise.all(
          nodes.flatMap((node) =>
            Array.from({ length: 40 }, async (_, n) => {
              await settle(account, { status: statuses[n % 4] as number, durationMs: n }, node);
              if (n % 10 === 9) await node.app.deps.meter.flush(account.tenantId);
            }),
          ),
        );
        await Promise.all(nodes.map((node) => node.app.deps.meter.flush(account.tenantId)));
        const points = called(await series(account, 'by=status'));
        expect(points.map(({ key, count }) => [key, count])).toEqual(
          statuses.map((status) => [`${status}`, 20]),
        );
      } finally {
        for (const node of nodes) await node.close();
      }
    },
  );

  it('keeps counts that could not be written, and does not delay or change the billed ones', async () => {
    const { db } = await sharedDatabase();
    let down = true;
    const flaky: RawDatabase = {
      ...db,
      query: (statement) =>
        down && /insert into usage_hours/.test(statement.text)
          ? Promise.reject(new DatabaseUnavailableError('down'))
          : db.query(statement),
    };
    const own = await startService({ db: flaky });
    try {
      const account = await own.signUp({ plan: 'enterprise' });
      for (let n = 0; n < 3; n += 1) {
        expect((await own.call('GET', '/v1/devices', { as: account.key })).status).toBe(200);
        await own.app.deps.meter.flush(account.tenantId);
      }
      const usage = await own.call('GET', '/api/console/usage', { as: account.token });
      expect([usage.body.currentMonth.used, usage.body.recentCalls.length]).toEqual([3, 3]);
      expect(await series(account, '', own)).toEqual([]);
      down = false;
      expect(called(await series(account, '', own)).map(({ count }) => count)).toEqual([3]);
      expect(called(await series(account, '', own)).map(({ count }) => count)).toEqual([3]);
    } finally {
      await own.close();
    }
  });

  it('stores one row for the calls of an hour that differ in their duration alone', async () => {
    const account = await service.signUp();
    for (let n = 0; n < 30; n += 1) {
      await settle(account, { at: START + n * 1_000, durationMs: n * 50 });
      if (n % 7 === 0) await service.app.deps.meter.flush(account.tenantId);
    }
    expect(called(await series(account)).map(({ count }) => count)).toEqual([30]);
    const rows = await service.db.query(
      sql`select endpoint, status, key_id, hour from usage_hours where tenant_id = ${account.tenantId}`,
    );
    expect(rows).toHaveLength(1);
  });
});
