import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import {
  createKeyPair,
  enrolWithKey,
  type KeyedDevice,
  requestText,
  revokeDevice,
  signedBody,
  signText,
  stampAt,
} from '../support/device-keys.js';
import { bindPairing, phone, proveForPairing, scanOf, setPolicy } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

const SESSIONS = '/v1/proof-pairing/sessions';
let service: Service;
let account: Account;
let device: KeyedDevice;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  device = await enrolWithKey(service, account);
});
afterAll(() => service.close());

const open = (body: object, as = account.key) => service.call('POST', SESSIONS, { as, body });
const rowOf = async ({ body }: Reply) => {
  const [row] = await service.db.query<{ opened_by_device: string; rotates: boolean; match_hash: string }>(
    sql`select opened_by_device, rotates, match_hash from proof_pairing_sessions where id = ${body.session.id}`,
  );
  return row!;
};
const countOf = async () => {
  const [row] = await service.db.query<{ n: number }>(sql`select count(*) as n from proof_pairing_sessions
    where tenant_id = ${account.tenantId}`);
  return row!.n;
};
async function expectRefused(body: object, as = account.key): Promise<Reply> {
  const before = await countOf();
  const reply = await open(body, as);
  expect([reply.status, reply.body.error]).toEqual([401, 'device_signature_invalid']);
  expect(reply.headers).not.toHaveProperty('set-cookie');
  expect(await countOf()).toBe(before);
  return reply;
}

describe('a pairing session that an enrolled device signed [devices/signed-pairing-sessions] [POST /v1/proof-pairing/sessions]', () => {
  it.each([
    ['asks for the number and moves by itself', {}],
    ['asks for the number also if the body says off', { match: 'off' }],
    ['moves also if the body says that it does not', { rotate: false, match: 'off' }],
  ])('%s', async (_, body) => {
    const reply = await open(signedBody(device, service, body));
    expect([reply.status, reply.body.session.matchCode]).toEqual([201, expect.stringMatching(/^\d\d$/)]);
    expect(reply.body.session.qrPayload).toMatch(/^za:pair:2:/);
    expect(await rowOf(reply)).toEqual({
      opened_by_device: device.id,
      rotates: true,
      match_hash: expect.any(String),
    });
  });

  it('is listed with its device', async () => {
    await open(signedBody(device, service));
    const { body } = await service.call('GET', `${SESSIONS}?limit=1`, { as: account.key });
    expect(body.sessions[0].deviceId).toBe(device.id);
  });

  it('records its device with the sign-in and with a failed one [devices/device-of-a-sign-in]', async () => {
    const person = await registerPerson(service, account.key);
    const signIn = async (wrong: boolean) => {
      const { session } = (await open(signedBody(device, service))).body;
      const { id: sessionId, nonce, matchCode } = session;
      const typed = wrong ? String((Number(matchCode) + 1) % 100).padStart(2, '0') : matchCode;
      const proved = await proveForPairing(person, {
        ...{ tenantId: account.tenantId, sessionId, nonce },
        matchCode: typed,
      });
      return (await phone(service, sessionId, 'submit', { ...proved, ...scanOf(session) })).status;
    };
    expect([await signIn(true), await signIn(false)]).toEqual([401, 200]);
    const path = `/v1/verifications?deviceId=${device.id}&include=names`;
    const { verifications } = (await service.call('GET', path, { as: account.key })).body;
    expect(verifications).toMatchObject([
      { result: 'pass', userId: person.userId, deviceId: device.id, deviceName: expect.any(String) },
      { result: 'fail', userId: person.userId, deviceId: device.id },
    ]);
    const other = await bindPairing(service, account);
    const own = `/v1/verifications?userId=${other.person.userId}`;
    const [unsigned] = (await service.call('GET', own, { as: account.key })).body.verifications;
    expect(unsigned).toMatchObject({ result: 'pass', deviceId: null });
  });

  it('accepts any order of the fields, because what is signed is canonical', async () => {
    const body = { rotate: true, match: 'type', context: { application: 'Zürich — 東京 €' } };
    const { device: signed, ...rest } = signedBody(device, service, body);
    const turned = Object.fromEntries(Object.entries(rest).reverse());
    expect((await open({ device: signed, ...turned })).status).toBe(201);
  });

  it('accepts a jti once', async () => {
    const body = signedBody(device, service);
    expect((await open(body)).status).toBe(201);
    await expectRefused(body);
    const stamp = { ...stampAt(service), jti: body.device.jti };
    await expectRefused(signedBody(device, service, { rotate: true }, stamp));
  });

  it('does not use the jti up if the session was not opened', async () => {
    const body = signedBody(device, service, { context: { origin: 'https://elsewhere.example.com' } });
    expect((await open(body)).body.error).toBe('origin_not_allowed');
    await setPolicy(service, account, { origins: ['https://elsewhere.example.com'] });
    expect((await open(body)).status).toBe(201);
    await setPolicy(service, account, {});
  });

  it('accepts the clock of the device up to 60 seconds from its own', async () => {
    for (const off of [-60_000, 60_000, 0]) {
      const stamp = { ...stampAt(service), timestamp: service.clock.now() + off };
      expect((await open(signedBody(device, service, {}, stamp))).status, String(off)).toBe(201);
    }
    for (const off of [-60_001, 60_001, -61_000, 61_000, 86_400_000]) {
      const stamp = { ...stampAt(service), timestamp: service.clock.now() + off };
      await expectRefused(signedBody(device, service, {}, stamp));
    }
  });

  it('remembers a jti longer than its signature could be accepted', async () => {
    const stamp = { ...stampAt(service), timestamp: service.clock.now() + 60_000 };
    const body = signedBody(device, service, {}, stamp);
    expect((await open(body)).status).toBe(201);
    service.clock.advance(119_000);
    await expectRefused(body);
  });

  it('refuses a body that was changed by a byte, and every other field of the signed text', async () => {
    const body = signedBody(device, service, { context: { application: 'Northwind Portal' } });
    await expectRefused({ ...body, context: { application: 'Northwind Portam' } });
    await expectRefused({ ...body, rotate: true });
    await expectRefused({ device: body.device });
    for (const change of [
      { timestamp: body.device.timestamp + 1 },
      { jti: `${body.device.jti}x` },
      {
        signature: `${body.device.signature.slice(0, 84)}${body.device.signature[84] === 'A' ? 'B' : 'A'}${body.device.signature[85]}`,
      },
      { id: crypto.randomUUID() },
    ])
      await expectRefused({ ...body, device: { ...body.device, ...change } });
    expect((await open(body)).status, 'the right one').toBe(201);
  });

  it('refuses the signature of a session, and that of another text', async () => {
    const stamp = stampAt(service);
    for (const text of [
      requestText(device, stamp),
      requestText({ ...device, environment: 'test' }, stamp, {}),
      requestText({ ...device, tenantId: crypto.randomUUID() }, stamp, {}),
      requestText(device, stamp, {}).replace('svc-device-v1', 'svc-device-enrol-v1'),
    ])
      await expectRefused({ device: { id: device.id, ...stamp, signature: signText(device, text) } });
  });

  it('refuses with one and the same answer an unknown device, those of others, without a key and with another key', async () => {
    const stranger = await service.signUp({ plan: 'enterprise' });
    const theirs = await enrolWithKey(service, stranger);
    const inTest = await enrolWithKey(service, account, 'test');
    const made = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'No key' } });
    const without = { ...device, id: made.body.device.id as string };
    const devices = [
      { ...device, id: crypto.randomUUID() },
      theirs,
      { ...theirs, tenantId: account.tenantId },
      inTest,
      { ...inTest, environment: 'live' as const },
      without,
      { ...device, ...createKeyPair() },
    ];
    const answers: string[] = [];
    for (const one of devices) {
      const { requestId: _, ...answer } = (await expectRefused(signedBody(one, service))).body;
      answers.push(JSON.stringify(answer));
    }
    expect(new Set(answers).size).toBe(1);
  });

  it.each(['inactive', 'retired'])('refuses a device that is %s', async (status) => {
    const one = await enrolWithKey(service, account);
    await service.call('PATCH', `/v1/devices/${one.id}`, { as: account.key, body: { status } });
    await expectRefused(signedBody(one, service));
  });

  it('refuses a device that was revoked', async () => {
    const one = await enrolWithKey(service, account);
    await revokeDevice(service, account, one);
    await expectRefused(signedBody(one, service));
  });

  it.each([
    ['a short jti', { jti: 'short' }],
    ['a jti with other characters', { jti: '||||||||||||||||' }],
    ['a timestamp as text', { timestamp: '1' }],
    ['a timestamp with a fraction', { timestamp: 1.5 }],
    ['an id that is no UUID', { id: 'device' }],
    ['a field that is not known', { alg: 'none' }],
  ])('refuses %s with 400', async (_, change) => {
    const body = signedBody(device, service);
    const reply = await open({ ...body, device: { ...body.device, ...change } });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('is not for the same device', async () => {
    await setPolicy(service, account, { origins: ['https://app.example.com'] });
    const body = { sameDevice: true, returnUrl: 'https://app.example.com/in' };
    const reply = await open(signedBody(device, service, body));
    expect([reply.status, reply.body.details[0].path]).toEqual([400, 'body.sameDevice']);
    await setPolicy(service, account, {});
  });

  it('can be opened by twenty devices simultaneously, each for itself', async () => {
    const devices = await Promise.all(Array.from({ length: 20 }, () => enrolWithKey(service, account)));
    const replies = await Promise.all(devices.map((one) => open(signedBody(one, service))));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const openers = await Promise.all(replies.map(async (reply) => (await rowOf(reply)).opened_by_device));
    expect(openers).toEqual(devices.map(({ id }) => id));
  });
});
