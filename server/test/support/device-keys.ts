import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { Environment } from '../../src/model/environment.js';
import { freshFingerprint } from './ceremony.js';
import { type Account, freshAddress, type Reply, type Service } from './service.js';

/** A key pair as a kiosk has it. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly jwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly y: string };
  readonly thumbprint: string;
}

export function createKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' }) as KeyPair['jwk'];
  const text = `{"crv":"${crv}","kty":"${kty}","x":"${x}","y":"${y}"}`;
  return {
    privateKey,
    jwk: { kty, crv, x, y },
    thumbprint: createHash('sha256').update(text).digest('base64url'),
  };
}

/** As WebCrypto signs: r and s, 32 bytes each. */
export const signText = ({ privateKey }: Pick<KeyPair, 'privateKey'>, text: string): string =>
  sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');

export const enrolText = (code: string, { thumbprint }: Pick<KeyPair, 'thumbprint'>): string =>
  `svc-device-enrol-v1|${code}|${thumbprint}`;

/** An enrolled device with its key. */
export interface KeyedDevice extends KeyPair {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
}

/** A pending device and its code. */
export async function pendingDevice(service: Service, account: Account, environment: Environment = 'live') {
  const reply = await service.call('POST', `/api/console/devices?environment=${environment}`, {
    as: account.token,
    body: { name: 'Lobby kiosk', deviceType: 'kiosk' },
  });
  if (reply.status !== 201) throw new Error(`creating a device returned ${reply.status} ${reply.text}`);
  return { id: reply.body.device.id as string, code: reply.body.enrollment.code as string };
}

export const enrolBody = (
  code: string,
  pair: KeyPair,
  signature = signText(pair, enrolText(code, pair)),
) => ({
  enrollment_code: code,
  fingerprint: freshFingerprint(),
  public_key: pair.jwk,
  signature,
});

export async function enrolWithKey(
  service: Service,
  account: Account,
  environment: Environment = 'live',
): Promise<KeyedDevice> {
  const { id, code } = await pendingDevice(service, account, environment);
  const pair = createKeyPair();
  const body = enrolBody(code, pair);
  const reply = await service.call('POST', '/v1/devices/enroll', { body, address: freshAddress() });
  if (reply.status !== 201) throw new Error(`enrolling returned ${reply.status} ${reply.text}`);
  return { ...pair, id, tenantId: account.tenantId, environment };
}

export interface Stamp {
  readonly jti: string;
  readonly timestamp: number;
}

export const stampAt = ({ clock }: Pick<Service, 'clock'>): Stamp => ({
  jti: randomBytes(16).toString('base64url'),
  timestamp: clock.now(),
});

/** What the device signs, told apart from the service's own code. */
export function requestText(
  { tenantId, environment, id }: Pick<KeyedDevice, 'tenantId' | 'environment' | 'id'>,
  { jti, timestamp }: Stamp,
  body?: object,
): string {
  const hash = body ? createHash('sha256').update(canonicalJson(body)).digest('hex') : '';
  return `svc-device-v1|${tenantId}|${environment}|${id}|${jti}|${timestamp}|${hash}`;
}

/** The body that opens a session of the device. */
export function sessionBody(device: KeyedDevice, service: Pick<Service, 'clock'>, stamp = stampAt(service)) {
  const signature = signText(device, requestText(device, stamp));
  return { deviceId: device.id, ...stamp, signature };
}

/** A body of a pairing session with the device's signature. */
export function signedBody(
  device: KeyedDevice,
  service: Pick<Service, 'clock'>,
  body: object = { match: 'type' },
  stamp = stampAt(service),
) {
  const signature = signText(device, requestText(device, stamp, body));
  return { ...body, device: { id: device.id, ...stamp, signature } };
}

export const openSession = (service: Service, device: KeyedDevice): Promise<Reply> =>
  service.call('POST', '/v1/devices/session', {
    body: sessionBody(device, service),
    address: freshAddress(),
  });

export async function deviceToken(service: Service, device: KeyedDevice): Promise<string> {
  const reply = await openSession(service, device);
  if (reply.status !== 201) throw new Error(`opening a session returned ${reply.status} ${reply.text}`);
  return reply.body.token;
}

/** Revokes the device in the dashboard. */
export const revokeDevice = (
  service: Service,
  account: Account,
  { id, environment }: Pick<KeyedDevice, 'id' | 'environment'>,
) => service.call('DELETE', `/api/console/devices/${id}?environment=${environment}`, { as: account.token });
