import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession, proveFor } from '../support/phone.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

const NOBODY = '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
let service: Service;
let account: Account;
let testKey: string;
let other: Account;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  testKey = await service.createKey(account, 'test');
  other = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const post = (path: string, body: unknown, as = account.key, headers = {}) =>
  service.call('POST', path, { as, body, headers });
const patch = (id: string, body: unknown, as = account.key) =>
  service.call('PATCH', `/v1/users/${id}`, { as, body });
const list = (query: string, as = account.key, path = '/v1/users') =>
  service.call('GET', `${path}?${query}`, { as });
const idOf = (reply: Reply): string => {
  expect(reply.status, reply.text).toBe(201);
  return (Object.values(reply.body)[0] as { id: string }).id;
};
const user = async (body: object = {}, as = account.key) =>
  idOf(await post('/v1/users', { fullName: 'Ada', ...body }, as));
const device = async (as = account.key) => idOf(await post('/v1/devices', { name: 'Gate' }, as));

describe('a user', () => {
  it('stores the given fields, null for the others, and is active', async () => {
    const primaryDeviceId = await device();
    const given = {
      fullName: 'Ada Lovelace',
      externalId: 'user-all',
      email: 'ada@example.com',
      phone: '+44 20 7946 0000',
      employeeCode: 'E-1',
      primaryDeviceId,
      metadata: { team: { name: 'Engine' }, tiny: 5e-324 },
    };
    const created = await post('/v1/users', given);
    const times = { createdAt: '2026-05-12T09:30:00.000Z', updatedAt: '2026-05-12T09:30:00.000Z' };
    const fixed = {
      ...{ id: expect.any(String), environment: 'live', status: 'active', erasedAt: null, ...times },
      emailFromDevice: false,
      nameConfirmation: null,
      ...{ siteId: null, attendanceFrom: null },
    };
    expect(created.body).toEqual({ user: { ...given, ...fixed } });
    const bare = await post('/v1/users', { fullName: 'B' });
    const nulls = { externalId: null, email: null, phone: null, employeeCode: null, primaryDeviceId: null };
    expect(bare.body).toEqual({ user: { fullName: 'B', ...nulls, metadata: null, ...fixed } });
    expect((await list('limit=2')).body.users).toEqual([bare.body.user, created.body.user]);
  });

  it('accepts a PATCH of single fields: null clears, metadata is replaced as a whole, the rest is kept [records/fields-of-records] [PATCH /v1/users/:userId]', async () => {
    const id = await user({
      email: 'a@example.com',
      phone: '1',
      externalId: 'u-p',
      metadata: { a: 1, b: 2 },
    });
    service.clock.advance(1_000);
    const changed = await patch(id, { phone: '2', metadata: { c: 3 } });
    expect(changed.body.user).toMatchObject({ email: 'a@example.com', phone: '2', metadata: { c: 3 } });
    expect(changed.body.user.updatedAt > changed.body.user.createdAt).toBe(true);
    const cleared = {
      externalId: null,
      email: null,
      phone: null,
      employeeCode: null,
      primaryDeviceId: null,
      metadata: null,
    };
    expect((await patch(id, cleared)).body.user).toMatchObject({ ...cleared, fullName: 'Ada' });
    const primaryDeviceId = await device();
    expect((await patch(id, { primaryDeviceId })).body.user.primaryDeviceId).toBe(primaryDeviceId);
    expect((await patch(id, { fullName: 'Grace', status: 'inactive' })).body.user).toMatchObject({
      fullName: 'Grace',
      status: 'inactive',
      primaryDeviceId,
    });
  });

  it('has the names of changed fields in the audit log, and none of their values [users/what-changed] [user.updated]', async () => {
    const id = await user({ email: 'a@example.com', metadata: { team: 'A', floor: 2, '+41 44': 'x' } });
    const metadataOf = async (body: object) => {
      expect((await patch(id, body)).status).toBe(200);
      const { audit } = (await list('limit=1', account.key, '/v1/audit')).body;
      expect(audit[0]).toMatchObject({ action: 'user.updated', entityId: id });
      return audit[0].metadata;
    };
    const seal = expect.stringMatching(/^[0-9a-f]{64}$/);
    const changed = (fields: string) => ({ fields, claims: false, seal });
    const same = { fullName: 'Ada', metadata: { floor: 2, team: 'A', '+41 44': 'x' } };
    expect(await metadataOf(same)).toEqual(changed(''));
    expect(await metadataOf({ fullName: 'Bo', email: 'b@example.com', status: 'active' })).toEqual(
      changed('email fullName'),
    );
    expect(await metadataOf({ metadata: { team: 'B', lead: true, floor: 2, '+41 44': 'x' } })).toEqual(
      changed('metadata.lead metadata.team'),
    );
    expect(await metadataOf({ metadata: { team: 'B', lead: true, floor: 2 }, phone: null })).toEqual(
      changed('metadata'),
    );
    expect(await metadataOf({ metadata: {} })).toEqual(changed('metadata.floor metadata.lead metadata.team'));
    expect(await metadataOf({ metadata: null })).toEqual(changed('metadata'));
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`name${at}`, at]));
    expect(await metadataOf({ metadata: many, status: 'inactive' })).toEqual(changed('metadata status'));
  });

  it.each([
    ['an empty body', {}],
    ['a null name', { fullName: null }],
    ['a blank name', { fullName: ' ' }],
    ['a null status', { status: null }],
    ['another status', { status: 'retired' }],
    ['an id', { id: NOBODY }],
    ['an environment', { environment: 'test' }],
    ['a device id that is not a UUID', { primaryDeviceId: 'x' }],
    ['a phone of 65 characters', { phone: '1'.repeat(65) }],
  ])('returns 400 to a PATCH with %s', async (_, body) => {
    const id = await user();
    expect((await patch(id, body)).body.error).toBe('invalid_request');
  });

  it.each([{}, { fullName: '' }, { fullName: 'A', status: 'inactive' }, { fullName: 'A', email: null }])(
    'returns 400 to a POST of %j',
    async (body) => expect((await post('/v1/users', body)).status).toBe(400),
  );

  it('accepts only a device of its own tenant and environment: otherwise returns 404 and changes nothing', async () => {
    const id = await user();
    for (const primaryDeviceId of [NOBODY, await device(testKey), await device(other.key)]) {
      const created = await post('/v1/users', { fullName: 'A', primaryDeviceId });
      expect([created.status, created.body.error]).toEqual([404, 'device_not_found']);
      const changed = await patch(id, { primaryDeviceId, fullName: 'Changed' });
      expect([changed.status, changed.body.error]).toEqual([404, 'device_not_found']);
    }
    expect((await list('limit=1')).body.users[0]).toMatchObject({ fullName: 'Ada', primaryDeviceId: null });
    expect((await patch(NOBODY, { fullName: 'B' })).body.error).toBe('user_not_found');
    expect((await patch(NOBODY, { status: 'inactive' })).body.error).toBe('user_not_found');
  });

  it('has a unique externalId in its tenant and environment: POST and PATCH return 409 until it is cleared [records/fields-of-records]', async () => {
    const id = await user({ externalId: 'one' });
    expect((await post('/v1/users', { fullName: 'B', externalId: 'one' })).body.error).toBe(
      'external_id_conflict',
    );
    const second = await user({ externalId: 'two' });
    const conflict = await patch(second, { externalId: 'one', fullName: 'Changed' });
    expect([conflict.status, conflict.body.error]).toEqual([409, 'external_id_conflict']);
    expect((await patch(second, { externalId: 'two' })).status).toBe(200);
    for (const as of [testKey, other.key]) await user({ externalId: 'one' }, as);
    await patch(id, { externalId: null });
    expect((await patch(second, { externalId: 'one' })).body.user).toMatchObject({ fullName: 'Ada' });
  });

  it('is listed newest first, filtered by status, over all pages [GET /v1/users]', async () => {
    const own = await service.signUp();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await user({}, own.key));
    await patch(ids[1] as string, { status: 'inactive' }, own.key);
    const seen = (reply: Reply) => reply.body.users.map((row: { id: string }) => row.id);
    expect(seen(await list('status=inactive', own.key))).toEqual([ids[1]]);
    const active = ids.filter((_, at) => at !== 1);
    const first = await list('status=active&limit=3', own.key);
    expect(seen(first)).toEqual(active.slice(0, 3));
    const next = await list(`status=active&limit=3&cursor=${first.body.nextCursor}`, own.key);
    expect([seen(next), next.body.nextCursor]).toEqual([active.slice(3), null]);
    for (const bad of ['status=gone', 'limit=0', 'limit=101', 'cursor=x', 'q='])
      expect((await list(bad, own.key)).status, bad).toBe(400);
  });

  it('is created once for each Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'users-1' };
    const first = await post('/v1/users', { fullName: 'Once' }, account.key, headers);
    const again = await post('/v1/users', { fullName: 'Once' }, account.key, headers);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    const reused = await post('/v1/users', { fullName: 'Twice' }, account.key, headers);
    expect(reused.body.error).toBe('idempotency_key_reused');
  });

  it('loses its sessions immediately when deactivated, also after it is active again', async () => {
    const { person, reply } = await openSession(service, account);
    const headers = { 'x-session-token': reply.body.accessToken };
    const me = () => service.call('GET', '/v1/identity/me', { as: account.key, headers });
    expect((await me()).status).toBe(200);
    await patch(person.userId, { status: 'inactive' });
    expect((await me()).body.error).toBe('invalid_session_token');
    const refresh = () => post('/v1/identity/refresh', { refreshToken: reply.body.refreshToken });
    expect((await refresh()).status).toBe(401);
    const proof = async () => proveFor(service, person, { tenantId: account.tenantId });
    expect((await post('/v1/identity/verify', await proof())).body.error).toBe('verification_failed');
    await patch(person.userId, { status: 'active' });
    expect((await me()).status).toBe(401);
    expect((await refresh()).status).toBe(401);
    expect((await post('/v1/identity/verify', await proof())).status).toBe(200);
  });
});

describe('an attendance event', () => {
  const attend = (body: object, as = account.key, headers = {}) => post('/v1/attendance', body, as, headers);
  const verification = async (body: object, as = account.key) =>
    idOf(await post('/v1/verifications', { method: 'manual', result: 'pass', ...body }, as));

  it('stores the given fields', async () => {
    const [userId, deviceId] = [await user(), await device()];
    const verificationId = await verification({ userId });
    const given = {
      userId,
      type: 'check_out',
      deviceId,
      verificationId,
      result: 'rejected',
      metadata: { gate: 3 },
      occurredAt: '2026-05-12T08:00:00.000Z',
    };
    const created = await attend(given);
    const fixed = { id: expect.any(String), environment: 'live', createdAt: expect.any(String) };
    const asserted = { reason: 'work', evidence: 'asserted', activity: null, mode: null, siteId: null };
    const open = { correctionId: null, contestedAt: null, voidedBy: null };
    expect(created.body).toEqual({ attendance: { ...given, ...fixed, ...asserted, ...open } });
    const bare = await attend({ userId, type: 'check_in' });
    const { attendance } = bare.body;
    expect(attendance).toMatchObject({ deviceId: null, verificationId: null, metadata: null });
    expect(attendance.occurredAt).toBe(attendance.createdAt);
  });

  it.each([
    [undefined, undefined, 'accepted'],
    ['pass', undefined, 'accepted'],
    ['fail', undefined, 'rejected'],
    ['challenge', undefined, 'rejected'],
    ['pass', 'accepted', 'accepted'],
    ['pass', 'rejected', 'rejected'],
    ['fail', 'accepted', 'accepted'],
    ['fail', 'rejected', 'rejected'],
    ['challenge', 'accepted', 'accepted'],
    ['challenge', 'rejected', 'rejected'],
    [undefined, 'rejected', 'rejected'],
    [undefined, 'accepted', 'accepted'],
  ])(
    'with a verification’s result %s and its own result %s is %s [records/result-of-attendance]',
    async (verified, result, expected) => {
      const userId = await user();
      const created = await attend({
        userId,
        type: 'check_in',
        ...(verified && { verificationId: await verification({ userId, result: verified }) }),
        ...(result && { result }),
      });
      expect(created.body.attendance.result).toBe(expected);
    },
  );

  it('returns 404 for references to another tenant or environment, and accepts inactive and retired records [records/fields-of-records]', async () => {
    const userId = await user();
    for (const as of [testKey, other.key]) {
      const theirUser = await user({}, as);
      const bad = async (body: object) => (await attend({ userId, type: 'check_in', ...body })).body.error;
      expect(await bad({ userId: theirUser })).toBe('user_not_found');
      expect(await bad({ deviceId: await device(as) })).toBe('device_not_found');
      expect(await bad({ verificationId: await verification({}, as) })).toBe('verification_not_found');
    }
    expect((await attend({ userId: NOBODY, type: 'check_in' })).body.error).toBe('user_not_found');
    const deviceId = await device();
    await service.call('PATCH', `/v1/devices/${deviceId}`, { as: account.key, body: { status: 'retired' } });
    await patch(userId, { status: 'inactive' });
    expect((await attend({ userId, deviceId, type: 'check_in' })).status).toBe(201);
  });

  it('returns 400 for a verification of another user, and accepts one without a user', async () => {
    const [userId, otherUserId] = [await user(), await user()];
    const verificationId = await verification({ userId: otherUserId });
    for (const result of ['accepted', 'rejected', undefined]) {
      const reply = await attend({ userId, type: 'check_in', verificationId, ...(result && { result }) });
      expect([reply.status, reply.body.details?.[0]?.path]).toEqual([400, 'body.verificationId']);
    }
    const anonymous = await verification({ result: 'fail' });
    const reply = await attend({ userId, type: 'check_in', verificationId: anonymous });
    expect(reply.body.attendance.result).toBe('rejected');
  });

  it.each([
    {},
    { type: 'check_in' },
    { userId: NOBODY },
    { userId: NOBODY, type: 'lunch' },
    { userId: NOBODY, type: 'check_in', result: 'pass' },
    { userId: NOBODY, type: 'check_in', occurredAt: '2026-05-12T09:30' },
    { userId: NOBODY, type: 'check_in', occurredAt: '2027-01-01T00:00:00.000Z' },
  ])('returns 400 to a POST of %j', async (body) => expect((await attend(body)).status).toBe(400));

  it('accepts a time at most five minutes in the future', async () => {
    const userId = await user();
    const at = (ms: number) => new Date(service.clock.now() + ms).toISOString();
    expect((await attend({ userId, type: 'check_in', occurredAt: at(300_000) })).status).toBe(201);
    expect((await attend({ userId, type: 'check_in', occurredAt: at(300_001) })).status).toBe(400);
  });

  it('is listed by type and result, and created once for each Idempotency-Key [GET /v1/attendance]', async () => {
    const own = await service.signUp();
    const userId = await user({}, own.key);
    for (const type of ['check_in', 'check_out'])
      for (const result of ['accepted', 'rejected']) await attend({ userId, type, result }, own.key);
    const seen = async (query: string) =>
      (await list(query, own.key, '/v1/attendance')).body.attendance.map(
        (row: { type: string; result: string }) => `${row.type} ${row.result}`,
      );
    expect(await seen('')).toEqual([
      'check_out rejected',
      'check_out accepted',
      'check_in rejected',
      'check_in accepted',
    ]);
    expect(await seen('type=check_in')).toEqual(['check_in rejected', 'check_in accepted']);
    expect(await seen('result=accepted')).toEqual(['check_out accepted', 'check_in accepted']);
    expect(await seen('type=check_out&result=rejected')).toEqual(['check_out rejected']);
    expect((await list('type=lunch', own.key, '/v1/attendance')).status).toBe(400);
    const headers = { 'idempotency-key': 'attendance-1' };
    const first = await attend({ userId, type: 'check_in' }, own.key, headers);
    const again = await attend({ userId, type: 'check_in' }, own.key, headers);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect(await seen('limit=100')).toHaveLength(5);
  });
});

describe('a list', () => {
  it('is filtered by method and result for verifications, and by status for devices [GET /v1/devices] [GET /v1/verifications]', async () => {
    const own = await service.signUp();
    for (const method of ['face', 'manual'])
      for (const result of ['pass', 'fail', 'challenge'])
        await post('/v1/verifications', { method, result }, own.key);
    const seen = async (query: string) =>
      (await list(query, own.key, '/v1/verifications')).body.verifications.map(
        (row: { method: string; result: string }) => `${row.method} ${row.result}`,
      );
    expect(await seen('method=face')).toEqual(['face challenge', 'face fail', 'face pass']);
    expect(await seen('result=fail')).toEqual(['manual fail', 'face fail']);
    expect(await seen('method=manual&result=pass&limit=1')).toEqual(['manual pass']);
    expect(await seen('method=zkp')).toEqual([]);
    const ids: string[] = [];
    for (const status of ['active', 'inactive', 'retired']) {
      const id = await device(own.key);
      ids.push(id);
      await service.call('PATCH', `/v1/devices/${id}`, { as: own.key, body: { status } });
    }
    for (const [at, status] of ['active', 'inactive', 'retired'].entries()) {
      const { body } = await list(`status=${status}`, own.key, '/v1/devices');
      expect(body.devices.map((row: { id: string }) => row.id)).toEqual([ids[at]]);
    }
    for (const bad of ['method=iris', 'result=ok'])
      expect((await list(bad, own.key, '/v1/verifications')).status).toBe(400);
    for (const bad of ['status=gone', 'enrollment_state=gone'])
      expect((await list(bad, own.key, '/v1/devices')).status).toBe(400);
  });
});

describe('people from a file [POST /v1/users/import] [users/import]', () => {
  const importInto = (as: string, users: readonly object[], headers = {}) =>
    post('/v1/users/import', { users }, as, headers);
  const named = async (fullName: string) =>
    (await list(`q=${encodeURIComponent(fullName)}`)).body.users as { externalId: string | null }[];
  const created = async (id: string) =>
    (await service.call('GET', `/api/console/audit?entityId=${id}`, { as: account.token })).body.audit;

  it('are created together, in order, each with an audit entry that names the import and the line', async () => {
    const reply = await importInto(account.key, [
      { fullName: 'Imported One', externalId: 'import-1', email: 'one@example.com' },
      { fullName: 'Imported Two', employeeCode: '2' },
    ]);
    expect(reply.status, reply.text).toBe(200);
    const [importId] = reply.body.users.map(({ id }: { id: string }) => id);
    for (const [line, fullName] of ['Imported One', 'Imported Two'].entries()) {
      const { id } = reply.body.users[line];
      expect((await service.call('GET', `/v1/users/${id}`, { as: account.key })).body.user.fullName).toBe(
        fullName,
      );
      expect(await created(id)).toMatchObject([{ action: 'user.created', metadata: { importId, line } }]);
    }
  });

  it('are left as they are if their external ID exists, and stop no other', async () => {
    await importInto(account.key, [{ fullName: 'Before', externalId: 'import-known' }]);
    const reply = await importInto(account.key, [
      { fullName: 'After', externalId: 'import-known' },
      { fullName: 'Beside Known' },
      { fullName: 'Twice', externalId: 'import-twice' },
      { fullName: 'Twice again', externalId: 'import-twice' },
    ]);
    const isNew = reply.body.users.map(({ id }: { id: string | null }) => id !== null);
    expect(isNew).toEqual([false, true, true, false]);
    expect(await named('After')).toEqual([]);
    expect(await named('Beside Known')).toHaveLength(1);
    // A file in which nobody is new changes nothing.
    const again = await importInto(account.key, [{ fullName: 'After', externalId: 'import-known' }]);
    expect(again.body).toEqual({ users: [{ id: null }] });
    // Another environment has its own external IDs.
    const test = await importInto(testKey, [{ fullName: 'Test', externalId: 'import-known' }]);
    expect(test.body.users[0].id).not.toBeNull();
  });

  it('are created by one of two imports at the same time, and the other leaves them as they are', async () => {
    const people = [{ fullName: 'Raced', externalId: 'import-raced' }];
    const replies = await Promise.all([importInto(account.key, people), importInto(account.key, people)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.filter(({ body }) => body.users[0].id === null)).toHaveLength(1);
    expect(await named('Raced')).toHaveLength(1);
  });

  it('are created once with an Idempotency-Key, and a repeated request returns the same ids', async () => {
    const people = [
      { fullName: 'Once', externalId: 'import-once' },
      { fullName: 'Known', externalId: 'import-known' },
      { fullName: 'Without ID' },
    ];
    const [first, other] = [
      await importInto(account.key, people, { 'idempotency-key': 'file-1' }),
      await importInto(account.key, people, { 'idempotency-key': 'file-2' }),
    ];
    const again = await importInto(account.key, people, { 'idempotency-key': 'file-1' });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(other.body.users.map(({ id }: { id: string | null }) => id !== null)).toEqual([
      false,
      false,
      true,
    ]);
    expect(await named('Without ID')).toHaveLength(2);
    expect((await importInto(account.key, people.slice(1), { 'idempotency-key': 'file-1' })).body.error).toBe(
      'idempotency_key_reused',
    );
  });

  it('are all left out if one is invalid, and each invalid field is named', async () => {
    const reply = await importInto(account.key, [
      { fullName: 'Left Out' },
      { fullName: '' },
      { fullName: 'x'.repeat(201), email: 5 },
    ]);
    expect(reply.status).toBe(400);
    const paths = reply.body.details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['body.users.1.fullName', 'body.users.2.fullName']));
    expect(await named('Left Out')).toEqual([]);
    expect((await importInto(account.key, [])).status).toBe(400);
    expect((await importInto(account.key, Array(101).fill({ fullName: 'Many' }))).status).toBe(400);
  });
});
