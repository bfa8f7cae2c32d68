import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createKeyPair,
  enrolBody,
  enrolText,
  enrolWithKey,
  type KeyPair,
  openSession,
  pendingDevice,
  revokeDevice,
  signText,
} from '../support/device-keys.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let device: { id: string; code: string };
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
beforeEach(async () => {
  device = await pendingDevice(service, account);
});
afterAll(() => service.close());

const enroll = (body: object) =>
  service.call('POST', '/v1/devices/enroll', { body, address: freshAddress() });
const shown = async (id: string) =>
  (await service.call('GET', `/v1/devices/${id}`, { as: account.key })).body.device;

describe('a device that enrolls with a key [devices/device-with-a-key] [POST /v1/devices/enroll]', () => {
  it('shows that it has the private key, and every reply about it has the RFC 7638 thumbprint', async () => {
    const pair = createKeyPair();
    const { status, body } = await enroll(enrolBody(device.code, pair));
    expect([status, body.tenant_id, body.device.keyThumbprint]).toEqual([
      201,
      account.tenantId,
      pair.thumbprint,
    ]);
    expect(body.device).not.toHaveProperty('public_key');
    expect((await shown(device.id)).keyThumbprint).toBe(pair.thumbprint);
    const listed = await service.call('GET', '/v1/devices?limit=1', { as: account.key });
    expect(listed.body.devices[0].keyThumbprint).toBe(pair.thumbprint);
  });

  it('may also enroll without one', async () => {
    const { enrollment_code, fingerprint } = enrolBody(device.code, createKeyPair());
    const { status, body } = await enroll({ enrollment_code, fingerprint });
    expect([status, body.device.keyThumbprint]).toEqual([201, null]);
  });

  it.each([
    ['another code', (code: string) => [enrolText(`${code}9`, createKeyPair()), undefined]],
    ['the code alone', (code: string) => [code, undefined]],
    ['the text of a session', (code: string) => [`svc-device-v1|${code}`, undefined]],
  ] as const)(
    'gets the uniform 404 for a signature over %s, and the code stays good [enrollment_failed]',
    async (_, textOf) => {
      const pair = createKeyPair();
      const [text = ''] = textOf(device.code);
      const unknown = await enroll(enrolBody('SV-2222-3333', pair));
      const wrong = await enroll(enrolBody(device.code, pair, signText(pair, text)));
      const { requestId: _1, ...left } = unknown.body;
      const { requestId: _2, ...right } = wrong.body;
      expect([wrong.status, right]).toEqual([404, left]);
      expect((await enroll(enrolBody(device.code, pair))).status).toBe(201);
    },
  );

  type Wrong = { signer?: KeyPair; signature?: string; thumbprintOf?: KeyPair };
  it.each<[string, Wrong]>([
    ['by another key', { signer: createKeyPair() }],
    ['of zeros', { signature: 'A'.repeat(86) }],
    ['that names another key’s thumbprint', { thumbprintOf: createKeyPair() }],
  ])('gets the uniform 404 for a signature %s', async (_, { signer, signature, thumbprintOf }) => {
    const pair = createKeyPair();
    const made = signature ?? signText(signer ?? pair, enrolText(device.code, thumbprintOf ?? pair));
    const reply = await enroll(enrolBody(device.code, pair, made));
    expect([reply.status, reply.body.error]).toEqual([404, 'enrollment_failed']);
    expect((await shown(device.id)).enrollment_state).toBe('pending');
  });

  it.each([
    ['is not on the curve', { y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfV' }],
    ['is the origin', { x: 'A'.repeat(43), y: 'A'.repeat(43) }],
    ['has unused bits', { x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZ' }],
  ])('gets the uniform 404 for a key that %s', async (_, changes) => {
    const pair = createKeyPair();
    const body = enrolBody(device.code, pair);
    const reply = await enroll({ ...body, public_key: { ...pair.jwk, ...changes } });
    expect([reply.status, reply.body.error]).toEqual([404, 'enrollment_failed']);
  });

  it.each([
    ['a private key', { d: 'A'.repeat(43) }],
    ['another curve', { crv: 'P-384' }],
    ['another kind of key', { kty: 'RSA' }],
    ['other members', { use: 'sig' }],
    ['a short coordinate', { x: 'A'.repeat(42) }],
  ])('gets 400 for %s', async (_, changes) => {
    const pair = createKeyPair();
    const reply = await enroll({ ...enrolBody(device.code, pair), public_key: { ...pair.jwk, ...changes } });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    expect(service.logged.join('\n')).not.toContain('"d":"AAAA');
  });

  it.each(['public_key', 'signature'] as const)('gets 400 without %s', async (left) => {
    const { [left]: _, ...body } = enrolBody(device.code, createKeyPair());
    const reply = await enroll(body);
    expect([reply.status, reply.body.details[0].path]).toEqual([400, `body.${left}`]);
  });

  it.each(['A'.repeat(85), 'A'.repeat(87), `${'A'.repeat(85)}=`, `${'A'.repeat(85)}+`, ''])(
    'gets 400 for the signature %j',
    async (signature) => {
      const reply = await enroll(enrolBody(device.code, createKeyPair(), signature));
      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  it('keeps its key whatever is changed about it, and has no use of it after it was revoked', async () => {
    const keyed = await enrolWithKey(service, account);
    const changed = await service.call('PATCH', `/v1/devices/${keyed.id}`, {
      as: account.key,
      body: { name: 'East gate' },
    });
    expect(changed.body.device.keyThumbprint).toBe(keyed.thumbprint);
    const other = await service.call('PATCH', `/v1/devices/${keyed.id}`, {
      as: account.key,
      body: { keyThumbprint: 'x' },
    });
    expect(other.status).toBe(400);
    expect((await openSession(service, keyed)).status).toBe(201);
    await revokeDevice(service, account, keyed);
    expect((await openSession(service, keyed)).status).toBe(401);
  });
});
