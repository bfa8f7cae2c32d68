import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { completeCeremony, freshFingerprint, openCeremony, pair } from '../support/ceremony.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import { proveFor } from '../support/phone.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';

const MINUTE = 60_000;
let db: CountingDatabase;
let service: Service;
let account: Account;

beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  service = await startService({ db });
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const console = (method: string, path: string, body?: object, as = account.token) =>
  service.call(method, `/api/console/devices${path}`, { as, ...(body && { body }) });
const create = async (body: object = {}, query = '', as = account.token) => {
  const reply = await console('POST', query, { name: 'Kiosk', ...body }, as);
  expect(reply.status, reply.text).toBe(201);
  return { id: reply.body.device.id as string, code: reply.body.enrollment.code as string, reply };
};
const enroll = (
  code: unknown,
  fingerprint: unknown = freshFingerprint(),
  address = freshAddress(),
  on = service,
) => on.call('POST', '/v1/devices/enroll', { body: { enrollment_code: code, fingerprint }, address });
const shown = async (id: string) =>
  (await console('GET', '?limit=100')).body.devices.find((device: { id: string }) => device.id === id);
const patchV1 = (id: string, body: object) =>
  service.call('PATCH', `/v1/devices/${id}`, { as: account.key, body });

describe('a device created in the console', () => {
  it('is created inactive, with a code valid for fifteen minutes and a deeplink [Device enrollment: (none) → pending] [http/spelling-of-fields] [POST /api/console/devices]', async () => {
    const body = { deviceType: 'iot_bridge', locationId: 'L1', metadata: { floor: 2 } };
    const { reply, code } = await create(body);
    expect(reply.body).toEqual({
      device: {
        id: expect.any(String),
        environment: 'live',
        name: 'Kiosk',
        ...body,
        externalId: null,
        batteryLevel: null,
        status: 'inactive',
        lastSeenAt: null,
        enrollment_state: 'pending',
        fingerprint: null,
        attestation_kind: null,
        keyThumbprint: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      enrollment: {
        code: expect.stringMatching(/^SV-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
        expires_at: new Date(service.clock.now() + 15 * MINUTE).toISOString(),
        deeplink: `svc://enroll?code=${code}`,
      },
    });
    expect((await create()).reply.body.device.deviceType).toBe('kiosk');
    for (const bad of [{}, { name: '' }, { name: 'A', externalId: 'x' }, { name: 'A', deviceType: 'phone' }])
      expect((await console('POST', '', bad)).status).toBe(400);
  });

  it('is listed within its environment, filtered by status and enrollment state [GET /api/console/devices]', async () => {
    const own = await service.signUp();
    const [waiting, enrolled, revoked, test] = [
      await create({}, '', own.token),
      await create({}, '', own.token),
      await create({}, '', own.token),
      await create({}, '?environment=test', own.token),
    ];
    await enroll(enrolled.code);
    await console('DELETE', `/${revoked.id}`, undefined, own.token);
    const seen = async (query: string) =>
      (await console('GET', query, undefined, own.token)).body.devices.map((row: { id: string }) => row.id);
    expect(await seen('?enrollment_state=pending')).toEqual([waiting.id]);
    expect(await seen('?enrollment_state=enrolled&status=active')).toEqual([enrolled.id]);
    expect(await seen('?enrollment_state=revoked')).toEqual([revoked.id]);
    expect(await seen('?status=retired')).toEqual([revoked.id]);
    expect(await seen('?status=active&enrollment_state=pending')).toEqual([]);
    expect(await seen('?environment=test')).toEqual([test.id]);
    expect(await seen('')).toHaveLength(3);
    for (const bad of ['?enrollment_state=gone', '?environment=prod', '?limit=0'])
      expect((await console('GET', bad)).status).toBe(400);
  });

  it('accepts a PATCH of the fields that the console may change, and rejects others [PATCH /api/console/devices/:id]', async () => {
    const { id } = await create({ locationId: 'L1' });
    const body = { name: 'Lobby', locationId: null, deviceType: 'desktop', metadata: { a: 1 } };
    expect((await console('PATCH', `/${id}`, body)).body.device).toMatchObject(body);
    for (const bad of [
      {},
      { batteryLevel: 1 },
      { externalId: 'x' },
      { enrollment_state: 'enrolled' },
      { name: null },
    ])
      expect((await console('PATCH', `/${id}`, bad)).status).toBe(400);
  });

  it('stays inactive until it is enrolled: both PATCH endpoints return 409 [devices/statuses]', async () => {
    const { id, code } = await create();
    for (const reply of [
      await console('PATCH', `/${id}`, { status: 'active' }),
      await patchV1(id, { status: 'active' }),
    ])
      expect([reply.status, reply.body.error]).toEqual([409, 'invalid_transition']);
    expect((await console('PATCH', `/${id}`, { status: 'inactive' })).status).toBe(200);
    expect((await enroll(code)).body.device).toMatchObject({
      status: 'active',
      enrollment_state: 'enrolled',
    });
  });

  it('can never be enrolled after it was retired while pending', async () => {
    const { id, code } = await create();
    expect((await console('PATCH', `/${id}`, { status: 'retired' })).status).toBe(200);
    expect((await enroll(code)).body.error).toBe('enrollment_failed');
    expect((await console('POST', `/${id}/regenerate-code`)).body.error).toBe('device_not_pending');
  });

  it('gets a new code on request, which voids the previous one immediately [Device enrollment: pending → pending] [POST /api/console/devices/:id/regenerate-code]', async () => {
    const { id, code } = await create();
    service.clock.advance(5 * MINUTE);
    const again = await console('POST', `/${id}/regenerate-code`);
    expect(again.status).toBe(201);
    expect(again.body.device.id).toBe(id);
    expect(again.body.enrollment.code).not.toBe(code);
    expect(again.body.enrollment.expires_at).toBe(new Date(service.clock.now() + 15 * MINUTE).toISOString());
    expect((await enroll(code)).body.error).toBe('enrollment_failed');
    expect((await enroll(again.body.enrollment.code)).status).toBe(201);
  });

  it('gets no new code unless it is pending: returns 409 and changes nothing [devices/statuses] [devices/revoking-and-retiring]', async () => {
    const enrolled = await create();
    await enroll(enrolled.code);
    const revoked = await create();
    await console('DELETE', `/${revoked.id}`);
    const direct = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'A' } });
    const ceremony = await openCeremony(service, account);
    await pair(service, ceremony);
    for (const id of [enrolled.id, revoked.id, direct.body.device.id, ceremony.deviceId as string]) {
      const before = await shown(id);
      const reply = await console('POST', `/${id}/regenerate-code`);
      expect([reply.status, reply.body.error]).toEqual([409, 'device_not_pending']);
      expect(await shown(id)).toEqual(before);
      const codes = await db.query(
        sql`select 1 from one_time_codes where subject_id = ${id} and used_at is null`,
      );
      expect(codes).toEqual([]);
    }
  });

  it('is retired by a revocation, which voids its code, cannot be undone, and has no effect when repeated [Device enrollment: any → revoked] [devices/revoking-and-retiring] [DELETE /api/console/devices/:id]', async () => {
    const { id, code } = await create();
    const revoked = await console('DELETE', `/${id}`);
    expect(revoked.body.device).toMatchObject({ status: 'retired', enrollment_state: 'revoked' });
    expect((await enroll(code)).body.error).toBe('enrollment_failed');
    for (const reply of [
      await console('PATCH', `/${id}`, { status: 'active' }),
      await patchV1(id, { status: 'inactive' }),
    ])
      expect([reply.status, reply.body.error]).toEqual([409, 'invalid_transition']);
    service.clock.advance(1_000);
    const head = async () =>
      (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.head.seq;
    const seq = await head();
    const again = await console('DELETE', `/${id}`);
    expect([again.status, again.body]).toEqual([200, revoked.body]);
    expect(await head()).toBe(seq);
    const direct = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'A' } });
    expect(direct.body.device).toMatchObject({ status: 'active', enrollment_state: 'enrolled' });
    await console('DELETE', `/${direct.body.device.id}`);
    expect((await patchV1(direct.body.device.id, { status: 'active' })).status).toBe(409);
  });

  it('is revoked once by simultaneous requests, with one audit event and the same response to each', async () => {
    const { id } = await create();
    const replies = await Promise.all(Array.from({ length: 8 }, () => console('DELETE', `/${id}`)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.body.device).toMatchObject({ id, enrollment_state: 'revoked' });
    const { body } = await service.call('GET', '/v1/audit?action=device.revoked', { as: account.key });
    expect(body.audit.filter((row: { entityId: string }) => row.entityId === id)).toHaveLength(1);
  });

  it('when revoked, also revokes the identities created on it and their sessions, and no others', async () => {
    const { c, reply } = await completeCeremony(service, account);
    const { c: bystander } = await completeCeremony(service, account);
    const verify = async (of: typeof c) => {
      const body = await proveFor(service, of.identity, { tenantId: account.tenantId });
      return service.call('POST', '/v1/identity/verify', { as: account.key, body });
    };
    const session = await verify(c);
    const headers = { 'x-session-token': session.body.accessToken };
    const me = () => service.call('GET', '/v1/identity/me', { as: account.key, headers });
    expect((await me()).body.user.id).toBe(reply.body.tenant_user.id);
    await console('DELETE', `/${c.deviceId}`);
    expect((await me()).body.error).toBe('invalid_session_token');
    expect((await verify(c)).body.error).toBe('verification_failed');
    expect((await verify(bystander)).status).toBe(200);
  });
});

describe('enrolling with a code', () => {
  it('claims the device and stores its fingerprint and attestation kind [Device enrollment: pending → enrolled] [http/headers] [POST /v1/devices/enroll]', async () => {
    const { code, id } = await create();
    const fingerprint = freshFingerprint();
    const body = { enrollment_code: code, fingerprint, attestation_kind: 'tpm' };
    const reply = await service.call('POST', '/v1/devices/enroll', { body, address: freshAddress() });
    expect(reply.status).toBe(201);
    expect(reply.body.device).toMatchObject({
      id,
      fingerprint,
      attestation_kind: 'tpm',
      status: 'active',
      enrollment_state: 'enrolled',
      lastSeenAt: new Date(service.clock.now()).toISOString(),
    });
    for (const name of ['x-svc-tenant', 'x-ratelimit-limit']) expect(reply.headers).not.toHaveProperty(name);
    const audit = await service.call('GET', '/v1/audit?limit=1', { as: account.key });
    expect(audit.body.audit[0]).toMatchObject({
      action: 'device.enrolled',
      actorType: 'phone',
      entityId: id,
    });
  });

  it('accepts a fingerprint of 16 to 256 characters and an attestation kind of 1 to 64 [devices/fingerprints]', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:_.=+/-';
    const unique = freshFingerprint().replace(/[^\w]/g, '');
    for (const fingerprint of [unique.slice(-16), (unique + alphabet).padEnd(256, 'f')]) {
      const { code } = await create();
      expect((await enroll(code, fingerprint)).body.device.fingerprint).toBe(fingerprint);
    }
    const send = async (attestation_kind: unknown) => {
      const body = {
        enrollment_code: (await create()).code,
        fingerprint: freshFingerprint(),
        attestation_kind,
      };
      return service.call('POST', '/v1/devices/enroll', { body, address: freshAddress() });
    };
    for (const kind of ['x', 'x'.repeat(64)])
      expect((await send(kind)).body.device.attestation_kind).toBe(kind);
    for (const kind of ['', ' ', 'x'.repeat(65), 1, null]) expect((await send(kind)).status).toBe(400);
  });

  it.each(['lower case', 'spaces', 'no dash', 'no prefix', 'look-alikes'])(
    'accepts a code with %s',
    async (how) => {
      const { code } = await create();
      const typed = {
        'lower case': code.toLowerCase(),
        spaces: ` ${code.replaceAll('-', '  ')} `,
        'no dash': code.replaceAll('-', ''),
        'no prefix': code.slice(3),
        'look-alikes': `SV-${code.slice(3).replaceAll('8', 'b').replaceAll('5', 's').replaceAll('2', 'z')}`,
      }[how];
      expect((await enroll(typed)).status).toBe(201);
    },
  );

  const suspended = async () => {
    const own = await service.signUp();
    const { code } = await create({}, '', own.token);
    await db.query(sql`update tenants set status = 'suspended' where id = ${own.tenantId}`);
    return code;
  };
  const causes: Record<string, () => Promise<[unknown, unknown?]>> = {
    'an unknown code': async () => ['SV-2222-3333'],
    'no code at all': async () => [''],
    'an incomplete code': async () => ['SV-2222'],
    'a code with other characters': async () => ['SV-0OIL-U111'],
    'a very long string': async () => ['SV-'.repeat(5_000)],
    'an expired code': async () => {
      const { code } = await create();
      service.clock.advance(15 * MINUTE);
      return [code];
    },
    'a used code': async () => {
      const { code } = await create();
      expect((await enroll(code)).status).toBe(201);
      return [code];
    },
    'a voided code': async () => {
      const { id, code } = await create();
      await console('POST', `/${id}/regenerate-code`);
      return [code];
    },
    'a revoked device': async () => {
      const { id, code } = await create();
      await console('DELETE', `/${id}`);
      return [code];
    },
    'a code for another purpose': async () => [(await openCeremony(service, account)).pairCode],
    'a suspended tenant': async () => [await suspended()],
    'a short fingerprint': async () => [(await create()).code, 'f'.repeat(15)],
    'a long fingerprint': async () => [(await create()).code, 'f'.repeat(257)],
    'a fingerprint with other characters': async () => [(await create()).code, 'fingerprint with spaces'],
    'an empty fingerprint': async () => [(await create()).code, ''],
    'a fingerprint of another device': async () => {
      const fingerprint = freshFingerprint();
      expect((await enroll((await create()).code, fingerprint)).status).toBe(201);
      return [(await create()).code, fingerprint];
    },
  };
  it.each(Object.keys(causes))(
    'with %s returns the same 404 after the same two statements, and changes nothing [registrations/endpoints-with-a-code]',
    async (cause) => {
      const [code, fingerprint] = await (causes[cause] as (typeof causes)[string])();
      db.statements.length = 0;
      await enroll('SV-2222-3333');
      const expected = db.statements.filter((text) => !isByTimer(text));
      db.statements.length = 0;
      const reply = await enroll(code, fingerprint);
      expect(expected).toHaveLength(2);
      expect(db.statements.filter((text) => !isByTimer(text))).toEqual(expected);
      expect(reply.status).toBe(404);
      expect({ ...reply.body, requestId: '' }).toEqual({
        error: 'enrollment_failed',
        message: expect.any(String),
        docs: '/docs/errors#enrollment_failed',
        requestId: '',
      });
      const reference = await enroll('SV-2222-3333');
      expect(reply.text.length).toBe(reference.text.length);
      expect(Object.keys(reply.headers).sort()).toEqual(Object.keys(reference.headers).sort());
    },
  );

  it('keeps the code when the fingerprint is rejected, and accepts the fingerprint of a revoked or retired device [devices/fingerprints]', async () => {
    const { code } = await create();
    const fingerprint = freshFingerprint();
    const first = await create();
    await enroll(first.code, fingerprint);
    expect((await enroll(code, 'bad')).status).toBe(404);
    expect((await enroll(code, fingerprint)).status).toBe(404);
    await console('DELETE', `/${first.id}`);
    expect((await enroll(code, fingerprint)).status).toBe(201);
    const other = await service.signUp();
    expect((await enroll((await create({}, '', other.token)).code, fingerprint)).status).toBe(201);
    expect((await enroll((await create({}, '?environment=test')).code, fingerprint)).status).toBe(201);
  });

  it.each([
    ['an empty body', {}],
    ['no fingerprint', { enrollment_code: 'SV-2222-3333' }],
    ['a code that is not a string', { enrollment_code: 1, fingerprint: 'f'.repeat(16) }],
    ['a fingerprint that is not a string', { enrollment_code: 'SV-2222-3333', fingerprint: null }],
    ['an unknown field', { enrollment_code: 'SV-2222-3333', fingerprint: 'f'.repeat(16), x: 1 }],
    ['an array', []],
  ])('with %s returns 400', async (_, body) => {
    const reply = await service.call('POST', '/v1/devices/enroll', { body, address: freshAddress() });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('accepts a code for 14:59 minutes, and rejects it from 15:00 [limit: Enrollment and ceremony code TTL]', async () => {
    const { code } = await create();
    const late = await create();
    service.clock.advance(15 * MINUTE - 1_000);
    expect((await enroll(code)).status).toBe(201);
    service.clock.advance(1_000);
    expect((await enroll(late.code)).body.error).toBe('enrollment_failed');
  });

  it('accepts one of twenty simultaneous requests', async () => {
    const { code, id } = await create();
    const replies = await Promise.all(Array.from({ length: 20 }, () => enroll(code)));
    expect(replies.map((reply: Reply) => reply.status).sort()).toEqual([201, ...Array(19).fill(404)]);
    const winner = replies.find((reply) => reply.status === 201) as Reply;
    expect((await shown(id)).fingerprint).toBe(winner.body.device.fingerprint);
    const audit = await service.call('GET', '/v1/audit?action=device.enrolled&limit=1', { as: account.key });
    expect(audit.body.audit[0].entityId).toBe(id);
  });

  it('returns 429 to the 11th call within a minute from one address before any look-up, and keeps its code valid [limit: Device enroll]', async () => {
    const address = freshAddress();
    const { code } = await create();
    for (let call = 0; call < 10; call += 1)
      expect((await enroll(call % 2 ? '' : 1, '', address)).status).toBe(call % 2 ? 404 : 400);
    db.statements.length = 0;
    const rejected = await enroll(code, freshFingerprint(), address);
    expect([rejected.status, rejected.body.error, rejected.headers['retry-after']]).toEqual([
      429,
      'rate_limit_exceeded',
      '60',
    ]);
    expect(db.statements.filter((text) => text.includes('one_time_codes'))).toEqual([]);
    service.clock.advance(MINUTE);
    expect((await enroll(code, freshFingerprint(), address)).status).toBe(201);
  });
});

describe('a valid code', () => {
  it('is stored only as a keyed hash, and never logged [devices/alphabet-of-codes]', async () => {
    const { code } = await create();
    const { pairCode } = await openCeremony(service, account);
    await enroll(code, 'bad');
    const tables = await db.query<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    for (const secret of [code, pairCode]) {
      const forms = [secret, secret.replaceAll('-', ''), secret.slice(3), secret.slice(3).replace('-', '')];
      for (const { name } of tables) {
        const text = `select count(*) as n from ${name} t where to_jsonb(t)::text like any ($1::text[])`;
        const [row] = await db.query<{ n: number }>({ text, values: [forms.map((form) => `%${form}%`)] });
        expect(row?.n, name).toBe(0);
      }
      const log = service.logged.join('\n');
      for (const form of forms) expect(log.includes(form), 'the log contains a code').toBe(false);
    }
    const rows = await db.query<{ code_hash: string }>(sql`select code_hash from one_time_codes limit 5`);
    expect(rows).not.toEqual([]);
    for (const row of rows) expect(row.code_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('stays valid after a change of the server’s secret as long as the previous secret is configured', async () => {
    const [first, second] = [await create(), await create()];
    const old = 'the secret of the tests, 32 bytes and more';
    const secret = 'another secret of the tests, 32 bytes and more';
    const clock = service.clock;
    const rotated = await startService({ db, clock, secret, env: { SVC_SECRET_PREVIOUS: old } });
    expect((await enroll(first.code, freshFingerprint(), freshAddress(), rotated)).status).toBe(201);
    const after = await startService({ db, clock, secret });
    expect((await enroll(second.code, freshFingerprint(), freshAddress(), after)).status).toBe(404);
    await rotated.close();
    await after.close();
  });

  it('counts towards the tenant’s limit of 2,000: returns 429 until codes expire or are used [devices/guessing-codes] [devices/live-codes]', async () => {
    const own = await service.signUp();
    const first = await create({}, '', own.token);
    await db.query(sql`insert into one_time_codes (code_hash, purpose, tenant_id, environment, subject_id, expires_at)
      select encode(sha256((${own.tenantId} || n)::bytea), 'hex'), 'device', ${own.tenantId}::uuid, 'test', gen_random_uuid(),
        ${new Date(service.clock.now() + 15 * MINUTE)}::timestamptz from generate_series(1, 1998) n`);
    await create({}, '', own.token);
    const full = await console('POST', '', { name: 'One more' }, own.token);
    expect([full.status, full.body.error]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
    const ceremony = await service.call('POST', '/v1/registrations', { as: own.key, body: {} });
    expect(ceremony.status).toBe(429);
    expect((await console('GET', '', undefined, own.token)).body.devices).toHaveLength(2);
    // A code that replaces another does not add to the count.
    expect((await console('POST', `/${first.id}/regenerate-code`, undefined, own.token)).status).toBe(201);
    expect((await create()).code).toBeTruthy();
    service.clock.advance(15 * MINUTE);
    await create({}, '', own.token);
  });
});
