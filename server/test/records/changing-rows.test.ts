// @module-tag ci: every list in every order, while its rows change
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import type { Route } from '../../src/http/route.js';
import { CHANGING_LISTS, type ChangingList, idOf, NAMES, type Row } from '../support/changing-lists.js';
import { nameOf, send } from '../support/contract/examples.js';
import { readAll, watchedExports } from '../support/faults/watched-export.js';
import { listeningService } from '../support/sdk.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;

const call = (method: string, path: string, body: object | undefined = undefined) =>
  service.call(method, path, { as: account.key, ...(body && { body }) });

const propertiesOf = ({ schemas }: Route) =>
  (schemas?.query as { properties?: Record<string, { enum?: readonly string[] }> } | undefined)?.properties ??
  {};
const lists = routesOf('0.0.0-test').filter(
  (route) =>
    route.method === 'GET' &&
    'cursor' in propertiesOf(route) &&
    // They are of one site: server/test/time/sheets.test.ts.
    !route.path.endsWith('/sheets'),
);
const sortsOf = (route: Route): readonly string[] => propertiesOf(route).sort?.enum ?? [''];
const CASES = lists.flatMap((list) => sortsOf(list).map((sort) => [nameOf(list), sort, list] as const));

beforeAll(async () => {
  service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
});
afterAll(() => service.close());

describe('rows that do not change come exactly once, in order, while others change [records/cursors-of-changing-rows] [audit/pages-about-a-record]', () => {
  it.each(CASES)('in %s, sort: %s', async (_, sort, route) => {
    const { filters, prepare, create, writes } = CHANGING_LISTS[route.path] as ChangingList;
    const names = fc.constantFrom(...NAMES);
    const write = fc.record({
      how: fc.constantFrom('create', 'last', ...Object.keys(writes)),
      write: fc.constantFrom(...Object.keys(writes)),
      row: fc.nat(30),
      name: names,
    });
    const run = fc.record({
      filter: fc.constantFrom(...filters),
      limit: fc.integer({ min: 1, max: 4 }),
      rows: fc.array(names, { minLength: 4, maxLength: 10 }),
      writes: fc.array(fc.array(write, { maxLength: 4 }), { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ filter, limit, rows, writes: between }) => {
        account = await service.signUp({ plan: 'enterprise' });
        const stage = { service, account };
        const place = { ...stage, ids: (await prepare?.(stage)) ?? {} };
        const read = async (more: string): Promise<{ ids: string[]; nextCursor: string | null }> => {
          const address = `${route.path}?${sort && `sort=${sort}&`}${more}`;
          const path = address.replaceAll(/:(\w+)/g, (name, key) => place.ids[key] ?? name);
          const reply = await send(route, stage, { prepared: { path } });
          expect(reply.status, reply.text).toBe(200);
          const found = Object.values(reply.body).find(Array.isArray) as Row[];
          return { ids: found.map(idOf), nextCursor: reply.body.nextCursor };
        };
        for (const row of rows) await create(place, row);
        const { ids: all } = await read(`${filters[0]}&limit=100`);
        expect(all).not.toEqual([]);
        const { ids: before } = await read(`${filter}&limit=100`);
        const changed = new Set<string>();
        const seen: string[] = [];
        let cursor: string | null = '';
        for (let page = 0; cursor !== null; page += 1) {
          expect(page).toBeLessThan(80);
          const next = await read(`${filter}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
          seen.push(...next.ids);
          cursor = next.nextCursor;
          for (const { how, write: other, row, name: value } of between[page] ?? []) {
            if (how === 'create') await create(place, value);
            // The last row of the page is the one that the cursor comes from.
            const target = how === 'last' ? next.ids.at(-1) : all[row % all.length];
            if (how === 'create' || target === undefined) continue;
            changed.add(target);
            await writes[how === 'last' ? other : how]?.(place, target, value);
          }
        }
        const unchanged = (ids: readonly string[]) =>
          ids.filter((id) => before.includes(id) && !changed.has(id));
        expect(unchanged(seen)).toEqual(unchanged(before));
      }),
      // Only these orders have a value that rows change.
      { numRuns: /name|last_seen/.test(sort) && route.auth.kind === 'key' ? 8 : 2 },
    );
  });

  it('in an export of more than one page by name [GET /v1/users/export]', async () => {
    const watched = await watchedExports(/^select page\.\* from .* tenant_users/s);
    const own = await watched.service.signUp({ plan: 'enterprise' });
    const inAccount = sql`tenant_id = ${own.tenantId}::uuid`;
    await watched.service.db.query(sql`insert into tenant_users (tenant_id, environment, id, full_name, created_at, updated_at)
      select ${own.tenantId}::uuid, 'live', gen_random_uuid(), 'Person ' || lpad(n::text, 4, '0'), now(), now()
      from generate_series(1, 1200) as n`);
    watched.state.afterPage = async () => {
      const last = `Person ${String(watched.state.pages * 500).padStart(4, '0')}`;
      // The last person of the first page is erased, and that of the second one is renamed.
      const name = watched.state.pages === 1 ? '' : 'Person 9999';
      await watched.service.db.query(
        sql`update tenant_users set full_name = ${name} where ${inAccount} and full_name = ${last}`,
      );
    };
    try {
      let text = '';
      const reply = await watched.open('/v1/users/export?sort=name&format=jsonl', own.key);
      await readAll(reply, (piece) => {
        text += piece;
      });
      const names = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).fullName);
      const expected = Array.from({ length: 1200 }, (_, n) => `Person ${String(n + 1).padStart(4, '0')}`);
      expect(names).toEqual([...expected, 'Person 9999']);
    } finally {
      await watched.service.close();
    }
  });

  it('in the iterator of the SDK, whose loop changes them [GET /v1/users]', async () => {
    const listening = await listeningService();
    const own = await listening.signUp({ plan: 'enterprise' });
    const svc = listening.client(own.key);
    try {
      const ids: string[] = [];
      for (let n = 0; n < 25; n += 1) {
        const user = await svc.users.create({ fullName: `T ${String.fromCharCode(97 + n)}` });
        ids.push(user.id);
      }
      const visited: string[] = [];
      for await (const { id, fullName } of svc.users.list({ sort: 'name', limit: 3 })) {
        visited.push(id);
        // Each goes to the end of the list once.
        if (!fullName.startsWith('Z ')) await svc.users.update(id, { fullName: `Z ${fullName}` });
      }
      expect(visited.slice(0, 25)).toEqual(ids);
      expect(new Set(visited).size).toBe(25);
    } finally {
      await listening.close();
    }
  });

  it('with the longest names, whose cursor is read again, and nothing of the name in it', async () => {
    account = await service.signUp({ plan: 'enterprise' });
    const fullName = '\u{1f642}'.repeat(200);
    for (let n = 0; n < 2; n += 1) await call('POST', '/v1/users', { fullName });
    const first = await call('GET', '/v1/users?sort=-name&limit=1');
    const { nextCursor } = first.body;
    expect(Buffer.from(nextCursor, 'base64url').includes('\u{1f642}')).toBe(false);
    const second = await call('GET', `/v1/users?sort=-name&limit=1&cursor=${nextCursor}`);
    expect([second.status, second.body.users.length, second.body.nextCursor]).toEqual([200, 1, null]);
    expect(second.body.users[0].id).not.toBe(first.body.users[0].id);
  });
});
