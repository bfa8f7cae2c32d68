import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailableError, type RawDatabase } from '../../src/db/db.js';
import type { Sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { type Account, type Service, startService } from '../support/service.js';

/** The same database, which is gone for the statements that match. */
function losing(db: RawDatabase): RawDatabase & { lost: Pick<RegExp, 'test'> } {
  const check = (statements: readonly Sql[]) => {
    if (statements.some(({ text }) => state.lost.test(text))) throw new DatabaseUnavailableError('gone');
  };
  const state = {
    ...db,
    lost: /$^/ as Pick<RegExp, 'test'>,
    async query<R extends object>(statement: Sql) {
      check([statement]);
      return db.query<R>(statement);
    },
    async begin() {
      const tx = await db.begin();
      return {
        ...tx,
        async send(statements: readonly Sql[]) {
          check(statements);
          return tx.send(statements);
        },
        async commit(statements: readonly Sql[]) {
          check(statements);
          return tx.commit(statements);
        },
      };
    },
  };
  return state;
}

describe('a call that meets a lost database', () => {
  let db: ReturnType<typeof losing>;
  let service: Service;
  let account: Account;
  beforeAll(async () => {
    db = losing((await sharedDatabase()).db);
    service = await startService({ db });
  });
  afterAll(() => service.close());

  const create = () => service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
  const remaining = async () =>
    Number((await service.call('GET', '/v1/devices', { as: account.key })).headers['x-ratelimit-remaining']);
  const used = async () =>
    (await service.call('GET', '/api/console/usage', { as: account.token })).body.currentMonth.used;

  it.each([
    ['when its key is looked up', /from api_keys/],
    ['when it is counted', /usage_months/],
    ['when it writes', /insert into devices/],
    ['when its audit event is written', /insert into audit_events/],
  ])('%s answers 503 with Retry-After and counts in neither window nor quota', async (_when, lost) => {
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
  });

  it('is released when the database is back, if that fails as well', async () => {
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
