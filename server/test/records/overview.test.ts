// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { sumCounts } from '../../src/records/counts.js';
import { completeCeremony } from '../support/ceremony.js';
import { openPairing, proveForPairing, submit } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Service, START, startService } from '../support/service.js';

const DAY_MS = 86_400_000;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Day {
  readonly day: string;
  readonly pass: number;
  readonly fail: number;
  readonly challenge: number;
}

const overview = async ({ token }: Account, environment = 'live') =>
  (await service.call('GET', `/api/console/overview?environment=${environment}`, { as: token })).body;
const daysOf = async (account: Account, environment?: string): Promise<Day[]> =>
  (await overview(account, environment)).verificationDays;

/** What the database itself counts, by the days of the reply. */
async function countedDays({ tenantId }: Account, days: readonly Day[], environment = 'live') {
  const rows = await service.db.query<{
    day: string;
    result: 'pass' | 'fail' | 'challenge';
    records: number;
  }>(
    sql`select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day, result, count(*) as records
      from verifications where tenant_id = ${tenantId} and environment = ${environment} group by 1, 2`,
  );
  const of = (day: string, result: string) =>
    rows.find((row) => row.day === day && row.result === result)?.records ?? 0;
  return days.map(({ day }) => ({
    day,
    pass: of(day, 'pass'),
    fail: of(day, 'fail'),
    challenge: of(day, 'challenge'),
  }));
}

describe('the verifications of the overview', () => {
  it('are those of the database, by day and result, also of phones that have no key [GET /api/console/overview] [console/numbers-of-the-overview]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const verify = (result: string, occurredAt?: number, as = account.key) =>
      service.call('POST', '/v1/verifications', {
        as,
        body: {
          method: 'manual',
          result,
          ...(occurredAt && { occurredAt: new Date(occurredAt).toISOString() }),
        },
      });
    const { c } = await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
    const { id, nonce } = await openPairing(service, account.key);
    const use = { tenantId: account.tenantId, sessionId: id, nonce };
    expect((await submit(service, account.key, id, await proveForPairing(c.identity, use))).status).toBe(200);
    await verify('fail');
    await verify('challenge');
    const midnight = START - (START % DAY_MS);
    await verify('pass', midnight - 1);
    await verify('fail', midnight);
    await verify('pass', START - 13 * DAY_MS);
    await verify('pass', START - 14 * DAY_MS);
    await verify('pass', undefined, await service.createKey(account, 'test'));

    const days = await daysOf(account);
    expect(days.map(({ day }) => day)).toEqual(
      Array.from({ length: 14 }, (_, at) => new Date(START - (13 - at) * DAY_MS).toISOString().slice(0, 10)),
    );
    expect(days).toEqual(await countedDays(account, days));
    const { pass, ...today } = days.at(-1) as Day;
    expect(today).toEqual({ day: '2026-05-12', fail: 2, challenge: 1 });
    expect(pass).toBeGreaterThan(0);
    expect(days.at(-2)).toEqual({ day: '2026-05-11', pass: 1, fail: 0, challenge: 0 });
    const testDays = await daysOf(account, 'test');
    expect(testDays.at(-1)).toEqual({ day: '2026-05-12', pass: 1, fail: 0, challenge: 0 });

    await sumCounts(service.app.deps);
    expect(await daysOf(account)).toEqual(days);
    await service.db.query(
      sql`delete from verifications where tenant_id = ${account.tenantId} and result = 'fail'`,
    );
    const rest = await daysOf(account);
    expect(rest.every(({ fail }) => fail === 0)).toBe(true);
    expect(rest).toEqual(await countedDays(account, rest));
    await sumCounts(service.app.deps);
    expect(await daysOf(account)).toEqual(rest);
  });

  it('are all zero for a new account, and of no other account', async () => {
    const days = await daysOf(await service.signUp());
    expect(days).toHaveLength(14);
    for (const { pass, fail, challenge } of days) expect([pass, fail, challenge]).toEqual([0, 0, 0]);
  });

  it('are not counted among the other records', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (const result of ['pass', 'fail'])
      await service.call('POST', '/v1/verifications', {
        as: account.key,
        body: { method: 'manual', result },
      });
    const { counts } = await overview(account);
    expect(counts).toEqual({ devices: 0, users: 0, verifications: 2, attendance: 0, audit: 4 });
  });
});

describe('the people without a phone', () => {
  const revoke = (as: string, did: string, query = '') =>
    service.call('POST', `/v1/identity/revoke${query}`, { as, body: { did } });

  it('are those whose last identity an API key has revoked in the last week [GET /api/console/overview] [users/people-without-a-phone]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const [lost, byHand] = [
      await registerPerson(service, account.key, { externalId: 'lost' }),
      await registerPerson(service, account.key, { externalId: 'by-hand' }),
    ];
    expect((await overview(account)).lockedOut).toEqual([]);
    await revoke(account.token, byHand.did, '?environment=live');
    await revoke(account.key, lost.did);
    const revokedAt = new Date(service.clock.now()).toISOString();
    const person = { userId: lost.userId, userName: 'lost', revokedAt, keyName: 'First live key' };
    expect((await overview(account)).lockedOut).toEqual([person]);
    expect((await overview(account, 'test')).lockedOut).toEqual([]);
    const stranger = await service.signUp();
    expect((await overview(stranger)).lockedOut).toEqual([]);
    service.clock.advance(7 * DAY_MS);
    const { email, password } = account;
    const { token } = (await service.call('POST', '/api/console/login', { body: { email, password } })).body;
    expect((await overview({ ...account, token })).lockedOut).toEqual([]);
  });
});
