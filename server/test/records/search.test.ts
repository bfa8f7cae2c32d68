import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Service, START, startService } from '../support/service.js';

let service: Service;
let account: Account;
/** Another tenant, and its own records, which are the same. */
let other: Account;

const NAMES = [
  'Ada Lovelace',
  'ada byron',
  'Bo Ada',
  'Adam 100%_x',
  'Élodie Ödön',
  'ÉLODIE B',
  'Иван Петров',
];
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

type Record_ = Readonly<Record<string, unknown>> & { readonly id: string };
type Filter = Readonly<Record<string, string>>;

async function create(path: string, body: object, as = account.key): Promise<Record_> {
  const reply = await service.call('POST', `/v1/${path}`, { as, body });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return Object.values(reply.body)[0] as Record_;
}
/** A page in a session of the dashboard, with names and the total. That of the audit log has both by itself. */
const list = (collection: string, filter: Filter = {}, session = account.token) => {
  if (collection === 'audit')
    return service.call('GET', `/api/console/audit?${new URLSearchParams(filter)}`, { session });
  const include = collection === 'devices' ? 'total' : 'names,total';
  return service.call('GET', `/v1/${collection}?${new URLSearchParams({ include, ...filter })}`, { session });
};
async function rowsOf(collection: string, filter: Filter = {}, as = account.token): Promise<Record_[]> {
  const reply = await list(collection, filter, as);
  expect(reply.status, reply.text).toBe(200);
  return reply.body[collection];
}
const exported = (collection: string, filter: Filter = {}, session = account.token) =>
  service.call('GET', `/v1/${collection}/export?${new URLSearchParams(filter)}`, { session });

/** All rows of a list, page by page. */
async function walk(collection: string, filter: Filter, limit: number) {
  const rows: Record_[] = [];
  const totals = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await list(collection, { ...filter, limit: String(limit), ...(cursor && { cursor }) });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body[collection].length).toBeLessThanOrEqual(limit);
    rows.push(...reply.body[collection]);
    totals.add(JSON.stringify([reply.body.total, reply.body.totalIsExact]));
    cursor = reply.body.nextCursor;
  }
  return { rows, totals: [...totals] };
}

/** What was created, in order of creation. */
const created: Record<'users' | 'devices' | 'verifications' | 'attendance', Record_[]> = {
  users: [],
  devices: [],
  verifications: [],
  attendance: [],
};

beforeAll(async () => {
  service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  account = await service.signUp({ plan: 'enterprise' });
  other = await service.signUp({ plan: 'enterprise' });
  for (const [n, name] of [...NAMES, ...NAMES].entries()) {
    // Two records of each millisecond.
    if (n % 2 === 0) service.clock.advance(60_000);
    const device = await create('devices', { name, externalId: `Gate-${n}`, metadata: { n } });
    const user = await create('users', {
      fullName: name,
      ...(n % 3 && { externalId: `E-${n}` }),
      ...(n % 4 && { email: `Mail${n}@Example.com` }),
      ...(n % 2 && { primaryDeviceId: device.id }),
    });
    if (n % 5 === 0)
      await service.call('PATCH', `/v1/users/${user.id}`, {
        as: account.key,
        body: { status: 'inactive' },
      });
    const occurredAt = at(-((n * 7) % 5));
    const refersTo = { userId: user.id, ...(n % 3 && { deviceId: device.id }), occurredAt };
    created.devices.push(device);
    created.users.push({ ...user, status: n % 5 === 0 ? 'inactive' : 'active' });
    created.verifications.push(
      await create('verifications', {
        ...refersTo,
        method: n % 2 ? 'face' : 'manual',
        result: n % 3 ? 'pass' : 'fail',
        ...(n % 4 && { referenceId: `Shift ${n}` }),
      }),
    );
    created.attendance.push(
      await create('attendance', { ...refersTo, type: n % 2 ? 'check_in' : 'check_out' }),
    );
    await create('users', { fullName: name, externalId: `E-${n}` }, other.key);
  }
});
afterAll(() => service.close());

const namesOf = (rows: readonly Record_[]) =>
  [...new Set(rows.map((row) => row.fullName ?? row.name))].sort();

describe('q [records/searching]', () => {
  it.each([
    ['ada', ['Ada Lovelace', 'Adam 100%_x', 'Bo Ada', 'ada byron']],
    ['ADA L', ['Ada Lovelace']],
    ['lovelace', ['Ada Lovelace']],
    ['love', ['Ada Lovelace']],
    ['da', []],
    ['a%', []],
    ['_da', []],
    ['adam 100%', ['Adam 100%_x']],
    ['100%_', ['Adam 100%_x']],
    ['100%%', []],
    ['\\', []],
    ["'", []],
    ['élo', ['ÉLODIE B', 'Élodie Ödön']],
    ['ÉLO', ['ÉLODIE B', 'Élodie Ödön']],
    ['elo', []],
    ['ödön', ['Élodie Ödön']],
    ['иван', ['Иван Петров']],
    ['ПЕТРОВ', ['Иван Петров']],
    ['🙂', []],
  ])('finds people by the beginning of the name or last name: %s', async (q, names) => {
    expect(namesOf(await rowsOf('users', { q }))).toEqual(names);
    expect((await rowsOf('users', { q })).length).toBe(names.length * 2);
  });

  it('finds people by the beginning of the e-mail and the external id, and by the whole id', async () => {
    const user = created.users[5]!;
    for (const q of ['mail5@', 'MAIL5@EXAMPLE.COM', 'e-5', 'E-5', user.id, user.id.toUpperCase()])
      expect(await rowsOf('users', { q }), q).toEqual([expect.objectContaining({ id: user.id })]);
    for (const q of ['ail5@', '-5', user.id.slice(0, -1), user.id.slice(1)])
      expect(await rowsOf('users', { q }), q).toEqual([]);
  });

  it('combines with the other filters', async () => {
    const { id } = created.users[0]!;
    expect(await rowsOf('users', { q: 'ada l', status: 'inactive' })).toEqual([
      expect.objectContaining({ id }),
    ]);
    expect(await rowsOf('users', { q: 'ada', externalId: 'E-1' })).toHaveLength(1);
    expect(await rowsOf('users', { q: 'bo', externalId: 'E-1' })).toEqual([]);
    expect(await rowsOf('users', { q: 'ada', email: 'mail1@example.com' })).toHaveLength(1);
    expect(await rowsOf('users', { q: 'ada', from: at(5), to: at(7) })).toHaveLength(3);
  });

  it('finds devices by the beginning of the name and the external id, and by the whole id', async () => {
    const device = created.devices[5]!;
    for (const q of ['gate-5', 'GATE-5', device.id])
      expect(
        (await rowsOf('devices', { q })).map(({ id }) => id),
        q,
      ).toEqual([device.id]);
    expect(namesOf(await rowsOf('devices', { q: 'ADA' }))).toEqual([
      'Ada Lovelace',
      'Adam 100%_x',
      'ada byron',
    ]);
    expect(await rowsOf('devices', { q: 'ada', status: 'retired' })).toEqual([]);
    expect(await rowsOf('devices', { q: 'lovelace' })).toEqual([]);
  });

  it('finds verifications by the beginning of the reference and by the whole id, and attendance by the id', async () => {
    const [verification, event] = [created.verifications[5]!, created.attendance[5]!];
    for (const q of ['shift 5', verification.id])
      expect(
        (await rowsOf('verifications', { q })).map(({ id }) => id),
        q,
      ).toEqual([verification.id]);
    expect(
      await rowsOf('verifications', { q: 'shift 5', userId: verification.userId as string }),
    ).toHaveLength(1);
    expect(await rowsOf('verifications', { q: 'shift 5', method: 'manual' })).toEqual([]);
    expect((await rowsOf('attendance', { q: event.id })).map(({ id }) => id)).toEqual([event.id]);
    expect(await rowsOf('attendance', { q: event.id, type: 'check_out' })).toEqual([]);
    expect(await rowsOf('attendance', { q: 'shift' })).toEqual([]);
  });

  it.each(['users', 'devices', 'verifications', 'attendance'])(
    'in %s rejects malformed text',
    async (name) => {
      for (const q of ['', ' ', 'x'.repeat(201), '\0']) {
        const reply = await list(name, { q });
        expect([reply.status, reply.body.error], JSON.stringify(q)).toEqual([400, 'invalid_request']);
      }
      const twice = await service.call('GET', `/v1/${name}?q=a&q=b`, { as: account.key });
      expect(twice.status).toBe(400);
      for (const filter of [{ sort: 'upwards' }, { from: 'today' }, { to: '2026-02-30T00:00:00Z' }])
        expect((await list(name, filter)).status, JSON.stringify(filter)).toBe(400);
    },
  );

  it('never finds records of another tenant or environment', async () => {
    const [user, device] = [created.users[1]!, created.devices[1]!];
    for (const q of [user.id, device.id, 'mail1@example.com', 'gate-1'])
      for (const name of ['users', 'devices', 'verifications', 'attendance']) {
        expect(await rowsOf(name, { q }, other.token), `${name} ${q}`).toEqual([]);
        expect(await rowsOf(name, { q, environment: 'test' }), `${name} ${q}`).toEqual([]);
        const file = await exported(name, { q, format: 'jsonl' }, other.token);
        expect([file.status, file.text]).toEqual([200, '']);
      }
    expect((await list('users', { q: 'ada' }, other.token)).body.total).toBe(8);
    expect((await list('users', { environment: 'test' })).body.total).toBe(0);
  });

  it('shows each row as the record itself, whatever it contains [records/lists]', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    const text = `"\\ / \b\f\n\r\t \u007f \u2028 é€😀 </script>`;
    const metadata = { [text]: [text, 1e21, 1e-7, -0.5, null, { deep: { '': true } }] };
    await create('users', { fullName: text, email: 'a@b.example', metadata }, own.key);
    await create('devices', { name: text, batteryLevel: 0.1, metadata }, own.key);
    const [user] = (await rowsOf('users', {}, own.token)) as [Record_];
    for (const confidenceScore of [0, 1e-7, 98.7, 100])
      await create(
        'verifications',
        { method: 'face', result: 'pass', confidenceScore, reason: text, metadata, userId: user.id },
        own.key,
      );
    await create('attendance', { type: 'check_in', userId: user.id, metadata }, own.key);
    for (const name of ['users', 'devices', 'verifications', 'attendance']) {
      const { body } = await service.call('GET', `/v1/${name}`, { as: own.key });
      expect(body[name].length).toBeGreaterThan(0);
      for (const row of body[name]) {
        const reply = await service.call('GET', `/v1/${name}/${row.id}`, { as: own.key });
        expect(Object.values(reply.body), name).toEqual([row]);
      }
    }
  });

  it('counts rows and looks up names only if the query includes them [records/searching]', async () => {
    const shown = async (query: string) => {
      const { body } = await service.call('GET', `/v1/users?limit=1&${query}`, { as: account.key });
      return [Object.keys(body).sort(), 'deviceName' in body.users[0]];
    };
    const envelope = ['environment', 'nextCursor', 'users'];
    expect(await shown('')).toEqual([envelope, false]);
    expect(await shown('include=names')).toEqual([envelope, true]);
    expect(await shown('include=total')).toEqual([
      ['environment', 'nextCursor', 'total', 'totalIsExact', 'users'],
      false,
    ]);
    for (const include of ['', 'everything', 'total,', 'total names'])
      expect((await service.call('GET', `/v1/users?include=${include}`, { as: account.key })).status).toBe(
        400,
      );
  });
});

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const minutes = fc.integer({ min: -6, max: 9 }).map(at);
const shared = {
  sort: optional(fc.constantFrom('newest', 'oldest')),
  from: optional(minutes),
  to: optional(minutes),
};
const anEvent = {
  ...shared,
  userId: optional(fc.integer({ min: 0, max: 3 }).map((n) => () => created.users[n]!.id)),
  deviceId: optional(fc.integer({ min: 0, max: 3 }).map((n) => () => created.devices[n]!.id)),
};
const FILTERS = {
  users: {
    ...shared,
    status: optional(fc.constantFrom('active', 'inactive')),
    q: optional(fc.constantFrom('ada', 'e-', 'mail', 'é', 'zz')),
    email: optional(fc.constantFrom('mail1@example.com')),
  },
  devices: {
    ...shared,
    status: optional(fc.constantFrom('active', 'retired')),
    enrollment_state: optional(fc.constantFrom('enrolled', 'pending')),
    q: optional(fc.constantFrom('ada', 'gate', 'zz')),
  },
  verifications: {
    ...anEvent,
    result: optional(fc.constantFrom('pass', 'fail')),
    method: optional(fc.constantFrom('face', 'saml')),
    q: optional(fc.constantFrom('shift', 'zz')),
  },
  attendance: {
    ...anEvent,
    type: optional(fc.constantFrom('check_in')),
    result: optional(fc.constantFrom('accepted')),
  },
} as const;

/** What a search compares. */
const TEXTS: Readonly<Record<string, (row: Record_) => unknown[]>> = {
  users: (row) => [row.fullName, String(row.fullName).split(' ').at(-1), row.email, row.externalId],
  devices: (row) => [row.name, row.externalId],
  verifications: (row) => [row.referenceId],
  attendance: () => [],
};

/** The ids that a list should return, in order. */
function expectedIds(collection: keyof typeof created, filter: Filter): string[] {
  const { q, sort, from = '', to = '9', email, ...equal } = filter;
  const isEvent = collection === 'verifications' || collection === 'attendance';
  const timeOf = (row: Record_) => String(isEvent ? row.occurredAt : row.createdAt);
  const byTime = isEvent
    ? [filter.userId, filter.deviceId, filter.from, filter.to].some((value) => value !== undefined)
    : false;
  const starts = (value: unknown) => typeof value === 'string' && value.toLowerCase().startsWith(q!);
  const rows = created[collection]
    .filter((row) => Object.entries(equal).every(([name, value]) => row[name] === value))
    .filter((row) => timeOf(row) >= from && timeOf(row) < to)
    .filter((row) => email === undefined || String(row.email).toLowerCase() === email)
    .filter((row) => q === undefined || TEXTS[collection]!(row).some(starts))
    .toSorted(
      (left, right) =>
        (byTime ? timeOf(left).localeCompare(timeOf(right)) : 0) || (left.id < right.id ? -1 : 1),
    );
  return (sort === 'oldest' ? rows : rows.reverse()).map(({ id }) => id);
}

describe.each(Object.keys(FILTERS) as (keyof typeof FILTERS)[])('the list of %s', (collection) => {
  const filters = fc
    .record(FILTERS[collection] as Record<string, fc.Arbitrary<string | (() => string) | undefined>>)
    .map((filter) =>
      Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    ) as fc.Arbitrary<Record<string, string | (() => string)>>;
  const resolved = (filter: Record<string, string | (() => string)>): Filter =>
    Object.fromEntries(
      Object.entries(filter).map(([name, value]) => [name, typeof value === 'string' ? value : value()]),
    );

  it('returns every matching row once, in order, over pages of any size, with their number [records/searching]', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 9 }), async (chosen, limit) => {
        const filter = resolved(chosen);
        const expected = expectedIds(collection, filter);
        const { rows, totals } = await walk(collection, filter, limit);
        expect(rows.map(({ id }) => id)).toEqual(expected);
        expect(totals).toEqual([JSON.stringify([expected.length, true])]);
      }),
      { numRuns: 60 },
    );
  });

  it(`is exported as JSON Lines and as CSV with the same rows in the same order [GET /v1/${collection}/export] [records/export]`, async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (chosen) => {
        const filter = resolved(chosen);
        const { rows } = await walk(collection, filter, 100);
        const lines = await exported(collection, { ...filter, format: 'jsonl' });
        expect(lines.status, lines.text).toBe(200);
        expect(
          lines.text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        ).toEqual(rows);
        const { text } = await exported(collection, filter);
        const [head, ...cells] = text.split('\r\n').slice(0, -1);
        expect(cells.map((line) => line.split(',', 1)[0])).toEqual(rows.map(({ id }) => id));
        if (rows[0]) expect(head).toBe(`\ufeff${Object.keys(rows[0]).join(',')}`);
      }),
      { numRuns: 20 },
    );
  });

  it('rejects a cursor of the other order [records/searching]', async () => {
    for (const [sort, wrong] of [
      ['newest', 'oldest'],
      ['oldest', 'newest'],
    ] as const) {
      const { body } = await list(collection, { sort, limit: '1' });
      const reply = await list(collection, { sort: wrong, cursor: body.nextCursor });
      expect([reply.status, reply.body.details[0].path]).toEqual([400, 'query.cursor']);
      expect((await list(collection, { sort, cursor: body.nextCursor })).status).toBe(200);
    }
    const { body } = await list(collection, { limit: '1' });
    expect((await list(collection, { sort: 'newest', cursor: body.nextCursor })).status).toBe(200);
    const byTime = await list(collection, { from: at(-60), cursor: body.nextCursor });
    expect([byTime.status, byTime.body.details[0].path]).toEqual([400, 'query.cursor']);
  });
});

describe('names [records/searching]', () => {
  it('of people and devices are in the rows that refer to them', async () => {
    for (const collection of ['verifications', 'attendance'] as const) {
      const rows = await rowsOf(collection, { limit: '100' });
      for (const row of rows) {
        const nameOf = (of: 'users' | 'devices', id: unknown) =>
          created[of].find((record) => record.id === id);
        expect(row.userName).toBe(nameOf('users', row.userId)?.fullName);
        expect(row.deviceName).toBe(nameOf('devices', row.deviceId)?.name ?? null);
      }
      expect(new Set(rows.map(({ deviceName }) => deviceName === null)).size).toBe(2);
    }
    const users = await rowsOf('users', { limit: '100' });
    for (const user of users)
      expect(user.deviceName).toBe(user.primaryDeviceId === null ? null : user.fullName);
  });

  it('are those of the account’s own records only', async () => {
    const body = { method: 'manual', result: 'pass' };
    const { id } = await create('verifications', body, other.key);
    expect(await rowsOf('verifications', { q: id }, other.token)).toEqual([
      expect.objectContaining({ userId: null, userName: null, deviceId: null, deviceName: null }),
    ]);
  });
});

describe('the audit list of the console [GET /api/console/audit] [records/searching]', () => {
  it('has a time range, both orders, the total and the names', async () => {
    const all = await walk('audit', {}, 100);
    const { head } = (await list('audit', { limit: '1' })).body;
    expect(all.rows).toHaveLength(head.seq);
    expect(all.totals).toEqual([JSON.stringify([head.seq, true])]);
    const oldest = await walk('audit', { sort: 'oldest' }, 7);
    expect(oldest.rows).toEqual(all.rows.toReversed());
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...shared, action: optional(fc.constantFrom('user.created', 'device.updated')) }),
        fc.integer({ min: 3, max: 50 }),
        async (chosen, limit) => {
          const filter = JSON.parse(JSON.stringify(chosen)) as Filter;
          const { from = '', to = '9', action, sort } = filter;
          const expected = (sort === 'oldest' ? all.rows.toReversed() : all.rows).filter(
            (row) =>
              String(row.createdAt) >= from &&
              String(row.createdAt) < to &&
              (action === undefined || row.action === action),
          );
          const { rows, totals } = await walk('audit', filter, limit);
          expect(rows).toEqual(expected);
          expect(totals).toEqual([JSON.stringify([expected.length, true])]);
        },
      ),
      { numRuns: 30 },
    );
    const ofUser = all.rows.filter((row) => row.entityId === created.users[0]!.id);
    expect(ofUser.map((row) => [row.userName, row.deviceName])).toEqual([
      ['Ada Lovelace', null],
      ['Ada Lovelace', null],
    ]);
    const ofDevice = all.rows.filter((row) => row.entityId === created.devices[0]!.id);
    expect(ofDevice.map((row) => [row.userName, row.deviceName])).toEqual([[null, 'Ada Lovelace']]);
  });

  it('rejects a cursor of the other order', async () => {
    const { body } = await list('audit', { limit: '1' });
    expect((await list('audit', { sort: 'oldest', cursor: body.nextCursor })).status).toBe(400);
  });
});

describe('the orders of people and devices', () => {
  it.each(['users', 'devices'] as const)(
    'page through all %s by name in both directions, whatever the filters [records/sorting] [GET /v1/users] [GET /v1/devices]',
    async (collection) => {
      const own = await service.signUp({ plan: 'enterprise' });
      const names = [...NAMES, ...NAMES].map((name, n) => `${name}${n < NAMES.length ? '' : ' II'}`);
      const ids: string[] = [];
      for (const name of names) {
        const body = collection === 'users' ? { fullName: name } : { name };
        ids.push((await create(collection, body, own.key)).id);
      }
      await service.call('PATCH', `/v1/${collection}/${ids[3]}`, {
        as: own.key,
        body: { status: 'inactive' },
      });
      const lower = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      const pageThrough = async (query: string) => {
        const found: string[] = [];
        let cursor = '';
        do {
          const { body } = await service.call('GET', `/v1/${collection}?limit=3&${query}${cursor}`, {
            as: own.key,
          });
          for (const row of body[collection]) found.push(row.fullName ?? row.name);
          cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
        } while (cursor);
        return found;
      };
      const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(lower(a)), Buffer.from(lower(b))));
      expect(await pageThrough('sort=name')).toEqual(byBytes);
      expect(await pageThrough('sort=-name')).toEqual(byBytes.toReversed());
      expect(await pageThrough('sort=name&status=inactive')).toEqual([names[3]]);
      expect(await pageThrough('sort=name&q=ada')).toEqual(
        byBytes.filter((name) => /^ada/i.test(name) || (collection === 'users' && /Ada$/.test(name))),
      );
      expect(await pageThrough('sort=created')).toEqual(names);
      expect(await pageThrough('sort=-created')).toEqual(names.toReversed());
    },
  );

  it('reads devices by when they were last seen, those first that never were', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    const [a, b, c] = [
      await create('devices', { name: 'A' }, own.key),
      await create('devices', { name: 'B' }, own.key),
      await create('devices', { name: 'C' }, own.key),
    ];
    for (const [device, at] of [
      [a, '2026-05-02T00:00:00Z'],
      [c, '2026-05-01T00:00:00Z'],
    ] as const)
      await service.db.query({
        text: 'update devices set last_seen_at = $1 where tenant_id = $2 and id = $3',
        values: [at, own.tenantId, device.id],
      });
    const names = async (sort: string) =>
      (await service.call('GET', `/v1/devices?sort=${sort}`, { as: own.key })).body.devices.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('last_seen')).toEqual([b, c, a].map(({ name }) => name));
    expect(await names('-last_seen')).toEqual([a, c, b].map(({ name }) => name));
  });

  it('belong to their cursors, and are rejected in a range of times and where they do not exist', async () => {
    const { body } = await service.call('GET', '/v1/users?sort=name&limit=1', { as: account.key });
    expect(body.nextCursor).toEqual(expect.any(String));
    // An address is logged, so no name is in it.
    expect(Buffer.from(body.nextCursor, 'base64url').toString()).not.toContain(body.users[0].fullName);
    for (const query of [
      `users?cursor=${body.nextCursor}`,
      `users?sort=-name&cursor=${body.nextCursor}`,
      'users?sort=last_seen',
      `users?sort=name&from=${at(0)}`,
      `devices?sort=-last_seen&to=${at(0)}`,
      'verifications?sort=name',
    ])
      expect((await service.call('GET', `/v1/${query}`, { as: account.key })).status, query).toBe(400);
  });
});
