import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import {
  createKeyPair,
  deviceToken,
  enrolWithKey,
  type KeyedDevice,
  openSession,
  requestText,
  revokeDevice,
  sessionBody,
  signedBody,
  signText,
  stampAt,
} from '../support/device-keys.js';
import { openPairing, phone, poll, proveForPairing, scanOf, watch } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { createSite } from '../support/punches.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const SESSIONS = '/v1/proof-pairing/sessions';
const HOURS = 60 * 60_000;
let service: Service;
let account: Account;
let device: KeyedDevice;
let token: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  device = await enrolWithKey(service, account);
  token = await deviceToken(service, device);
});
afterAll(() => service.close());

const openWith = (body: object) =>
  service.call('POST', '/v1/devices/session', { body, address: freshAddress() });
const profile = (as: string) => service.call('GET', '/v1/profile', { as });
const expectInvalid = async (as: string) => {
  const reply = await profile(as);
  expect([reply.status, reply.body.error]).toEqual([401, 'device_session_invalid']);
};
/** What a phone sends to approve a pairing session. */
async function approval(pairing: Awaited<ReturnType<typeof openPairing>>) {
  const person = await registerPerson(service, account.key);
  const { id: sessionId, nonce, matchCode = '' } = pairing;
  const proved = await proveForPairing(person, { tenantId: account.tenantId, sessionId, nonce, matchCode });
  return { person, body: { ...proved, ...scanOf(pairing) } };
}

describe('the session of a device [devices/session-of-a-device] [POST /v1/devices/session]', () => {
  it('is opened with its signature alone, lasts 12 hours, and is in the audit log as an act of the device [device.session_opened]', async () => {
    const reply = await openSession(service, device);
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        token: expect.stringMatching(/^svc_device_[\w-]+\.[\w-]+\.[\w-]+$/),
        expiresIn: 43_200,
        tenantId: account.tenantId,
        environment: 'live',
      },
    ]);
    const audit = await service.call('GET', '/v1/audit?limit=1', { as: account.key });
    expect(audit.body.audit[0]).toMatchObject({
      action: 'device.session_opened',
      actorType: 'device',
      actorId: device.id,
      entityId: device.id,
    });
    expect((await profile(reply.body.token)).body.profile.name).toBeTypeOf('string');
  });

  it('tells a desk whether people clock in: once its environment has a site [GET /v1/profile]', async () => {
    const other = await service.signUp();
    const desk = await deviceToken(service, await enrolWithKey(service, other));
    expect((await profile(desk)).body.profile).toMatchObject({ hasSites: false });
    await createSite(service, other);
    expect((await profile(desk)).body.profile).toMatchObject({ hasSites: true });
  });

  it('updates when the device was last seen [devices/last-seen]', async () => {
    const one = await enrolWithKey(service, account);
    service.clock.advance(1_000);
    await openSession(service, one);
    const { body } = await service.call('GET', `/v1/devices/${one.id}`, { as: account.key });
    expect(body.device.lastSeenAt).toBe(new Date(service.clock.now()).toISOString());
  });

  it('refuses every wrong signature with one and the same answer [device_signature_invalid]', async () => {
    const revoked = await enrolWithKey(service, account);
    await revokeDevice(service, account, revoked);
    const closed = await service.signUp();
    const inactive = await enrolWithKey(service, closed);
    await service.setStatus(closed, 'suspended');
    const good = sessionBody(device, service);
    const stamp = stampAt(service);
    const bodies = [
      { ...good, deviceId: crypto.randomUUID() },
      { ...good, jti: `${good.jti}x` },
      { ...good, timestamp: good.timestamp + 1 },
      sessionBody({ ...device, environment: 'test' }, service),
      sessionBody({ ...device, tenantId: crypto.randomUUID() }, service),
      sessionBody({ ...device, ...createKeyPair() }, service),
      sessionBody(revoked, service),
      sessionBody(inactive, service),
      sessionBody(device, service, { ...stamp, timestamp: stamp.timestamp - 61_000 }),
      sessionBody(device, service, { ...stamp, timestamp: stamp.timestamp + 61_000 }),
      // A signature for a pairing session with an empty body.
      { deviceId: device.id, ...stamp, signature: signText(device, requestText(device, stamp, {})) },
    ];
    const answers: string[] = [];
    for (const body of bodies) {
      const { status, body: answer } = await openWith(body);
      expect(status).toBe(401);
      answers.push(JSON.stringify({ ...answer, requestId: '' }));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('device_signature_invalid');
    expect((await openWith(good)).status).toBe(201);
    expect((await openWith(good)).status, 'again').toBe(401);
  });

  it('needs the key whose thumbprint the chain has sealed, whatever key somebody put into the database', async () => {
    const [one, other] = [await enrolWithKey(service, account), await enrolWithKey(service, account)];
    await service.db.query(sql`update devices t set public_key = o.public_key from devices o
      where t.id = ${one.id} and o.id = ${other.id}`);
    const { privateKey } = other;
    expect((await openWith(sessionBody({ ...one, privateKey }, service))).status).toBe(401);
    expect((await openWith(sessionBody(other, service))).status).toBe(201);
  });

  it('shares its jtis with the signed pairing sessions', async () => {
    const body = signedBody(device, service);
    expect((await service.call('POST', SESSIONS, { as: account.key, body })).status).toBe(201);
    const { jti, timestamp } = body.device;
    expect((await openWith(sessionBody(device, service, { jti, timestamp }))).status).toBe(401);
  });

  it('is limited to 60 a minute for one address', async () => {
    const address = freshAddress();
    const body = { ...sessionBody(device, service), deviceId: crypto.randomUUID() };
    for (let call = 0; call < 60; call += 1)
      expect((await service.call('POST', '/v1/devices/session', { body, address })).status).toBe(401);
    expect((await service.call('POST', '/v1/devices/session', { body, address })).status).toBe(429);
  });
});

describe('a kiosk with its session [devices/what-a-device-can-do]', () => {
  it('signs a person in: it shows the code, the phone approves with the number, the kiosk gets the tokens', async () => {
    const pairing = await openPairing(service, token, undefined, { match: 'off' });
    expect(pairing.matchCode).toMatch(/^\d\d$/);
    const stream = await watch(service, token, pairing);
    expect((await stream.next()).event).toBe('session_created');
    const { person, body } = await approval(pairing);
    expect((await phone(service, pairing.id, 'submit', body)).status).toBe(200);
    expect(await stream.next()).toMatchObject({ event: 'session_bound', data: { userId: person.userId } });
    expect((await poll(service, token, pairing)).body.tokens.accessToken).toBeTypeOf('string');
    const [event] = await service.db.query<{ actor_type: string; actor_id: string }>(sql`
      select actor_type, actor_id from audit_events
      where tenant_id = ${account.tenantId} and action = 'pairing.session_created' and entity_id = ${pairing.id}`);
    expect(event).toEqual({ actor_type: 'device', actor_id: device.id });
  });

  it('greets the person by name, ends their session, and tells nobody else the name [devices/greeting-a-person] [POST /v1/identity/logout]', async () => {
    const pairing = await openPairing(service, token);
    const { person, body } = await approval(pairing);
    expect((await phone(service, pairing.id, 'submit', body)).status).toBe(200);
    const user = await service.call('GET', `/v1/users/${person.userId}`, { as: account.key });
    const userName = user.body.user.fullName;
    expect(userName).toMatch(/./);
    const { data } = await (await watch(service, token, pairing)).next();
    expect(data).toMatchObject({ userName });
    expect((await poll(service, token, pairing)).body.session).toMatchObject({ userName });
    const byKey = (await poll(service, account.key, pairing)).body.session;
    expect(byKey).not.toHaveProperty('userName');
    const headers = { 'x-session-token': data.tokens.accessToken };
    const logOut = () => service.call('POST', '/v1/identity/logout', { as: token, headers });
    expect((await logOut()).body).toEqual({ loggedOut: true });
    expect((await logOut()).status).toBe(401);
  });

  it('cancels a session that waits, which ends its stream [pairing/cancelling] [DELETE /v1/proof-pairing/sessions/:id] [pairing.cancelled]', async () => {
    const pairing = await openPairing(service, token);
    const stream = await watch(service, token, pairing);
    await stream.next();
    const path = `${SESSIONS}/${pairing.id}`;
    const cancel = () => service.call('DELETE', path, { as: token, headers: { cookie: pairing.cookie } });
    for (let time = 0; time < 2; time += 1)
      expect((await cancel()).body).toEqual({ session: { id: pairing.id, state: 'expired' } });
    expect((await stream.next()).event).toBe('session_expired');
    expect(await stream.ended()).toBe(true);
    const { body } = await approval(pairing);
    expect((await phone(service, pairing.id, 'submit', body)).status).toBe(410);
    const without = await service.call('DELETE', path, { as: token });
    expect([without.status, without.body.error]).toEqual([403, 'pairing_bind_mismatch']);
  });

  it('cancels nothing that has ended', async () => {
    const pairing = await openPairing(service, token);
    const { body } = await approval(pairing);
    await phone(service, pairing.id, 'submit', body);
    const headers = { cookie: pairing.cookie };
    const reply = await service.call('DELETE', `${SESSIONS}/${pairing.id}`, { as: token, headers });
    expect(reply.body.session.state).toBe('bound');
  });

  it('finds no session that it did not open, also with its cookie [pairing_session_not_found]', async () => {
    const other = await deviceToken(service, await enrolWithKey(service, account));
    for (const opener of [account.key, other]) {
      const pairing = await openPairing(service, opener);
      const headers = { cookie: pairing.cookie };
      for (const [method, suffix] of [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/stream'],
      ] as const) {
        const path = `${SESSIONS}/${pairing.id}${suffix}`;
        const reply = await service.call(method, path, { as: token, headers, endless: suffix !== '' });
        expect([reply.status, reply.body.error], path).toEqual([404, 'pairing_session_not_found']);
      }
    }
  });

  it('opens, watches and cancels registrations of new people, and no others [session_not_found]', async () => {
    const opened = await service.call('POST', '/v1/registrations', {
      as: token,
      body: { profile: { fullName: 'Ada Lovelace' } },
    });
    expect(opened.status).toBe(201);
    const path = `/v1/registrations/${opened.body.session.id}`;
    expect((await service.call('GET', path, { as: token })).body.session.state).toBe('awaiting_device');
    expect((await service.call('DELETE', path, { as: token })).body.session.state).toBe('abandoned');
    expect((await service.call('GET', path, { as: account.key })).status).toBe(200);
    const theirs = await service.call('POST', '/v1/registrations', { as: account.key, body: {} });
    for (const method of ['GET', 'DELETE']) {
      const reply = await service.call(method, `/v1/registrations/${theirs.body.session.id}`, { as: token });
      expect([reply.status, reply.body.error]).toEqual([404, 'session_not_found']);
    }
    const { userId } = await registerPerson(service, account.key);
    const taken = await service.call('POST', '/v1/registrations', { as: token, body: { userId } });
    expect([taken.status, taken.body.error]).toEqual([403, 'insufficient_scopes']);
  });

  it.each([
    ['externalId', { externalId: 'employee-1' }],
    ['employeeCode', { employeeCode: '1815' }],
    ['primaryDeviceId', { primaryDeviceId: crypto.randomUUID() }],
    ['metadata', { metadata: { groups: ['admins'] } }],
    ['groups', { groups: ['admins'] }],
  ])(
    'may send a name, an e-mail and a phone number of somebody, and not %s [users/what-a-device-says] [POST /v1/registrations] [invalid_request]',
    async (field, other) => {
      const typed = { fullName: 'Ada Lovelace', email: 'ada@example.com', phone: '+41 44 668 18 00' };
      const opened = await service.call('POST', '/v1/registrations', { as: token, body: { profile: typed } });
      expect([opened.status, opened.body.session?.profile]).toEqual([201, typed]);
      const profile = Object.defineProperties({ ...typed }, Object.getOwnPropertyDescriptors(other));
      const reply = await service.call('POST', '/v1/registrations', { as: token, body: { profile } });
      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
      expect(reply.body.details[0].path).toBe(`body.profile.${field}`);
    },
  );

  it('does not sign the body too, and is not the person’s own phone', async () => {
    const signed = await service.call('POST', SESSIONS, { as: token, body: signedBody(device, service) });
    expect([signed.status, signed.body.details[0].path]).toEqual([400, 'body.device']);
    const body = { sameDevice: true, returnUrl: 'https://app.example.com/in' };
    expect((await service.call('POST', SESSIONS, { as: token, body })).body.error).toBe('invalid_request');
  });

  it('counts in the plan’s window, and its calls are in the account’s usage', async () => {
    const own = await service.signUp();
    const as = await deviceToken(service, await enrolWithKey(service, own));
    const first = await profile(as);
    const second = await profile(as);
    expect(first.headers['x-svc-tenant']).toBe(own.tenantId);
    expect(
      Number(first.headers['x-ratelimit-remaining']) - Number(second.headers['x-ratelimit-remaining']),
    ).toBe(1);
    const usage = await service.call('GET', '/api/console/usage', { as: own.token });
    expect(usage.body.currentMonth.used).toBe(2);
    for (let call = 0; call < 98; call += 1) await profile(as);
    const last = await profile(as);
    expect([last.status, last.body.error]).toEqual([429, 'rate_limit_exceeded']);
  });

  it('twenty at a time: each sees its own session alone', async () => {
    const devices = await Promise.all(Array.from({ length: 20 }, () => enrolWithKey(service, account)));
    const tokens = await Promise.all(devices.map((one) => deviceToken(service, one)));
    const pairings = await Promise.all(tokens.map((as) => openPairing(service, as)));
    const seen = await Promise.all(
      tokens.map((as, index) => poll(service, as, pairings[index]!).then(({ status }) => status)),
    );
    const foreign = await Promise.all(
      tokens.map((as, index) => poll(service, as, pairings[(index + 1) % 20]!).then(({ status }) => status)),
    );
    expect([seen, foreign]).toEqual([Array(20).fill(200), Array(20).fill(404)]);
  });
});

describe('a session of a device ends [devices/what-a-device-can-do] [device_session_invalid]', () => {
  it('after 12 hours', async () => {
    const as = await deviceToken(service, device);
    service.clock.advance(12 * HOURS - 1_000);
    expect((await profile(as)).status).toBe(200);
    service.clock.advance(1_000);
    await expectInvalid(as);
    token = await deviceToken(service, device);
  });

  it('when its device is revoked while a person signs in: its watch ends, its token is invalid, and the phone’s proof opens nothing', async () => {
    const one = await enrolWithKey(service, account);
    const as = await deviceToken(service, one);
    const pairing = await openPairing(service, as);
    const stream = await watch(service, as, pairing);
    await stream.next();
    const { body } = await approval(pairing);
    await revokeDevice(service, account, one);
    expect(await stream.ended()).toBe(true);
    expect(stream.text()).not.toContain('session_bound');
    await expectInvalid(as);
    expect((await poll(service, as, pairing)).status).toBe(401);
    const submitted = await phone(service, pairing.id, 'submit', body);
    expect([submitted.status, submitted.body.error]).toEqual([410, 'pairing_session_expired']);
    expect((await poll(service, account.key, pairing)).body.tokens).toBeNull();
  });

  it.each([
    ['inactive', 200],
    ['retired', 401],
  ])('while its device is %s', async (status, afterwards) => {
    const one = await enrolWithKey(service, account);
    const as = await deviceToken(service, one);
    const set = (to: string) =>
      service.call('PATCH', `/v1/devices/${one.id}`, { as: account.key, body: { status: to } });
    await set(status);
    await expectInvalid(as);
    await set('active');
    expect((await profile(as)).status).toBe(afterwards);
  });

  it('when its device gets another key', async () => {
    const one = await enrolWithKey(service, account);
    const as = await deviceToken(service, one);
    const other = createKeyPair();
    await service.db.query(sql`update devices set key_thumbprint = ${other.thumbprint} where id = ${one.id}`);
    await expectInvalid(as);
  });

  it('when its account is suspended', async () => {
    const own = await service.signUp();
    const as = await deviceToken(service, await enrolWithKey(service, own));
    await service.setStatus(own, 'suspended');
    const reply = await profile(as);
    expect([reply.status, reply.body.error]).toEqual([403, 'tenant_inactive']);
  });

  it('also for phones that join a registration of a device that was revoked [pair_failed]', async () => {
    const one = await enrolWithKey(service, account);
    const as = await deviceToken(service, one);
    const { body } = await service.call('POST', '/v1/registrations', { as, body: {} });
    await revokeDevice(service, account, one);
    const reply = await service.call('POST', '/v1/registrations/pair-device', {
      body: { pair_code: body.pair.code, fingerprint: 'phone:0123456789abcdef' },
      address: freshAddress(),
    });
    expect([reply.status, reply.body.error]).toEqual([404, 'pair_failed']);
  });

  it.each([
    ['a changed signature', (good: string) => `${good.slice(0, -2)}xx`],
    ['no signature', (good: string) => good.replace(/\.[^.]*$/, '.')],
    ['nothing behind its prefix', () => 'svc_device_'],
    ['a token of the dashboard', () => `svc_device_${account.token}`],
  ])('and never began with %s', async (_, change) => {
    await expectInvalid(change(token));
  });
});
