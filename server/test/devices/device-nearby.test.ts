import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  deviceToken,
  enrolWithKey,
  type KeyedDevice,
  revokeDevice,
  signedBody,
} from '../support/device-keys.js';
import { openPairing, type Pairing, proveForPairing, scanOf, setPolicy, submit } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const NEARBY = { new_browser: 'nearby_or_same_device' };
const SESSIONS = '/v1/proof-pairing/sessions';

let service: Service;
let account: Account;
let device: KeyedDevice;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
beforeEach(async () => {
  device = await enrolWithKey(service, account);
  await policy(NEARBY);
});
afterAll(() => service.close());

const policy = (fields: object) => setPolicy(service, account, fields);
/** With a key, and the device's signature in the body. */
const openSigned = () => openPairing(service, account.key, undefined, signedBody(device, service));
/** With the session of the device. */
const openAlone = async () => openPairing(service, await deviceToken(service, device));

/** What the phone of a new person gets that scans the code and types the number. */
async function approve({ id: sessionId, nonce, qrPayload, matchCode = '' }: Pairing, number = matchCode) {
  const person = await registerPerson(service, account.key);
  const use = { tenantId: account.tenantId, sessionId, nonce, matchCode: number };
  const proved = await proveForPairing(person, use);
  const reply = await submit(service, account.key, sessionId, { ...proved, ...scanOf({ qrPayload }) });
  return [reply.status, reply.body.error ?? reply.body.session.state];
}
const stateOf = async ({ id }: Pairing) =>
  (await service.call('GET', `${SESSIONS}?id=${id}`, { as: account.key })).body.sessions[0].state;

describe.each([
  ['that signs what its backend sends', openSigned],
  ['with a session of its own', openAlone],
])('an enrolled device %s, under `nearby_or_same_device` [browsers/enrolled-devices]', (_, open) => {
  it('opens a session with a number and a code that moves, and people sign in there [POST /v1/proof-pairing/sessions]', async () => {
    const session = await open();
    expect(session.matchCode).toMatch(/^\d\d$/);
    expect(session.qrPayload).toMatch(/^za:pair:2:/);
    expect(await approve(session)).toEqual([200, 'bound']);
  });

  it('still needs the right number [pairing_match_failed]', async () => {
    const session = await open();
    const wrong = session.matchCode === '42' ? '24' : '42';
    expect(await approve(session, wrong)).toEqual([401, 'pairing_match_failed']);
  });

  it('keeps the session that waits while the policy is raised', async () => {
    await policy({});
    const session = await open();
    for (const value of ['number', 'nearby_or_same_device']) {
      await policy({ new_browser: value });
      expect(await stateOf(session)).toBe('issued');
    }
    expect(await approve(session)).toEqual([200, 'bound']);
  });

  it('ends the session that waits when it is revoked [pairing_session_expired]', async () => {
    const session = await open();
    await revokeDevice(service, account, device);
    expect(await approve(session)).toEqual([410, 'pairing_session_expired']);
  });

  it('ends the session that waits when it is deactivated [pairing_session_expired]', async () => {
    const session = await open();
    const body = { status: 'inactive' };
    await service.call('PATCH', `/v1/devices/${device.id}`, { as: account.key, body });
    expect(await approve(session)).toEqual([410, 'pairing_session_expired']);
  });

  it('signs nobody in with `same_device_only`', async () => {
    const session = await open();
    await policy({ ...NEARBY, same_device_only: true });
    expect(await stateOf(session)).toBe('expired');
    await expect(open()).rejects.toThrow('body.sameDevice');
  });
});

describe('a session of no device [browsers/enrolled-devices]', () => {
  it('fails, also with a wrong signature [new_browser_refused] [device_signature_invalid]', async () => {
    const open = (body: object) => service.call('POST', SESSIONS, { as: account.key, body });
    const plain = await open({ match: 'type' });
    expect([plain.status, plain.body.error]).toEqual([403, 'new_browser_refused']);
    const forged = await open({ ...signedBody(device, service), rotate: true });
    expect([forged.status, forged.body.error]).toEqual([401, 'device_signature_invalid']);
    await revokeDevice(service, account, device);
    const revoked = await open(signedBody(device, service));
    expect([revoked.status, revoked.body.error]).toEqual([401, 'device_signature_invalid']);
  });

  it('uses no signature up that it refuses for another reason', async () => {
    await policy({ ...NEARBY, same_device_only: true });
    const body = signedBody(device, service);
    const open = () => service.call('POST', SESSIONS, { as: account.key, body });
    expect((await open()).status).toBe(400);
    await policy(NEARBY);
    expect((await open()).status).toBe(201);
  });
});

// Last, because the log-in that the other tests create devices with lasts a day.
describe('a kiosk under `nearby_or_same_device` [browsers/enrolled-devices] [devices/session-of-a-device]', () => {
  it('signs people in around the clock, and only has to open its session again every 12 hours', async () => {
    let token = await deviceToken(service, device);
    let opened = 1;
    for (let hour = 0; hour < 24; hour += 1) {
      const probe = await service.call('GET', '/v1/profile', { as: token });
      if (probe.status === 401) {
        expect(probe.body.error).toBe('device_session_invalid');
        token = await deviceToken(service, device);
        opened += 1;
      }
      const left = await openPairing(service, token);
      expect(await approve(await openPairing(service, token))).toEqual([200, 'bound']);
      service.clock.advance(60 * 60_000);
      expect(await stateOf(left)).toBe('expired');
    }
    expect(opened).toBe(2);
    await revokeDevice(service, account, device);
    expect((await service.call('GET', '/v1/profile', { as: token })).status).toBe(401);
  });
});
