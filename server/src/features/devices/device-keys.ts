import { hash, type KeyObject } from 'node:crypto';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { Static } from 'typebox';
import { hasSigned, keyAt, thumbprintOf } from '../../base/crypto/p256.js';
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

function keyOf(publicKey: string): KeyObject | undefined {
  const [x = '', y = ''] = publicKey.split('.');
  return keyAt({ x, y });
}

/** Undefined if it is not a point on the curve. */
export const readKey = ({ x, y }: Static<typeof DeviceKey>): StoredKey | undefined =>
  keyAt({ x, y }) && { publicKey: `${x}.${y}`, thumbprint: thumbprintOf({ x, y }) };

/** The RFC 7638 thumbprint of a stored key. */
export function thumbprintOfKey(publicKey: string): string {
  const [x = '', y = ''] = publicKey.split('.');
  return thumbprintOf({ x, y });
}

/** Whether the key signed this text. A device without a key costs the same work. */
export function isSignedBy(publicKey: string | null | undefined, text: string, signature: string): boolean {
  const key = keyOf(publicKey ?? DECOY);
  return key !== undefined && hasSigned(key, text, signature) && publicKey != null;
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
