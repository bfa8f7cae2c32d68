import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/** A public key on P-256, as browsers and devices make it: its coordinates in base64url. */
export interface Point {
  readonly x: string;
  readonly y: string;
}

/** Base64url has several texts for the same bytes. Only one is accepted, so that a key has one thumbprint. */
const isCanonical = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

/** The key at a point. Undefined if it is not on the curve. */
export function keyAt({ x, y }: Point): KeyObject | undefined {
  if (!isCanonical(x) || !isCanonical(y)) return undefined;
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** RFC 7638, in base64url. */
export const thumbprintOf = ({ x, y }: Point): string =>
  hash('sha256', JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }), 'base64url');

/** Whether the key has signed the text: ECDSA over SHA-256, `r‖s` in base64url as WebCrypto makes it. */
export const hasSigned = (key: KeyObject, text: string, signature: string): boolean =>
  verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
