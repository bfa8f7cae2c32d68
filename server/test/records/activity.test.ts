import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApproval } from '../support/approvals.js';
import { bindPairing, openPairing } from '../support/pairing.js';
import { type Person, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let key: string;
let ada: Person;

const list = (query = '', as = key) => service.call('GET', `/v1/activity${query}`, { as });
interface Item {
  readonly kind: string;
  readonly at: string;
  readonly record: { readonly id: string };
}
/** All items of a query, page by page. */
async function all(query = '', limit = 100): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = '';
  do {
    const { body } = await list(`?limit=${limit}${query}${cursor}`);
    items.push(...body.activity);
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
  } while (cursor !== '');
  return items;
}
const kindsIn = (items: readonly Item[]) => items.map(({ kind }) => kind);
const verify = (minutesAgo: number, body: object = {}) =>
  service.call('POST', '/v1/verifications', {
    as: key,
    body: {
      method: 'face',
      result: 'pass',
      userId: ada.userId,
      occurredAt: new Date(service.clock.now() - minutesAgo * 60_000).toISOString(),
      ...body,
    },
  });
const checkIn = (minutesAgo: number, body: object = {}) =>
  service.call('POST', '/v1/attendance', {
    as: key,
    body: {
      userId: ada.userId,
      type: 'check_in',
      occurredAt: new Date(service.clock.now() - minutesAgo * 60_000).toISOString(),
      ...body,
    },
  });

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  key = await service.createKey(account, 'live', [
    'verifications:read',
    'verifications:write',
    'attendance:read',
    'attendance:write',
    'approvals:read',
    'approvals:write',
    'audit:read',
    'users:read',
    'users:write',
    'zkp:register',
    'proof_pairing:create',
    'proof_pairing:claim',
  ]);
  ada = await registerPerson(service, account.key);
  await verify(40);
  await checkIn(30);
  await verify(20, { result: 'fail' });
  await checkIn(10, { result: 'rejected' });
  service.clock.advance(60_000);
  await openPairing(service, account.key);
  service.clock.advance(60_000);
  await openApproval(service, key, [ada.userId]);
  service.clock.advance(60_000);
  await bindPairing(service, account);
});
afterAll(() => service.close());

describe('the activity', () => {
  it('has verifications, pairings, attendance and approvals together, newest first [GET /v1/activity] [records/activity]', async () => {
    const items = await all();
    expect(kindsIn(items)).toEqual([
      'verification',
      'approval',
      'pairing',
      'attendance',
      'verification',
      'attendance',
      'verification',
    ]);
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
  });

  it('has each record as its own list returns it, with names', async () => {
    const items = await all();
    for (const [kind, path, name] of [
      ['verification', '/v1/verifications', 'verifications'],
      ['attendance', '/v1/attendance', 'attendance'],
      ['approval', '/v1/approvals', 'approvals'],
    ] as const) {
      const { body } = await service.call('GET', `${path}?include=names`, { as: key });
      const records = items.filter((item) => item.kind === kind).map(({ record }) => record);
      expect(new Set(records.map((record) => JSON.stringify(record)))).toEqual(
        new Set(body[name].map((record: object) => JSON.stringify(record))),
      );
    }
  });

  it.each([1, 2, 3, 5])('is the same in pages of %i', async (limit) => {
    expect(await all('', limit)).toEqual(await all());
    const ofAda = `&userId=${ada.userId}`;
    expect(await all(ofAda, limit)).toEqual(await all(ofAda));
  });

  it('leaves a completed pairing to its verification, unless the list is of pairings', async () => {
    const states = async (query: string) =>
      (await all(query)).map(({ record }) => (record as unknown as { state: string }).state);
    expect(await states('&kind=pairing')).toEqual(['bound', 'issued']);
    expect(await states('&kind=pairing&outcome=waiting')).toEqual(['issued']);
    expect(await states('&kind=pairing&outcome=failed')).toEqual([]);
  });

  it.each([
    ['good', ['verification', 'attendance', 'verification']],
    ['failed', ['attendance', 'verification']],
    ['waiting', ['approval', 'pairing']],
  ])('can be restricted to an outcome: %s', async (outcome, kinds) => {
    expect(kindsIn(await all(`&outcome=${outcome}`))).toEqual(kinds);
  });

  it('can be restricted to a range of time', async () => {
    const items = await all();
    const [to, from] = [items[2]?.at, items[4]?.at];
    expect(await all(`&from=${from}&to=${to}`)).toEqual(items.slice(3, 5));
  });

  it('of a person also has the audit events about them, and none that another list shows', async () => {
    await service.call('PATCH', `/v1/users/${ada.userId}`, { as: key, body: { fullName: 'Ada King' } });
    const items = await all(`&userId=${ada.userId}`);
    expect(items[0]).toMatchObject({
      kind: 'event',
      record: { action: 'user.updated', entityName: 'Ada King' },
    });
    expect(kindsIn(items).filter((kind) => kind === 'event')).toHaveLength(1);
    expect(kindsIn(await all(`&userId=${ada.userId}&kind=event`))).toEqual(['event']);
    const other = await registerPerson(service, account.key);
    expect(await all(`&userId=${other.userId}`)).toEqual([]);
  });

  it('has events of one person only, and needs to be told whose', async () => {
    const { status, body } = await list('?kind=event');
    expect([status, body.details]).toEqual([
      400,
      [{ path: 'query.userId', message: 'is required with kind=event' }],
    ]);
  });

  it('has the kinds that a key may read, and returns 403 for another one [insufficient_scopes]', async () => {
    const few = await service.createKey(account, 'live', ['verifications:read']);
    const { body } = await list('', few);
    expect(new Set(kindsIn(body.activity))).toEqual(new Set(['verification', 'pairing']));
    for (const kind of ['attendance', 'approval'])
      expect((await list(`?kind=${kind}`, few)).body.error).toBe('insufficient_scopes');
    expect((await list(`?kind=event&userId=${ada.userId}`, few)).body.error).toBe('insufficient_scopes');
  });

  it('accepts only its own cursors', async () => {
    const { body } = await service.call('GET', '/v1/verifications?limit=1', { as: key });
    const { status } = await list(`?cursor=${encodeURIComponent(body.nextCursor)}`);
    expect(status).toBe(400);
  });
});
