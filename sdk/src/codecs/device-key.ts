import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { DevicePublicKey, SignedByDevice } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { toBase64url } from './base64url.js';
import { sha256Hex, subtle } from './web-crypto.js';

type PlatformKey = Parameters<typeof globalThis.crypto.subtle.sign>[1];

/** The key pair of a device, as WebCrypto makes it. IndexedDB can store it, also if it can’t be exported. */
export interface DeviceKey {
  readonly privateKey: PlatformKey;
  readonly publicKey: PlatformKey;
}

/** An enrolled device that signs what it asks. Store it on the device. */
export interface DeviceSigner {
  readonly key: DeviceKey;
  readonly deviceId: string;
  readonly tenantId: string;
  readonly environment: Environment;
}

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/**
 * A new key for a device. By default nobody can export its private part, and a browser keeps it in IndexedDB. A program without
 * IndexedDB passes `extractable`, exports the private key and stores it where only it can read.
 */
export async function createDeviceKey({
  extractable = false,
}: {
  readonly extractable?: boolean;
} = {}): Promise<DeviceKey> {
  const { privateKey, publicKey } = await subtle().generateKey(ECDSA, extractable, ['sign', 'verify']);
  return { privateKey, publicKey };
}

/** The public part, as the service stores it. */
export async function publicKeyOf({ publicKey }: DeviceKey): Promise<DevicePublicKey> {
  const { x, y } = await subtle().exportKey('jwk', publicKey);
  if (x === undefined || y === undefined)
    throw new SvcError('invalid_options', 'The key of a device is one of createDeviceKey(): ECDSA on P-256.');
  return { kty: 'EC', crv: 'P-256', x, y };
}

async function sign({ privateKey }: DeviceKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const signature = await subtle().sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes);
  return toBase64url(new Uint8Array(signature));
}

/** @internal What shows that a device that enrolls has the private key. */
export async function signEnrolment(key: DeviceKey, code: string) {
  const public_key = await publicKeyOf(key);
  const { crv, kty, x, y } = public_key;
  const json = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }));
  const thumbprint = toBase64url(new Uint8Array(await subtle().digest('SHA-256', json)));
  return { public_key, signature: await sign(key, `svc-device-enrol-v1|${code}|${thumbprint}`) };
}

/** @internal Signs a request: with its body, or with none to open a session of the device. `now` is the service’s time. */
export async function signRequest(
  { key, deviceId: id, tenantId, environment }: DeviceSigner,
  now: number,
  body?: object,
): Promise<SignedByDevice> {
  const jti = toBase64url(globalThis.crypto.getRandomValues(new Uint8Array(16)));
  const timestamp = Math.floor(now);
  // As it will be sent: JSON leaves out what is undefined.
  const bodyHash = body === undefined ? '' : await sha256Hex(canonicalJson(JSON.parse(JSON.stringify(body))));
  const text = ['svc-device-v1', tenantId, environment, id, jti, timestamp, bodyHash].join('|');
  return { id, jti, timestamp, signature: await sign(key, text) };
}
