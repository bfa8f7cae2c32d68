import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { readAll, watchedExports } from '../support/faults/watched-export.js';
import { listeningService } from '../support/sdk.js';
import { type Account, type Service, startService } from '../support/service.js';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
type Session = { readonly as: string } | { readonly session: string };

/** Names of which many are equal, or differ only in their case. */
const NAMES = ['T Abe', 't abe', 'T Bo', 'T Jon', 'T Zoe', 'Ära', '|', 'Zoë 🙂'];
const TIMES = [null, '2026-05-01T00:00:00Z', '2026-05-01T00:00:00.001Z', '2026-05-02T00:00:00Z'];

let service: Service;
let account: Account;
let eraser: string;

const call = (method: string, path: string, body?: object, as: Session = { as: account.key }) =>
  service.call(method, path, { ...as, ...(body && { body }) });

/** What somebody does while a list is read. `row` is any row that the account has. */
interface Collection {
  readonly path: string;
  readonly list: string;
  /** Read in a session of the dashboard, not with a key. */
  readonly isDashboard?: true;
  readonly sorts: readonly string[];
  /** Queries besides the order. */
  readonly filters: readonly string[];
  readonly create: (name: string) => Promise<unknown>;
  readonly writes: Readonly<Record<string, (row: Row, name: string) => Promise<unknown>>>;
}

const byTime = ['newest', 'oldest'];
const byName = [...byTime, 'created', '-created', 'name', '-name'];
const deviceWrites = {
  rename: ({ id }: Row, name: string) => call('PATCH', `/v1/devices/${id}`, { name }),
  retire: ({ id }: Row) => call('PATCH', `/v1/devices/${id}`, { status: 'retired' }),
  see: ({ id }: Row, name: string) =>
    service.db.query(sql`update devices set last_seen_at = ${TIMES[NAMES.indexOf(name) % TIMES.length] ?? null}::timestamptz
      where tenant_id = ${account.tenantId} and id = ${id}`),
};
const createDevice = async (name: string) => {
  const { body } = await call('POST', '/v1/devices', { name });
  await deviceWrites.see(body.device, name);
};
const nothing = { nothing: async () => undefined };

const COLLECTIONS: Readonly<Record<string, Collection>> = {
  users: {
    path: '/v1/users',
    list: 'users',
    sorts: byName,
    filters: ['', 'q=t', 'status=active', 'email=a@example.com'],
    create: (fullName) => call('POST', '/v1/users', { fullName, email: 'A@example.com' }),
    writes: {
      rename: ({ id }, fullName) => call('PATCH', `/v1/users/${id}`, { fullName }),
      deactivate: ({ id }) => call('PATCH', `/v1/users/${id}`, { status: 'inactive' }),
      move: ({ id }) => call('PATCH', `/v1/users/${id}`, { email: 'b@example.com' }),
      erase: ({ id }) => call('POST', `/v1/users/${id}/erase`, { reason: 'error' }, { as: eraser }),
    },
  },
  devices: {
    path: '/v1/devices',
    list: 'devices',
    sorts: [...byName, 'last_seen', '-last_seen'],
    filters: ['', 'q=t', 'status=active', 'enrollment_state=enrolled'],
    create: createDevice,
    writes: deviceWrites,
  },
  'devices of the dashboard': {
    path: '/api/console/devices',
    list: 'devices',
    isDashboard: true,
    sorts: ['name', '-last_seen'],
    filters: [''],
    create: createDevice,
    writes: deviceWrites,
  },
  verifications: {
    path: '/v1/verifications',
    list: 'verifications',
    sorts: byTime,
    filters: ['', 'result=pass', 'from=2026-01-01T00:00:00Z'],
    create: () => call('POST', '/v1/verifications', { method: 'manual', result: 'pass' }),
    writes: nothing,
  },
  attendance: {
    path: '/v1/attendance',
    list: 'attendance',
    sorts: byTime,
    filters: ['', 'type=check_in', 'from=2026-01-01T00:00:00Z'],
    create: () => call('POST', '/v1/attendance', { type: 'check_in' }),
    writes: nothing,
  },
  audit: {
    path: '/api/console/audit',
    list: 'audit',
    isDashboard: true,
    sorts: byTime,
    filters: [''],
    create: (fullName) => call('POST', '/v1/users', { fullName }),
    writes: nothing,
  },
  keys: {
    path: '/api/console/keys',
    list: 'keys',
    isDashboard: true,
    sorts: [],
    filters: [''],
    create: (name) => call('POST', '/api/console/keys', { name, environment: 'live' }, { as: account.token }),
    writes: {
      revoke: ({ id }) => call('DELETE', `/api/console/keys/${id}`, undefined, { as: account.token }),
    },
  },
};

const CASES = Object.entries(COLLECTIONS).flatMap(([name, { sorts }]) =>
  (sorts.length > 0 ? sorts : ['']).map((sort) => [name, sort] as const),
);

beforeAll(async () => {
  service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
});
afterAll(() => service.close());

describe('rows that do not change come exactly once, in order, while others change [D12.300]', () => {
  it.each(CASES)('in the list of %s, sort: %s', async (name, sort) => {
    const { path, list, filters, create, writes, isDashboard } = COLLECTIONS[name] as Collection;
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
    const read = async (query: string): Promise<{ rows: Row[]; nextCursor: string | null }> => {
      const as = isDashboard ? { session: account.token } : { as: account.key };
      const reply = await service.call('GET', `${path}?${query}`, as);
      expect(reply.status, reply.text).toBe(200);
      return { rows: reply.body[list], nextCursor: reply.body.nextCursor };
    };
    await fc.assert(
      fc.asyncProperty(run, async ({ filter, limit, rows, writes: between }) => {
        account = await service.signUp({ plan: 'enterprise' });
        eraser = await service.createKey(account, 'live', ['users:erase']);
        for (const row of rows) await create(row);
        const query = [sort && `sort=${sort}`, filter].filter(Boolean).join('&');
        const before = (await read(`${query}&limit=100`)).rows.map(({ id }) => id);
        const all = (await read('limit=100')).rows;
        const changed = new Set<string>();
        const seen: string[] = [];
        let cursor: string | null = '';
        for (let page = 0; cursor !== null; page += 1) {
          expect(page).toBeLessThan(80);
          const next = await read(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
          seen.push(...next.rows.map(({ id }) => id));
          cursor = next.nextCursor;
          for (const { how, write: other, row, name: value } of between[page] ?? []) {
            if (how === 'create') await create(value);
            // The last row of the page is the one that the cursor comes from.
            const target = how === 'last' ? next.rows.at(-1) : all[row % all.length];
            if (how === 'create' || target === undefined) continue;
            changed.add(target.id);
            await writes[how === 'last' ? other : how]?.(target, value);
          }
        }
        const unchanged = (ids: readonly string[]) =>
          ids.filter((id) => before.includes(id) && !changed.has(id));
        expect(unchanged(seen)).toEqual(unchanged(before));
      }),
      // Only these orders have a value that rows change.
      { numRuns: /name|last_seen/.test(sort) ? 8 : 3 },
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
