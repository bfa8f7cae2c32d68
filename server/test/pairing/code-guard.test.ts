import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ceremonyBefore,
  commitBody,
  completeBody,
  freshFingerprint,
  openCeremony,
  pairBody,
  phone,
} from '../support/ceremony.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const MINUTE = 60_000;
let service: Service;
let account: Account;

beforeEach(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterEach(() => service.close());

const guess = (address = freshAddress(), extra: object = {}) =>
  phone(
    service,
    'pair-device',
    { pair_code: 'SV-2222-3333', fingerprint: freshFingerprint(), ...extra },
    address,
  );
const enroll = (code: string, address = freshAddress()) =>
  service.call('POST', '/v1/devices/enroll', {
    body: { enrollment_code: code, fingerprint: freshFingerprint() },
    address,
  });
const guarded = async () => {
  const { status, body } = await service.call('GET', '/api/health');
  return { http: status, overall: body.status, ...body.subsystems.codes };
};
async function raise(count = 101) {
  for (let call = 0; call < count; call += 1) expect((await guess()).status).toBe(404);
}

describe('the code-guessing guard', () => {
  it('is raised by the 101st wrong code within a minute, counted over the whole service [devices/guessing-codes]', async () => {
    const { code } = (
      await service.call('POST', '/api/console/devices', { as: account.token, body: { name: 'K' } })
    ).body.enrollment;
    expect(await guarded()).toEqual({ http: 200, overall: 'ok', status: 'ok', guarded: false });
    const address = freshAddress();
    for (let call = 0; call < 50; call += 1) {
      expect((await guess()).status).toBe(404);
      expect((await enroll('SV-2222-3333')).status).toBe(404);
    }
    expect((await guarded()).guarded).toBe(false);
    expect((await guess(address)).status).toBe(404);
    expect(await guarded()).toEqual({ http: 200, overall: 'degraded', status: 'degraded', guarded: true });
    expect(service.logged.filter((line) => line.includes('guard on guessing is up'))).toHaveLength(1);
    // Each address still has one attempt, and a valid code is accepted.
    expect((await guess(address)).status).toBe(404);
    const rejected = await guess(address);
    expect([rejected.status, rejected.body.error, rejected.headers['retry-after']]).toEqual([
      429,
      'rate_limit_exceeded',
      '900',
    ]);
    expect((await enroll(code, address)).status).toBe(429);
    expect((await enroll(code)).status).toBe(201);
  });

  it('leaves all clients together whose address nobody can read a hundred attempts [limits/addresses-from-proxies]', {
    tags: ['ci'],
  }, async () => {
    const behind = await startService({ env: { TRUST_PROXY: '10.9.0.1' } });
    const pair = (from: string) =>
      behind.call('POST', '/v1/registrations/pair-device', {
        body: { pair_code: 'SV-2222-3333', fingerprint: freshFingerprint() },
        address: '10.9.0.1',
        headers: { 'x-forwarded-for': from },
      });
    try {
      for (let call = 0; call < 201; call += 1)
        expect((await pair(`_client-${call}`)).status, `${call}`).toBe(404);
      for (let call = 0; call < 2; call += 1) expect((await pair('_other')).status).toBe(429);
      expect((await pair('203.0.113.7:5678')).status).toBe(404);
      expect((await pair('203.0.113.7:5679')).status).toBe(429);
    } finally {
      await behind.close();
    }
  });

  it('forgets wrong codes after a minute and never counts valid ones', async () => {
    await raise(100);
    service.clock.advance(MINUTE);
    await raise(100);
    await ceremonyBefore(service, account, 'complete');
    expect((await guarded()).guarded).toBe(false);
  });

  it('is lowered after fifteen minutes', async () => {
    await raise();
    const address = freshAddress();
    await guess(address);
    service.clock.advance(15 * MINUTE - 1);
    expect((await guess(address)).status).toBe(429);
    service.clock.advance(1);
    expect(await guarded()).toMatchObject({ overall: 'ok', guarded: false });
    expect((await guess(address)).status).toBe(404);
    expect((await guess(address)).status).toBe(404);
  });

  it('leaves one attempt to each IPv4 address, in any notation, and to each IPv6 /48, over all four endpoints', async () => {
    await raise();
    for (const [one, same, other] of [
      ['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.8'],
      ['2001:db8:1:2::1', '2001:db8:1:ffff:1:2:3:4', '2001:db8:2:2::1'],
    ] as const) {
      expect((await guess(one)).status).toBe(404);
      expect((await guess(same)).status).toBe(429);
      expect((await enroll('SV-2222-3333', same)).status).toBe(429);
      const commitment = { enroll_code: 'x', did: 'did:svc:1f', commitment: '0'.repeat(64) };
      expect((await phone(service, 'submit-commitment', commitment, same)).status).toBe(429);
      expect((await guess(other)).status).toBe(404);
    }
  });

  it('allows a ceremony that sends its own session_id, and rejects guesses that send another [devices/guessing-codes] [devices/tries-while-guessing]', async () => {
    const c = await openCeremony(service, account);
    const other = await openCeremony(service, account);
    await raise();
    const address = freshAddress();
    expect((await guess(address)).status).toBe(404);
    for (const session_id of [c.id, other.id, crypto.randomUUID(), 'x', ''])
      expect((await guess(address, { session_id })).status, session_id).toBe(429);
    const wrong = { ...pairBody(c), session_id: other.id };
    expect((await phone(service, 'pair-device', wrong, address)).status).toBe(429);
    expect((await phone(service, 'pair-device', pairBody(c), address)).status).toBe(429);

    const session_id = c.id;
    const paired = await phone(service, 'pair-device', { ...pairBody(c), session_id }, address);
    expect(paired.status).toBe(201);
    c.enrollCode = paired.body.next.code;
    const submitted = await phone(service, 'submit-commitment', { ...commitBody(c), session_id }, address);
    c.verifyCode = submitted.body.next.code;
    c.challengeNonce = submitted.body.next.challenge_nonce;
    const body = await completeBody(c);
    const bad = { ...body, session_id: other.id };
    expect((await phone(service, 'complete', bad, address)).status).toBe(429);
    expect((await phone(service, 'complete', { ...body, session_id }, address)).status).toBe(201);
  });

  it('allows an enrollment that sends its own device_id, and rejects guesses that send another [devices/tries-while-guessing]', async () => {
    const pending = async () => {
      const body = { name: 'Gate', deviceType: 'kiosk' };
      return (await service.call('POST', '/api/console/devices', { as: account.token, body })).body;
    };
    const [{ device, enrollment }, other] = [await pending(), await pending()];
    const address = freshAddress();
    const claim = (fields: object) =>
      service.call('POST', '/v1/devices/enroll', {
        address,
        body: { enrollment_code: enrollment.code, fingerprint: freshFingerprint(), ...fields },
      });
    const mismatch = await claim({ device_id: other.device.id });
    expect([mismatch.status, mismatch.body.error]).toEqual([404, 'enrollment_failed']);
    expect((await claim({ device_id: 'x' })).body.error).toBe('invalid_request');
    await raise();
    expect((await claim({ enrollment_code: 'SV-2222-3333' })).status, 'the network’s one attempt').toBe(404);
    expect((await claim({})).status).toBe(429);
    for (const device_id of [other.device.id, crypto.randomUUID()])
      expect((await claim({ device_id })).status).toBe(429);
    const enrolled = await claim({ device_id: device.id.toUpperCase() });
    expect([enrolled.status, enrolled.body.device?.id]).toEqual([201, device.id]);
  });

  it('counts guesses that send a session_id like any others', async () => {
    for (let call = 0; call < 101; call += 1)
      expect((await guess(freshAddress(), { session_id: crypto.randomUUID() })).status).toBe(404);
    expect((await guarded()).guarded).toBe(true);
  });
});
