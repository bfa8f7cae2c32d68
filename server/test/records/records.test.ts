import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Service, START, startService } from '../support/service.js';

const NOW = new Date(START).toISOString();
let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const post = (path: string, body: unknown) => service.call('POST', path, { as: account.key, body });
const fixed = { id: expect.any(String), environment: 'live', createdAt: NOW };

describe('a device created by a trusted service', () => {
  it('stores the given fields, null for the others, and is enrolled immediately [Device enrollment: (none) → enrolled]', async () => {
    const given = {
      name: 'Gate',
      deviceType: 'mobile_ios',
      externalId: 'asset-1',
      locationId: 'L1',
      batteryLevel: 12.5,
      metadata: { floor: 2 },
    };
    const enrolled = {
      ...fixed,
      updatedAt: NOW,
      status: 'active',
      enrollment_state: 'enrolled',
      lastSeenAt: null,
      fingerprint: null,
      attestation_kind: null,
      keyThumbprint: null,
    };
    const full = await post('/v1/devices', given);
    expect([full.status, full.body]).toEqual([201, { device: { ...given, ...enrolled } }]);
    const bare = await post('/v1/devices', { name: 'Bare' });
    const nulls = { externalId: null, locationId: null, batteryLevel: null, metadata: null };
    expect(bare.body).toEqual({ device: { name: 'Bare', deviceType: 'kiosk', ...nulls, ...enrolled } });
  });

  it.each(['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'])(
    'accepts the type %s',
    async (deviceType) => {
      expect((await post('/v1/devices', { name: 'A', deviceType })).body.device.deviceType).toBe(deviceType);
    },
  );

  it('is rejected with another type, without a name, or with an unknown field', async () => {
    for (const body of [
      {},
      { name: 'A', deviceType: 'phone' },
      { name: 'A', deviceType: null },
      { name: 'A', x: 1 },
    ])
      expect((await post('/v1/devices', body)).body.error).toBe('invalid_request');
  });

  it('accepts a PATCH of single fields: null clears, metadata is replaced as a whole, an empty body returns 400 [PATCH /v1/devices/:deviceId]', async () => {
    const created = await post('/v1/devices', {
      name: 'A',
      locationId: 'L1',
      batteryLevel: 3,
      metadata: { a: 1 },
    });
    const patch = (body: object) =>
      service.call('PATCH', `/v1/devices/${created.body.device.id}`, { as: account.key, body });
    expect((await patch({ metadata: { b: 2 }, lastSeenAt: NOW })).body.device).toEqual({
      ...created.body.device,
      metadata: { b: 2 },
      lastSeenAt: NOW,
    });
    const cleared = {
      locationId: null,
      batteryLevel: null,
      metadata: null,
      lastSeenAt: null,
      externalId: null,
    };
    expect((await patch(cleared)).body.device).toMatchObject({ name: 'A', ...cleared });
    for (const body of [{}, { name: null }, { status: null }, { enrollment_state: 'revoked' }, { id: 'x' }])
      expect((await patch(body)).body.error).toBe('invalid_request');
    const other = await service.call('PATCH', `/v1/devices/${crypto.randomUUID()}`, {
      as: account.key,
      body: { name: 'B' },
    });
    expect([other.status, other.body.error]).toEqual([404, 'device_not_found']);
  });
});

describe('a verification event', () => {
  it('stores the given fields, and null for the others', async () => {
    const userId = (await post('/v1/users', { fullName: 'Ada' })).body.user.id;
    const deviceId = (await post('/v1/devices', { name: 'Gate' })).body.device.id;
    const given = {
      method: 'depth',
      result: 'challenge',
      userId,
      deviceId,
      reason: 'too dark',
      confidenceScore: 41.5,
      referenceId: 'ref-1',
      metadata: { lamp: false },
      occurredAt: '2026-05-12T08:00:00.000Z',
    };
    const full = await post('/v1/verifications', given);
    expect([full.status, full.body]).toEqual([201, { verification: { ...given, ...fixed } }]);
    const bare = await post('/v1/verifications', { method: 'manual', result: 'pass' });
    const nulls = { userId: null, deviceId: null, reason: null, confidenceScore: null, referenceId: null };
    expect(bare.body).toEqual({
      verification: {
        method: 'manual',
        result: 'pass',
        ...nulls,
        metadata: null,
        ...fixed,
        occurredAt: NOW,
      },
    });
  });

  it('is returned on creation exactly as it is listed later', async () => {
    const userId = (await post('/v1/users', { fullName: 'Ada' })).body.user.id;
    const deviceId = (await post('/v1/devices', { name: 'Gate' })).body.device.id;
    const body = fc.record(
      {
        userId: fc.constantFrom(userId, userId.toUpperCase()),
        deviceId: fc.constantFrom(deviceId, deviceId.toUpperCase()),
        reason: fc.stringMatching(/^[a-zé😀 "\\]{1,20}$/u),
        confidenceScore: fc.double({ min: 0, max: 100, noNaN: true }),
        metadata: fc.dictionary(
          fc.stringMatching(/^[a-z"\\10]{1,5}$/),
          fc.jsonValue({ maxDepth: 1, noUnicodeString: true }),
          { maxKeys: 3 },
        ),
        occurredAt: fc
          .date({ min: new Date('2000-01-01'), max: new Date(NOW), noInvalidDate: true })
          .map((date) => date.toISOString()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        const created = await post('/v1/verifications', { method: 'manual', result: 'pass', ...given });
        fc.pre(created.status !== 400); // for example a reserved name
        expect(created.status).toBe(201);
        const list = await service.call('GET', '/v1/verifications?limit=1', { as: account.key });
        expect(JSON.stringify(list.body.verifications[0])).toBe(JSON.stringify(created.body.verification));
      }),
      { numRuns: 25 },
    );
  });

  it.each(['zkp', 'fingerprint', 'face', 'depth', 'saml', 'oidc', 'manual'])(
    'accepts the method %s with every result',
    async (method) => {
      for (const result of ['pass', 'fail', 'challenge'])
        expect((await post('/v1/verifications', { method, result })).body.verification).toMatchObject({
          method,
          result,
        });
    },
  );

  it('is rejected with another method or result, or without either', async () => {
    for (const body of [
      {},
      { method: 'face' },
      { result: 'pass' },
      { method: 'iris', result: 'pass' },
      { method: 'face', result: 'ok' },
      { method: ['face'], result: 'pass' },
    ])
      expect((await post('/v1/verifications', body)).body.error).toBe('invalid_request');
  });
});

describe('a list', () => {
  it.each(['verifications', 'attendance'])(
    'of %s never returns a row that was deleted by SQL',
    async (table) => {
      const { user } = (await post('/v1/users', { fullName: 'Zoë' })).body;
      const body =
        table === 'attendance' ? { type: 'check_in', userId: user.id } : { method: 'manual', result: 'pass' };
      const { status, body: created } = await post(`/v1/${table}`, body);
      expect(status).toBe(201);
      const [{ id }] = Object.values(created) as [{ id: string }];
      const list = async (path: string, as: string): Promise<string[]> =>
        (await service.call('GET', path, { as })).body[table].map((row: { id: string }) => row.id);
      const both = async () => [
        await list(`/v1/${table}`, account.key),
        await list(`/v1/${table}?sort=oldest&limit=100`, account.key),
      ];
      for (const ids of await both()) expect(ids).toContain(id);
      await service.db.query({
        text: `delete from ${table} where tenant_id = $1 and id = $2`,
        values: [account.tenantId, id],
      });
      for (const ids of await both()) expect(ids).not.toContain(id);
    },
  );
});
