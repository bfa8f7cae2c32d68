import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import type { Route } from '../../src/http/route.js';
import { openCeremony } from '../support/ceremony.js';
import { addRecord, isKeyed, nameOf } from '../support/contract/examples.js';
import { openPairing } from '../support/pairing.js';
import { type Account, ADMIN_KEY, freshAddress, type Service, startService } from '../support/service.js';

const ROWS = 51;
const lists = routesOf('0.0.0-test').filter(
  (route) => route.method === 'GET' && JSON.stringify(route.schemas?.query ?? {}).includes('"cursor"'),
);
const named = lists.map((route) => [nameOf(route), route] as const);
let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  account = await service.signUp({ plan: 'enterprise' });
  const createKey = async () => {
    const body = { name: 'Spare', environment: 'live' };
    const reply = await service.call('POST', '/api/console/keys', { as: account.token, body });
    return reply.body.apiKey.id as string;
  };
  for (let row = 0; row < ROWS; row += 1) {
    // Ids of one millisecond are in no order that a test may rely on between processes.
    service.clock.advance(1);
    for (const route of lists.filter(isKeyed)) await addRecord(route, { service, account });
    await openCeremony(service, account);
    await openPairing(service, account.key);
    await service.call('DELETE', `/api/console/keys/${await createKey()}`, { as: account.token });
    const lead = { email: `lead${row}@example.com` };
    await service.call('POST', '/api/leads/whitepaper', { body: lead, address: freshAddress() });
  }
});
afterAll(() => service.close());

function read(route: Route, query: string, path = route.path) {
  if (route.auth.kind === 'admin')
    return service.call('GET', `${path}?${query}`, { headers: { 'x-api-key': ADMIN_KEY } });
  return service.call('GET', `${path}?${query}`, {
    as: route.auth.kind === 'console' ? account.token : account.key,
  });
}
const rowsOf = (body: Record<string, unknown>) =>
  Object.values(body).find((value) => Array.isArray(value)) as { id: string; status?: string }[];
/** Newest first by id; of keys, which no other list shows, the active one before the revoked ones. */
const inOrder = (route: Route, rows: { id: string; status?: string }[]) =>
  rows
    .map(({ id, status }) => [Number(route.path === '/api/console/keys' && status === 'active'), id] as const)
    .toSorted(([leftFirst, left], [rightFirst, right]) => rightFirst - leftFirst || (left < right ? 1 : -1))
    .map(([, id]) => id);

describe('a list', () => {
  it('is swept on every surface', () => {
    const collections = ['devices', 'users', 'verifications', 'attendance', 'audit'];
    expect(lists.map(nameOf)).toEqual(
      expect.arrayContaining([
        ...collections.flatMap((name) => [`GET /v1/${name}`, `GET /api/console/${name}`]),
        'GET /api/console/registrations',
        'GET /api/console/keys',
        'GET /api/console/pairing',
        'GET /api/leads',
      ]),
    );
  });

  it.each(named)('%s has 1 to 100 rows, by default 50 [limit: List limit] [D1.12]', async (_, route) => {
    for (const [query, count] of [
      ['limit=1', 1],
      ['limit=50', 50],
      ['', 50],
    ] as const) {
      const { status, body } = await read(route, query);
      expect([status, rowsOf(body).length], query).toEqual([200, count]);
      expect(body.nextCursor, query).toEqual(expect.any(String));
    }
    const all = await read(route, 'limit=100');
    expect(rowsOf(all.body).length).toBeGreaterThanOrEqual(ROWS);
    for (const limit of ['0', '101', '-1', '1.5', '1e2', '0x10', '', '01', 'all', '1&limit=2']) {
      const reply = await read(route, `limit=${limit}`);
      expect([reply.status, reply.body.error], limit).toEqual([400, 'invalid_request']);
    }
    expect((await read(route, 'offset=1')).body.details).toEqual([
      { path: 'query.offset', message: 'is not a known field' },
    ]);
  });

  it.each(named)('%s is newest first, and its pages make the whole [D1.12]', async (_, route) => {
    const rows: ReturnType<typeof rowsOf> = [];
    let cursor = '';
    do {
      const { body } = await read(route, `limit=20${cursor && `&cursor=${cursor}`}`);
      rows.push(...rowsOf(body));
      cursor = body.nextCursor ?? '';
    } while (cursor !== '' && rows.length < 400);
    const whole = rows.map(({ id }) => id);
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole.length).toBeGreaterThanOrEqual(ROWS);
    expect(whole).toEqual(inOrder(route, rows));
    const first = await read(route, 'limit=100');
    expect(rowsOf(first.body).map(({ id }) => id)).toEqual(whole.slice(0, 100));
  });

  it.each(named)('%s takes no cursor of another list, whole or altered', async (_, route) => {
    const { nextCursor } = (await read(route, 'limit=1')).body as { nextCursor: string };
    for (const other of lists) {
      // A console list continues /v1's of the same rows, and the other way round.
      if (other.path.split('/').at(-1) === route.path.split('/').at(-1)) continue;
      const reply = await read(other, `cursor=${nextCursor}`);
      expect([reply.status, reply.body.error], nameOf(other)).toEqual([400, 'invalid_request']);
    }
    const flipped = (nextCursor.startsWith('A') ? 'B' : 'A') + nextCursor.slice(1);
    for (const bad of [flipped, nextCursor.slice(0, -1), `${nextCursor}A`, '', 'x'])
      expect((await read(route, `cursor=${bad}`)).status, bad).toBe(400);
  });
});
