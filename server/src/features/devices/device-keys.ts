import { createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { Static } from 'typebox';
import type { Scope } from '../../ledger/audit-store.js';
import type { DeviceKey, SignedByDevice } from './devices.schema.js';

/** A device's public key as the database has it: x and y in base64url. */
export interface StoredKey {
  readonly publicKey: string;
  /** RFC 7638. */
  readonly thumbprint: string;
}

/** A key that nobody uses, so that a device without one costs the same work. */
const DECOY = 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY.T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';

const jwkOf = ([x, y]: readonly (string | undefined)[]): JsonWebKey => ({
  kty: 'EC',
  crv: 'P-256',
  x: x ?? '',
  y: y ?? '',
});

function keyObject(publicKey: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwkOf(publicKey.split('.')), format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Base64url has several texts for the same bytes. Only one is accepted, so that a key has one thumbprint. */
const isCanonical = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

/** Undefined if it is not a point on the curve. */
export function readKey({ x, y }: Static<typeof DeviceKey>): StoredKey | undefined {
  const publicKey = `${x}.${y}`;
  if (!isCanonical(x) || !isCanonical(y) || keyObject(publicKey) === undefined) return undefined;
  const thumbprint = hash('sha256', JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }), 'base64url');
  return { publicKey, thumbprint };
}

/** Whether the key signed this text. A device without a key costs the same work. */
export function isSignedBy(publicKey: string | null | undefined, text: string, signature: string): boolean {
  const key = keyObject(publicKey ?? DECOY);
  if (key === undefined) return false;
  const isRight = verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isRight && publicKey != null;
}

/** What a device signs when it enrolls. The code is the text that the request has. */
export const enrolText = (code: string, { thumbprint }: Pick<StoredKey, 'thumbprint'>): string =>
  `svc-device-enrol-v1|${code}|${thumbprint}`;

/** A request that a device says it signed. */
export type Signed = Static<typeof SignedByDevice>;

/** What a device signs for a request: with its body, or with none when it opens its own session. */
export function requestText(
  { tenantId, environment }: Scope,
  { id, jti, timestamp }: Pick<Signed, 'id' | 'jti' | 'timestamp'>,
  body?: object,
): string {
  const bodyHash = body === undefined ? '' : hash('sha256', canonicalJson(body), 'hex');
  return ['svc-device-v1', tenantId, environment, id, jti, timestamp, bodyHash].join('|');
}
