import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, type Service, START, startService } from '../support/service.js';

let service: Service;
let account: Account;
/** Another tenant, and the same tenant's other environment. */
let strangers: readonly string[];

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
const freshAccount = async () => {
  account = await service.signUp({ plan: 'enterprise' });
  const other = await service.signUp({ plan: 'enterprise' });
  strangers = [other.key, await service.createKey(account, 'test')];
};

const get = (path: string, as = account.key) => service.call('GET', path, { as });
const query = (path: string, filter: Record<string, string>, as = account.key) =>
  get(`${path}?${new URLSearchParams(filter)}`, as);
async function create(path: string, body: object, as = account.key) {
  const reply = await service.call('POST', `/v1/${path}`, { as, body });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return Object.values(reply.body)[0] as { id: string };
}
const idsOf = (reply: { body: object }) =>
  (Object.values(reply.body).find(Array.isArray) as { id: string }[]).map(({ id }) => id);
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

const RECORDS = [
  [
    'GET /v1/users/:userId',
    'user_not_found',
    'users',
    { fullName: 'Ada', externalId: 'e-1', email: 'ada@example.com', metadata: { a: 1 } },
  ],
  [
    'GET /v1/devices/:deviceId',
    'device_not_found',
    'devices',
    { name: 'Gate', externalId: 'gate-1', metadata: { a: 1 } },
  ],
  [
    'GET /v1/verifications/:verificationId',
    'verification_not_found',
    'verifications',
    { method: 'face', result: 'pass', reason: 'because' },
  ],
  [
    'GET /v1/attendance/:attendanceId',
    'attendance_not_found',
    'attendance',
    { type: 'check_in', metadata: { a: 1 } },
  ],
] as const;

async function record(path: string, body: object, as = account.key) {
  if (path !== 'attendance') return create(path, body, as);
  return create(path, { ...body, userId: (await create('users', { fullName: 'Ada' }, as)).id }, as);
}

describe('a single record', () => {
  beforeEach(freshAccount);

  it.each(RECORDS)(
    '%s returns the record in the same form as its creation and its list',
    async (_, code, path, body) => {
      const created = await record(path, body);
      const reply = await get(`/v1/${path}/${created.id}`);
      expect([reply.status, reply.body]).toEqual([200, { [code.replace('_not_found', '')]: created }]);
      expect((await get(`/v1/${path}`)).body[path]).toEqual([created]);
    },
  );

  it.each(RECORDS)(
    '%s returns the same 404 %s for every id it does not find',
    async (_, code, path, body) => {
      const theirs = await Promise.all(strangers.map((as) => record(path, body, as)));
      const seen = new Set<string>();
      for (const id of [
        ...theirs.map((created) => created.id),
        crypto.randomUUID(),
        'x',
        "'",
        `${crypto.randomUUID()}0`,
      ]) {
        const { status, body: error, text } = await get(`/v1/${path}/${id}`);
        expect([status, error.error], id).toEqual([404, code]);
        seen.add(text.replace(error.requestId, ''));
      }
      expect(seen.size).toBe(1);
    },
  );

  it.each(RECORDS)('%s requires the read scope', async (name, _, path, body) => {
    const { id } = await record(path, body);
    const as = await service.createKey(account, 'live', ['audit:read']);
    const { status, body: error } = await get(`/v1/${path}/${id}`, as);
    expect([status, error.error], name).toEqual([403, 'insufficient_scopes']);
  });
});

describe('GET /v1/users', () => {
  beforeAll(freshAccount);

  it('externalId: returns that user only, and combines with status', async () => {
    const { id } = await create('users', { fullName: 'Ada', externalId: 'E 1' });
    await create('users', { fullName: 'Bo', externalId: 'e 1' });
    expect(idsOf(await query('/v1/users', { externalId: 'E 1' }))).toEqual([id]);
    expect(idsOf(await query('/v1/users', { externalId: 'E 1', status: 'active' }))).toEqual([id]);
    expect(idsOf(await query('/v1/users', { externalId: 'E 1', status: 'inactive' }))).toEqual([]);
    expect(idsOf(await query('/v1/users', { externalId: 'E' }))).toEqual([]);
  });

  it('email: matches the whole address, and ignores the case of ASCII letters only [records/finding-records]', async () => {
    const email = (text: string) => create('users', { fullName: 'Ada', email: text });
    const { id: lower } = await email('ada.é+1@example.com');
    const { id: upper } = await email('ADA.é+1@Example.com');
    await email('ada.É+1@example.com');
    await email('ada.é+1@example.com.org');
    expect(idsOf(await query('/v1/users', { email: 'Ada.é+1@EXAMPLE.com' }))).toEqual([upper, lower]);
    expect(idsOf(await query('/v1/users', { email: 'ada.é_1@example.com' }))).toEqual([]);
    expect(idsOf(await query('/v1/users', { email: 'ada.é+1@example.com', externalId: 'none' }))).toEqual([]);
  });

  it('email: combines with status, and pages newest first', async () => {
    const created: string[] = [];
    for (let n = 0; n < 7; n++) {
      service.clock.advance(1);
      const { id } = await create('users', { fullName: `Ada ${n}`, email: 'shared@example.com' });
      await service.call('PATCH', `/v1/users/${id}`, {
        as: account.key,
        body: { status: n % 2 === 0 ? 'active' : 'inactive' },
      });
      created.unshift(id);
    }
    const pages = await walk('/v1/users', { email: 'shared@example.com' });
    expect(pages).toEqual(created);
    expect(await walk('/v1/users', { email: 'shared@example.com', status: 'inactive' })).toEqual([
      created[1],
      created[3],
      created[5],
    ]);
  });

  it.each([
    { externalId: '' },
    { externalId: ' ' },
    { externalId: 'x'.repeat(201) },
    { email: '' },
    { email: 'x'.repeat(321) },
    { userId: crypto.randomUUID() },
  ])('rejects %j', async (filter) => {
    expect((await query('/v1/users', filter)).body.error).toBe('invalid_request');
  });
});

describe('GET /v1/devices', () => {
  beforeEach(freshAccount);

  it('externalId: returns that device only, and combines with the other filters', async () => {
    const { id } = await create('devices', { name: 'Gate', externalId: 'gate-1' });
    await create('devices', { name: 'Gate', externalId: 'gate-2' });
    expect(idsOf(await query('/v1/devices', { externalId: 'gate-1' }))).toEqual([id]);
    expect(idsOf(await query('/v1/devices', { externalId: 'gate-1', status: 'active' }))).toEqual([id]);
    expect(idsOf(await query('/v1/devices', { externalId: 'gate-1', status: 'retired' }))).toEqual([]);
    const console = { externalId: 'gate-1', enrollment_state: 'enrolled' };
    expect(idsOf(await query('/api/console/devices', console, account.token))).toEqual([id]);
    expect((await query('/v1/devices', { externalId: '' })).status).toBe(400);
  });

  it('status and enrollment_state: filter separately and together, over all pages', async () => {
    const retired: string[] = [];
    for (let n = 0; n < 4; n++) {
      service.clock.advance(1);
      const { id } = await create('devices', { name: `Gate ${n}` });
      const change = { as: account.key, body: { status: 'retired' } };
      if (n > 0) await service.call('PATCH', `/v1/devices/${id}`, change);
      if (n > 0) retired.unshift(id);
    }
    expect(await walk('/v1/devices', { status: 'retired' })).toEqual(retired);
    const path = '/api/console/devices';
    expect(await walk(path, { enrollment_state: 'enrolled' }, account.token)).toHaveLength(4);
    expect(await walk(path, { enrollment_state: 'pending', status: 'retired' }, account.token)).toEqual([]);
  });
});

/** All pages of five rows each. */
async function walk(path: string, filter: Record<string, string>, as = account.key): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await query(path, { ...filter, limit: '5', ...(cursor && { cursor }) }, as);
    expect(reply.status, reply.text).toBe(200);
    found.push(...idsOf(reply));
    cursor = reply.body.nextCursor;
  }
  return found;
}

interface Event {
  readonly id: string;
  readonly userId: string;
  readonly deviceId: string | null;
  readonly result: string;
  readonly method?: string;
  readonly type?: string;
  readonly occurredAt: string;
}

describe.each([
  ['verifications', 'method', ['face', 'manual', 'zkp'], ['pass', 'fail', 'challenge']],
  ['attendance', 'type', ['check_in', 'check_out'], ['accepted', 'rejected']],
] as const)('GET /v1/%s', (path, kind, kinds, results) => {
  let events: Event[];
  let users: string[];
  let devices: string[];

  beforeAll(async () => {
    await freshAccount();
    users = [await create('users', { fullName: 'A' }), await create('users', { fullName: 'B' })].map(
      ({ id }) => id,
    );
    devices = [await create('devices', { name: 'A' }), await create('devices', { name: 'B' })].map(
      ({ id }) => id,
    );
    events = [];
    for (let n = 0; n < 24; n++) {
      service.clock.advance(1);
      events.push(
        (await create(path, {
          [kind]: kinds[n % kinds.length],
          result: results[n % results.length],
          userId: users[(n >> 1) % 2],
          ...(n % 4 && { deviceId: devices[(n >> 2) % 2] }),
          // Times are not in the order of creation, and each occurs twice.
          occurredAt: at(-((n * 7) % 12)),
        })) as Event,
      );
    }
  });

  const byTime = (left: Event, right: Event) =>
    right.occurredAt.localeCompare(left.occurredAt) || right.id.localeCompare(left.id);

  it('returns the matching events of every combination of filters, ordered by time, over all pages [records/finding-records]', async () => {
    const choices = {
      userId: [undefined, users[0]],
      deviceId: [undefined, devices[1]],
      [kind]: [undefined, kinds[0]],
      result: [undefined, results[0]],
      from: [undefined, at(-8)],
      to: [undefined, at(-3)],
    } as const;
    let combinations: Record<string, string>[] = [{}];
    for (const [name, values] of Object.entries(choices))
      combinations = combinations.flatMap((rest) =>
        values.map((value) => (value === undefined ? rest : { ...rest, [name]: value })),
      );
    expect(combinations).toHaveLength(64);
    for (const filter of combinations) {
      const { from = '', to = '9', ...equal } = filter;
      const expected = events
        .filter((event) =>
          Object.entries(equal).every(([name, value]) => event[name as keyof Event] === value),
        )
        .filter(({ occurredAt }) => occurredAt >= from && occurredAt < to)
        .toSorted(
          filter.userId || filter.deviceId || filter.from || filter.to
            ? byTime
            : (left, right) => right.id.localeCompare(left.id),
        )
        .map(({ id }) => id);
      expect(idsOf(await query(`/v1/${path}`, filter)), JSON.stringify(filter)).toEqual(expected);
      expect(await walk(`/v1/${path}`, filter), JSON.stringify(filter)).toEqual(expected);
    }
  });

  it('returns an empty list for ids of another tenant, of the other environment, or unknown [records/finding-records]', async () => {
    for (const as of strangers) {
      expect(idsOf(await query(`/v1/${path}`, { userId: users[0]! }, as))).toEqual([]);
      expect(idsOf(await query(`/v1/${path}`, { deviceId: devices[0]! }, as))).toEqual([]);
    }
    const reply = await query(`/v1/${path}`, { userId: crypto.randomUUID(), deviceId: devices[0]! });
    expect([reply.status, reply.body]).toEqual([200, { [path]: [], environment: 'live', nextCursor: null }]);
    expect(idsOf(await query(`/v1/${path}`, { from: at(0), to: at(-8) }))).toEqual([]);
  });

  it('accepts an id in any letter case', async () => {
    const found = await query(`/v1/${path}`, { userId: users[0]!.toUpperCase() });
    expect(idsOf(found)).toHaveLength(12);
  });

  it.each([
    { userId: 'x' },
    { userId: '' },
    { deviceId: '{019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b}' },
    { from: '2026-05-12' },
    { from: '2026-05-12T09:30:00+02:00' },
    { to: '1715506200000' },
    { to: '2026-02-30T00:00:00Z' },
    { externalId: 'x' },
  ])('rejects %j', async (filter) => {
    expect((await query(`/v1/${path}`, filter)).body.error).toBe('invalid_request');
  });

  it('rejects a cursor of the list by id in the list by time, and accepts the opposite [records/finding-records]', async () => {
    const byId = (await query(`/v1/${path}`, { limit: '1' })).body.nextCursor;
    const rejected = await query(`/v1/${path}`, { userId: users[0]!, cursor: byId });
    expect([rejected.status, rejected.body.details[0].path]).toEqual([400, 'query.cursor']);
    const byTimeCursor = (await query(`/v1/${path}`, { userId: users[0]!, limit: '1' })).body.nextCursor;
    expect((await query(`/v1/${path}`, { cursor: byTimeCursor })).status).toBe(200);
  });

  it('starts a page below its cursor even if `to` is later', async () => {
    const { body } = await query(`/v1/${path}`, { to: at(-3), limit: '1' });
    const rest = (to: string) => query(`/v1/${path}`, { to, cursor: body.nextCursor });
    const below = idsOf(await rest(at(-3)));
    expect(idsOf(await rest(at(5)))).toEqual(below);
    const times = (await rest(at(-6))).body[path].map((event: Event) => event.occurredAt);
    expect(times.every((time: string) => time < at(-6))).toBe(true);
    expect(times.length).toBeGreaterThan(0);
  });
});

describe('the log', () => {
  it('never contains a filter’s value, whether the request succeeds or fails', async () => {
    await freshAccount();
    const email = 'needle7f3a@example.com';
    await create('users', { fullName: 'Ada', email, externalId: 'needle7f3a' });
    const before = service.logged.length;
    expect(idsOf(await query('/v1/users', { email, externalId: 'needle7f3a' }))).toHaveLength(1);
    const statuses = await Promise.all([
      query('/v1/users', { email, include: 'names,total' }),
      query('/v1/users', { email, limit: 'x' }),
      query('/v1/users', { email }, await service.createKey(account, 'live', ['audit:read'])),
      query('/v1/users', { email }, 'svc_live_0'),
      query('/v1/nothing', { email }),
      query('/v1/attendance', { from: 'needle7f3a' }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 400, 403, 401, 404, 400]);
    expect(service.logged.length - before).toBeGreaterThanOrEqual(7);
    expect(service.logged.slice(before).join('\n')).not.toContain('needle7f3a');
    service.clock.advance(60_000);
    const calls = await get('/api/console/usage', account.token);
    expect(calls.text).toContain('/v1/users');
    expect(calls.text).not.toContain('needle7f3a');
  });
});
