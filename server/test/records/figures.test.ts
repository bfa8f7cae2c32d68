import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { staysOf } from '../../src/features/attendance/presence.js';
import { commit, completeCeremony, openCeremony, pair } from '../support/ceremony.js';
import { type Account, type Service, START, startService } from '../support/service.js';
import { createDevice, createHook, deliver, eventKey, LOOPBACK, startHook } from '../support/webhooks.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let service: Service;
beforeAll(async () => {
  service = await startService({ env: LOOPBACK });
});
afterAll(() => service.close());

const at = (time: number) => new Date(time).toISOString();
const get = async (account: Account, path: string, status = 200) => {
  const reply = await service.call('GET', path, { as: account.key });
  expect(reply.status, reply.text).toBe(status);
  return reply.body;
};
const verify = (account: Account, body: object) =>
  service.call('POST', '/v1/verifications', { as: account.key, body: { method: 'manual', ...body } });
const addPerson = async (account: Account, fullName: string): Promise<string> =>
  (await service.call('POST', '/v1/users', { as: account.key, body: { fullName } })).body.user.id;

interface Hour {
  readonly at: string;
  readonly pass: number;
  readonly fail: number;
  readonly challenge: number;
}

describe('the outcomes of verifications', () => {
  it('are counted by hour and result, with every hour of the range [GET /v1/verifications/outcomes] [records/outcomes-of-verifications]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const hour = START - (START % HOUR_MS);
    await verify(account, { result: 'pass', occurredAt: at(hour) });
    await verify(account, { result: 'pass', occurredAt: at(hour - 1) });
    await verify(account, { result: 'fail', reason: 'no badge', occurredAt: at(hour + 1) });
    await verify(account, { result: 'fail', method: 'face', reason: 'no badge', occurredAt: at(hour + 2) });
    await verify(account, { result: 'challenge', occurredAt: at(hour - 23 * HOUR_MS) });
    await verify(account, { result: 'pass', occurredAt: at(hour - 23 * HOUR_MS - 1) });
    const { hours, reasons } = await get(account, '/v1/verifications/outcomes');
    expect(hours.map((found: Hour) => found.at)).toEqual(
      Array.from({ length: 24 }, (_, step) => at(hour - (23 - step) * HOUR_MS)),
    );
    expect(hours[0]).toMatchObject({ pass: 0, fail: 0, challenge: 1 });
    expect(hours.at(-2)).toMatchObject({ pass: 1, fail: 0, challenge: 0 });
    expect(hours.at(-1)).toMatchObject({ pass: 1, fail: 2, challenge: 0 });
    expect(reasons).toEqual([
      { method: 'face', reason: 'no badge', count: 1 },
      { method: 'manual', reason: 'no badge', count: 1 },
    ]);
    const stranger = await service.signUp();
    const nothing = await get(stranger, '/v1/verifications/outcomes');
    expect(nothing.reasons).toEqual([]);
    expect(nothing.hours.every(({ pass, fail, challenge }: Hour) => pass + fail + challenge === 0)).toBe(
      true,
    );
  });

  it('have a range of at most 14 days, in whole hours', async () => {
    const account = await service.signUp();
    const of = (from: number, to: number, status?: number) =>
      get(account, `/v1/verifications/outcomes?from=${at(from)}&to=${at(to)}`, status);
    const midnight = START - (START % DAY_MS);
    expect((await of(midnight, midnight + DAY_MS)).hours).toHaveLength(24);
    expect((await of(midnight + 1, midnight + DAY_MS + 1)).hours).toHaveLength(25);
    expect((await of(midnight - 13 * DAY_MS, midnight + DAY_MS)).hours).toHaveLength(14 * 24);
    await of(midnight - 13 * DAY_MS - 1, midnight + DAY_MS, 400);
    await of(midnight + DAY_MS, midnight, 400);
  });

  it('lead to the failures of a reason, page by page, also with other filters [GET /v1/verifications] [records/failures-of-a-reason]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const userId = await addPerson(account, 'Ada');
    for (let n = 0; n < 5; n++)
      await verify(account, { result: 'fail', reason: 'no badge', occurredAt: at(START - n * 1_000) });
    await verify(account, { result: 'fail', reason: 'no badge', userId, occurredAt: at(START - DAY_MS) });
    await verify(account, { result: 'fail', reason: 'no', occurredAt: at(START) });
    await verify(account, { result: 'pass', reason: 'no badge', occurredAt: at(START) });
    const list = (query: string) =>
      get(account, `/v1/verifications?reason=no%20badge&include=total&${query}`);
    const times: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.total).toBe(6);
      for (const { occurredAt, result, reason } of page.verifications) {
        expect([result, reason]).toEqual(['fail', 'no badge']);
        times.push(occurredAt);
      }
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(times).toHaveLength(6);
    expect(times).toEqual(times.toSorted().toReversed());
    const count = async (query: string) => (await list(query)).verifications.length;
    expect(await count('result=pass')).toBe(0);
    expect(await count('method=manual')).toBe(6);
    expect(await count('method=face')).toBe(0);
    expect(await count(`userId=${userId}`)).toBe(1);
    expect(await count(`from=${at(START - 2_000)}&sort=oldest`)).toBe(3);
  });
});

describe('the overview', () => {
  it('counts the people of today from the reader’s midnight [GET /api/console/overview] [console/people-today]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const today = async (since?: number, status = 200) => {
      const path = `/api/console/overview?environment=live${since === undefined ? '' : `&since=${at(since)}`}`;
      const reply = await service.call('GET', path, { as: account.token });
      expect(reply.status).toBe(status);
      return reply.body.today;
    };
    expect(await today()).toEqual({ signedIn: 0, registered: 0, added: 0 });
    const userId = await addPerson(account, 'Grace');
    await verify(account, { result: 'pass', userId });
    await verify(account, { result: 'pass', userId });
    await verify(account, { result: 'fail', userId: await addPerson(account, 'Alan') });
    await verify(account, { result: 'pass' });
    const other = await addPerson(account, 'Hedy');
    await verify(account, { result: 'pass', userId: other, occurredAt: at(START - 20 * HOUR_MS) });
    await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
    expect(await today()).toEqual({ signedIn: 1, registered: 1, added: 4 });
    expect(await today(START - DAY_MS)).toEqual({ signedIn: 2, registered: 1, added: 4 });
    expect(await today(service.clock.now() + HOUR_MS)).toEqual({ signedIn: 0, registered: 0, added: 0 });
    await today(START - 2 * DAY_MS - HOUR_MS, 400);
  });
});

describe('who is present', () => {
  it('is everybody whose last accepted event is a check-in [GET /v1/attendance/presence] [records/presence-and-funnels]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const pass = async (userId: string, type: string, hoursAgo: number, result = 'accepted') => {
      const body = { userId, type, result, occurredAt: at(START - hoursAgo * HOUR_MS) };
      expect((await service.call('POST', '/v1/attendance', { as: account.key, body })).status).toBe(201);
    };
    const [ada, grace, alan, hedy] = (await Promise.all(
      ['Ada', 'Grace', 'Alan', 'Hedy'].map((name) => addPerson(account, name)),
    )) as [string, string, string, string];
    await pass(ada, 'check_in', 8);
    await pass(ada, 'check_out', 5);
    await pass(ada, 'check_in', 4);
    await pass(grace, 'check_in', 3);
    await pass(grace, 'check_out', 1, 'rejected');
    await pass(alan, 'check_out', 2);
    await pass(hedy, 'check_in', 25);
    const presence = await get(account, '/v1/attendance/presence');
    expect(presence).toEqual({
      since: at(service.clock.now() - DAY_MS),
      present: 2,
      gone: 1,
      people: [
        { userId: grace, userName: 'Grace', stays: [{ from: at(START - 3 * HOUR_MS), to: null }] },
        {
          userId: ada,
          userName: 'Ada',
          stays: [
            { from: at(START - 8 * HOUR_MS), to: at(START - 5 * HOUR_MS) },
            { from: at(START - 4 * HOUR_MS), to: null },
          ],
        },
        { userId: alan, userName: 'Alan', stays: [{ from: null, to: at(START - 2 * HOUR_MS) }] },
      ],
    });
    const stranger = await service.signUp();
    expect(await get(stranger, '/v1/attendance/presence')).toMatchObject({ present: 0, gone: 0, people: [] });
  });

  it('begins a new stay with a check-in 16 hours after another, and nobody is gone without a check-out [records/forgotten-check-out]', () => {
    const event = (type: 'check_in' | 'check_out', hours: number) => ({
      type,
      at: new Date(hours * HOUR_MS),
    });
    const stay = (from: number, to: number | null) => ({
      from: new Date(from * HOUR_MS),
      to: to === null ? null : new Date(to * HOUR_MS),
    });
    expect(staysOf([event('check_in', 0), event('check_in', 15.99)])).toEqual([stay(0, null)]);
    expect(staysOf([event('check_in', 0), event('check_in', 16)])).toEqual([stay(16, null)]);
    expect(staysOf([event('check_in', 0), event('check_in', 23), event('check_out', 23.5)])).toEqual([
      stay(23, 23.5),
    ]);
    expect(staysOf([event('check_in', 0)])).toEqual([stay(0, null)]);
  });

  it('has stays that follow each other, and is open only after a check-in', () => {
    const events = fc.array(fc.constantFrom('check_in' as const, 'check_out' as const), { minLength: 1 });
    fc.assert(
      fc.property(events, (types) => {
        const stays = staysOf(types.map((type, n) => ({ type, at: new Date(n * 1_000) })));
        const times = stays.flatMap(({ from, to }) => [from, to]).map((time) => time?.getTime());
        const known = times.filter((time) => time !== undefined);
        expect(known).toEqual(known.toSorted((left, right) => left - right));
        expect(stays.slice(0, -1).every(({ to }) => to !== null)).toBe(true);
        expect(stays.slice(1).every(({ from }) => from !== null)).toBe(true);
        expect(stays.at(-1)?.to === null).toBe(types.at(-1) === 'check_in');
      }),
    );
  });
});

it('counts how far registrations came, also those that were abandoned [GET /v1/registrations/funnel]', async () => {
  const account = await service.signUp({ plan: 'enterprise' });
  await openCeremony(service, account);
  const scanned = await openCeremony(service, account);
  await pair(service, scanned);
  const committed = await openCeremony(service, account);
  await pair(service, committed);
  await commit(service, committed);
  const { status } = await service.call('DELETE', `/v1/registrations/${committed.id}`, { as: account.key });
  expect(status).toBe(200);
  await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
  const funnel = () => get(account, '/v1/registrations/funnel');
  expect(await funnel()).toEqual({ opened: 4, scanned: 3, committed: 2, completed: 1 });
  expect(await get(await service.signUp(), '/v1/registrations/funnel')).toMatchObject({ opened: 0 });
});

it('counts the attempts of a webhook by day [GET /v1/webhooks/:id/deliveries/days]', async () => {
  const account = await service.signUp({ plan: 'enterprise' });
  const key = await eventKey(service, account);
  let status = 204;
  const hook = await startHook(() => status);
  const { id } = await createHook(service, key, { url: hook.url });
  const days = async () =>
    (await service.call('GET', `/v1/webhooks/${id}/deliveries/days`, { as: key })).body.days;
  expect(await days()).toHaveLength(30);
  await createDevice(service, key);
  await deliver(service);
  status = 500;
  await createDevice(service, key);
  await deliver(service);
  const [row] = await service.db.query<{ good: number; all: number }>(
    sql`select count(*) filter (where status = 'succeeded') as good, count(*) as all from webhook_attempts where webhook_id = ${id}`,
  );
  const { good = 0, all = 0 } = row ?? {};
  expect(good).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(good);
  expect((await days()).at(-1)).toEqual({ day: '2026-05-12', succeeded: good, failed: all - good });
  await hook.stop();
});
