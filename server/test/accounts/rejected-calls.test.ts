// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { deleteExpired } from '../../src/jobs.js';
import { sharedDatabase } from '../support/database.js';
import { type Account, type Service, startService } from '../support/service.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Rejected {
  readonly minute: string;
  readonly error: string;
  readonly calls: number;
}

const listed = async (account: Account, query = '', of = service) => {
  const reply = await of.call('GET', `/api/console/requests/rejected?${query}`, { as: account.token });
  expect(reply.status, reply.text).toBe(200);
  return reply.body as { rejected: Rejected[]; environment: string; nextCursor: string | null };
};
const callTimes = async (times: number, key: string, of = service) => {
  const replies = await Promise.all(
    Array.from({ length: times }, () => of.call('GET', '/v1/users', { as: key })),
  );
  return replies.map(({ body }) => body.error);
};
const minuteOf = (time: number) => new Date(time - (time % MINUTE)).toISOString();
const useUp = ({ tenantId }: Account) =>
  service.db.query(sql`insert into usage_months (tenant_id, month, used) values (${tenantId}, '2026-05', 1000)
    on conflict (tenant_id, month) do update set used = 1000`);

describe('calls that are rejected [GET /api/console/requests/rejected] [limits/rejected-calls]', () => {
  it('are counted by minute and error code, and are not in the request log', async () => {
    const account = await service.signUp();
    await useUp(account);
    const first = service.clock.now();
    expect(await callTimes(5, account.key)).toEqual(Array(5).fill('monthly_quota_exceeded'));
    service.clock.advance(MINUTE);
    await callTimes(2, account.key);
    await service.setStatus(account, 'suspended');
    expect(await callTimes(3, account.key)).toEqual(Array(3).fill('tenant_inactive'));
    await service.setStatus(account, 'active');
    const { rejected, environment, nextCursor } = await listed(account);
    expect(rejected).toEqual([
      { minute: minuteOf(first + MINUTE), error: 'tenant_inactive', calls: 3 },
      { minute: minuteOf(first + MINUTE), error: 'monthly_quota_exceeded', calls: 2 },
      { minute: minuteOf(first), error: 'monthly_quota_exceeded', calls: 5 },
    ]);
    expect([environment, nextCursor]).toEqual(['live', null]);
    const log = await service.call('GET', '/api/console/requests', { as: account.token });
    expect(log.body.requests).toEqual([]);
    expect((await listed(account, 'environment=test')).rejected).toEqual([]);
    expect((await listed(await service.signUp())).rejected).toEqual([]);
  });

  it('include those beyond the window of the plan, in the environment of their key', async () => {
    const account = await service.signUp();
    const key = await service.createKey(account, 'test');
    const errors = await callTimes(104, key);
    expect(errors.filter((error) => error === 'rate_limit_exceeded')).toHaveLength(4);
    expect((await listed(account, 'environment=test')).rejected).toEqual([
      { minute: minuteOf(service.clock.now()), error: 'rate_limit_exceeded', calls: 4 },
    ]);
  });

  it('of all nodes add up, and every node lists them', async () => {
    const node = await startService({ clock: service.clock });
    try {
      const account = await service.signUp();
      await useUp(account);
      await callTimes(3, account.key);
      await callTimes(4, account.key, node);
      await service.app.deps.meter.flush();
      const seen = (await listed(account, '', node)).rejected;
      expect(seen).toEqual([
        { minute: minuteOf(service.clock.now()), error: 'monthly_quota_exceeded', calls: 7 },
      ]);
      expect((await listed(account)).rejected).toEqual(seen);
    } finally {
      await node.close();
    }
  });

  it('cost one statement for all of them', async () => {
    const { db } = await sharedDatabase();
    let written = 0;
    const counting: RawDatabase = {
      ...db,
      query: (statement) => {
        if (statement.text.includes('insert into rejected_calls')) written += 1;
        return db.query(statement);
      },
    };
    const node = await startService({ clock: service.clock, db: counting });
    try {
      const accounts = [await service.signUp(), await service.signUp()];
      for (const { tenantId } of accounts)
        await service.db.query(sql`update tenants set status = 'suspended' where id = ${tenantId}`);
      await Promise.all(accounts.map(({ key }) => callTimes(200, key, node)));
      const before = written;
      await node.app.deps.meter.flush();
      expect(written).toBeGreaterThan(0);
      expect(written - before).toBeLessThanOrEqual(1);
      const [row] = await service.db.query<{ rows: number; calls: number }>(
        sql`select count(*) as rows, sum(calls)::bigint as calls from rejected_calls
          where tenant_id = any(${accounts.map(({ tenantId }) => tenantId)}::uuid[])`,
      );
      expect(row).toEqual({ rows: 2, calls: 400 });
    } finally {
      await node.close();
    }
  });

  it('are listed in pages, and deleted after 7 days', async () => {
    const account = await service.signUp();
    await useUp(account);
    const start = service.clock.now();
    for (let minute = 0; minute < 3; minute += 1) {
      await callTimes(1, account.key);
      service.clock.advance(MINUTE);
    }
    await service.setStatus(account, 'suspended');
    await callTimes(1, account.key);
    await service.setStatus(account, 'active');
    const pages: Rejected[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await listed(account, `limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(page.rejected);
      cursor = page.nextCursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2]);
    expect(pages.flat().map(({ minute }) => minute)).toEqual(
      [3, 2, 1, 0].map((minute) => minuteOf(start + minute * MINUTE)),
    );
    const count = async () =>
      (await service.db.query(sql`select 1 from rejected_calls where tenant_id = ${account.tenantId}`))
        .length;
    expect(await count()).toBe(4);
    service.clock.advance(7 * DAY + MINUTE);
    await deleteExpired(service.app.deps);
    expect(await count()).toBe(0);
  });
});
