import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumCounts } from '../../src/records/counts.js';
import { openCeremony } from '../support/ceremony.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let testKey: string;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  testKey = await service.createKey(account, 'test');
  for (const [key, count] of [
    [account.key, 12],
    [testKey, 2],
  ] as const) {
    for (let n = 0; n < count; n += 1) {
      const post = (path: string, body: object) => service.call('POST', `/v1/${path}`, { as: key, body });
      await post('devices', { name: `Gate ${n}` });
      const user = await post('users', { fullName: `User ${n}` });
      await post('verifications', { method: n % 2 ? 'face' : 'manual', result: n % 3 ? 'pass' : 'fail' });
      await post('attendance', { userId: user.body.user.id, type: n % 2 ? 'check_in' : 'check_out' });
    }
  }
  await openCeremony(service, account);
});
afterAll(() => service.close());

const ONE_SURFACE = /^(users|verifications|attendance|registrations)\b/;
/** Reads as the dashboard does: what `/v1` has for a session from there. */
const console = (path: string, token = account.token) =>
  ONE_SURFACE.test(path)
    ? service.call('GET', `/v1/${path}`, { session: token })
    : service.call('GET', `/api/console/${path}`, { as: token });

describe('the console', () => {
  it.each([
    ['users', '?status=active&limit=5'],
    ['verifications', '?method=face&result=pass'],
    ['attendance', '?type=check_in&result=accepted'],
    ['audit', '?action=user.created&status=success&limit=3'],
    ['devices', '?status=active&limit=7'],
  ])('%s%s has the same pages for the dashboard as for a key [http/envelopes]', async (path, query) => {
    for (const [environment, key] of [
      ['live', account.key],
      ['test', testKey],
    ] as const) {
      const v1 = await service.call('GET', `/v1/${path}${query}`, { as: key });
      const twin = await console(`${path}${query}&environment=${environment}`);
      expect(twin.status, twin.text).toBe(200);
      // A cursor is encrypted again for each response.
      const { nextCursor, ...page } = twin.body;
      const { nextCursor: theirs, ...expected } = v1.body;
      // The console adds the total and names [records/searching].
      expect(page).toMatchObject(expected);
      expect(page[path].length).toBeGreaterThan(0);
      expect(page.environment).toBe(environment);
      expect(nextCursor === null).toBe(theirs === null);
      if (nextCursor !== null) {
        const next = await console(`${path}${query}&environment=${environment}&cursor=${nextCursor}`);
        const shown = new Set(page[path].map(({ id }: { id: string }) => id));
        expect(next.body[path].some(({ id }: { id: string }) => shown.has(id))).toBe(false);
        const elsewhere = environment === 'live' ? 'test' : 'live';
        expect((await console(`${path}${query}&environment=${elsewhere}&cursor=${nextCursor}`)).status).toBe(
          400,
        );
      }
    }
    expect((await console(`${path}${query}`)).body.environment).toBe('live');
  });

  it.each(['users', 'verifications', 'attendance', 'audit', 'devices', 'registrations', 'overview'])(
    '%s rejects other environments and unknown fields, and never returns another account’s data',
    async (path) => {
      for (const bad of [
        'environment=prod',
        'environment=',
        'environment=live&environment=test',
        'tenantId=x',
      ])
        expect((await console(`${path}?${bad}`)).status, bad).toBe(400);
      const other = await service.signUp();
      const { body, text } = await console(path, other.token);
      expect(text).not.toContain(account.tenantId);
      if (path !== 'overview' && path !== 'audit') expect(body[path]).toEqual([]);
    },
  );

  it('overview counts the records of one environment and lists the ten newest of each kind [limit: Overview rows per stream] [console/usage-and-overview] [GET /api/console/overview]', async () => {
    for (const [environment, count] of [
      ['live', 12],
      ['test', 2],
    ] as const) {
      const { body } = await console(`overview?environment=${environment}`);
      expect(body.environment).toBe(environment);
      const key = environment === 'live' ? account.key : testKey;
      const { head } = (await service.call('GET', '/v1/audit?limit=1', { as: key })).body;
      expect(body.counts).toEqual({
        devices: count,
        users: count,
        verifications: count,
        attendance: count,
        audit: head.seq,
      });
      expect(head.seq).toBeGreaterThan(count * 4);
      for (const path of ['devices', 'users', 'verifications', 'attendance', 'audit']) {
        const newest = await service.call('GET', `/v1/${path}?limit=10`, { as: key });
        expect(body.recent[path], path).toEqual(newest.body[path]);
        expect(body.recent[path].length).toBeLessThanOrEqual(10);
      }
    }
    expect((await console('overview')).body.environment).toBe('live');
  });

  it('overview counts reflect rows deleted by SQL and ignore failed writes', async () => {
    const own = await service.signUp();
    const counts = async () => (await console('overview', own.token)).body.counts;
    const empty = { devices: 0, users: 0, verifications: 0, attendance: 0, audit: 2 };
    expect(await counts()).toEqual(empty);
    const post = (path: string, body: object) => service.call('POST', `/v1/${path}`, { as: own.key, body });
    for (const externalId of ['a', 'a', 'b']) await post('users', { fullName: 'Zoë', externalId });
    const userId = (await post('users', { fullName: 'Zoë' })).body.user.id;
    await post('devices', { name: 'Door' });
    for (let n = 0; n < 3; n += 1) {
      await post('verifications', { method: 'manual', result: 'pass', userId });
      await post('attendance', { type: 'check_in', userId });
    }
    const full = { devices: 1, users: 3, verifications: 3, attendance: 3, audit: 12 };
    expect(await counts()).toEqual(full);
    await sumCounts(service.app.deps);
    expect(await counts()).toEqual(full);
    for (const table of ['attendance', 'verifications', 'tenant_users'])
      await service.db.query({
        text: `delete from ${table} where tenant_id = $1 and ${table === 'tenant_users' ? 'id' : 'user_id'} = $2`,
        values: [own.tenantId, userId],
      });
    const rest = { ...full, users: 2, verifications: 0, attendance: 0 };
    expect(await counts()).toEqual(rest);
    await sumCounts(service.app.deps);
    expect(await counts()).toEqual(rest);
  });

  it('registrations are filtered by state, newest first [GET /v1/registrations] [DELETE /v1/registrations/:id]', async () => {
    const own = await service.signUp();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await openCeremony(service, own)).id);
    await service.call('DELETE', `/v1/registrations/${ids[1]}`, { session: own.token });
    const idsOf = async (query: string) =>
      (await service.call('GET', `/v1/registrations${query}`, { session: own.token })).body.registrations.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf('?state=abandoned')).toEqual([ids[1]]);
    expect(await idsOf('?state=awaiting_device')).toEqual([ids[0], ids[2]]);
    expect(await idsOf('?state=expired')).toEqual([]);
    service.clock.advance(30 * 60_000);
    expect(await idsOf('?state=expired')).toEqual([ids[0], ids[2]]);
    expect((await service.call('GET', '/v1/registrations?state=gone', { session: own.token })).status).toBe(
      400,
    );
  });
});
