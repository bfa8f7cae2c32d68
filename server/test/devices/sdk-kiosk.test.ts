import { createDeviceKey, type DeviceSigner, Svc } from '@svc/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshFingerprint } from '../support/ceremony.js';
import { pendingDevice, revokeDevice } from '../support/device-keys.js';
import { phone, proveForPairing, scanOf } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type ListeningService, listeningService } from '../support/sdk.js';
import type { Account } from '../support/service.js';

let service: ListeningService;
let account: Account;
beforeAll(async () => {
  service = await listeningService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

async function enrolled(): Promise<{ kiosk: Svc; signer: DeviceSigner }> {
  const { code: enrollment_code } = await pendingDevice(service, account);
  const kiosk = new Svc({ baseUrl: service.url });
  const key = await createDeviceKey();
  const claim = { enrollment_code, fingerprint: freshFingerprint() };
  const { device, signer } = await kiosk.devices.enrollWithKey(claim, key);
  expect(device.keyThumbprint).toMatch(/^[\w-]{43}$/);
  return { kiosk, signer };
}

type Shown = {
  readonly id: string;
  readonly nonce: string;
  readonly qrPayload: string;
  readonly matchCode?: string;
};
/** A new person approves on their phone what the kiosk shows. */
async function approve({ id: sessionId, nonce, matchCode = '', qrPayload }: Shown): Promise<string> {
  const person = await registerPerson(service, account.key);
  const proved = await proveForPairing(person, { tenantId: account.tenantId, sessionId, nonce, matchCode });
  const reply = await phone(service, sessionId, 'submit', { ...proved, ...scanOf({ qrPayload }) });
  expect(reply.status, reply.text).toBe(200);
  return person.userId;
}

describe('a kiosk with the SDK and no API key [devices/what-a-device-can-do]', () => {
  it('keeps a key that nobody can export', async () => {
    const { privateKey } = await createDeviceKey();
    expect([
      privateKey.extractable,
      (await createDeviceKey({ extractable: true })).privateKey.extractable,
    ]).toEqual([false, true]);
  });

  it('signs two people in, one after the other, and shows the company’s name', async () => {
    const { kiosk, signer } = await enrolled();
    const { token: deviceToken, expiresIn } = await kiosk.devices.session(signer);
    expect(expiresIn).toBe(43_200);
    const svc = new Svc({ baseUrl: service.url, deviceToken, maxRetries: 0 });
    expect((await svc.getProfile()).name).toBeTypeOf('string');
    for (let person = 0; person < 2; person += 1) {
      const pairing = await svc.pairing.create();
      const waiting = svc.pairing.wait(pairing);
      const userId = await approve(pairing);
      expect(await waiting).toMatchObject({ userId, tokens: { accessToken: expect.any(String) } });
    }
  });

  it('cancels what nobody came for, and registers somebody new', async () => {
    const { kiosk, signer } = await enrolled();
    const { token: deviceToken } = await kiosk.devices.session(signer);
    const svc = new Svc({ baseUrl: service.url, deviceToken, maxRetries: 0 });
    expect((await svc.pairing.cancel(await svc.pairing.create())).state).toBe('expired');
    const { session } = await svc.registrations.create({ fullName: 'Ada Lovelace' });
    expect((await svc.registrations.get(session.id)).state).toBe('awaiting_device');
    expect((await svc.registrations.cancel(session.id)).state).toBe('abandoned');
    await expect(svc.devices.list().first()).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('signs for a backend that has the API key', async () => {
    const { kiosk, signer } = await enrolled();
    const params = { context: { application: 'Front desk' }, rotate: undefined };
    const device = await kiosk.devices.sign(signer, params);
    const backend = service.client(account.key);
    const pairing = await backend.pairing.create({ ...params, device });
    expect(pairing.matchCode).toMatch(/^\d\d$/);
    await expect(backend.pairing.create({ ...params, device })).rejects.toMatchObject({
      code: 'device_signature_invalid',
    });
  });

  it('gets no session after it was revoked', async () => {
    const { kiosk, signer } = await enrolled();
    const { deviceId: id, environment } = signer;
    await revokeDevice(service, account, { id, environment });
    await expect(kiosk.devices.session(signer)).rejects.toMatchObject({ code: 'device_signature_invalid' });
  });

  it.each(['', 'svc_live_x', 'eyJ.a.b'])('refuses %j as a deviceToken', (deviceToken) => {
    expect(() => new Svc({ baseUrl: service.url, deviceToken })).toThrow(/deviceToken/);
  });
});
