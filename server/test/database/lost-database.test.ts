// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedDatabase } from '../support/database.js';
import { failingFor } from '../support/faults/failing-database.js';
import { type Account, type Service, startService } from '../support/service.js';

describe('a request during a database outage', () => {
  let db: ReturnType<typeof failingFor>;
  let service: Service;
  let account: Account;
  beforeAll(async () => {
    db = failingFor((await sharedDatabase()).db);
    service = await startService({ db });
  });
  afterAll(() => service.close());

  const create = () => service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
  const remaining = async () =>
    Number((await service.call('GET', '/v1/devices', { as: account.key })).headers['x-ratelimit-remaining']);
  const used = async () =>
    (await service.call('GET', '/api/console/usage', { as: account.token })).body.currentMonth.used;

  it.each([
    ['of the key look-up', /from api_keys/],
    ['of the usage count', /usage_months/],
    ['of the write', /insert into devices/],
    ['of the audit event', /insert into audit_events/],
  ])(
    '%s returns 503 with Retry-After and does not count in the rate limit or the quota',
    async (_when, lost) => {
      account = await service.signUp();
      db.lost = lost;
      const reply = await create();
      db.lost = /$^/;
      expect([reply.status, reply.body.error]).toEqual([503, 'service_unavailable']);
      expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
      expect(await remaining()).toBe(99);
      expect(await used()).toBe(1);
      expect((await create()).status).toBe(201);
      expect((await service.call('GET', '/v1/devices', { as: account.key })).body.devices).toHaveLength(1);
    },
  );

  it('does not count in the quota even if correcting the count fails at first', async () => {
    account = await service.signUp();
    let isCounted = false;
    const test = (text: string) => {
      const isLost = isCounted && /usage_months|insert into devices/.test(text);
      isCounted ||= text.includes('usage_months');
      return isLost;
    };
    db.lost = { test };
    expect((await create()).status).toBe(503);
    db.lost = /$^/;
    expect(await used()).toBe(0);
    expect((await create()).status).toBe(201);
    expect(await used()).toBe(1);
  });
});
