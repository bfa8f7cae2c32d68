import type { Static } from 'typebox';
import { hasSigned, keyAt, thumbprintOf } from '../../base/crypto/p256.js';
import { invalid } from '../../base/errors.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { BrowserJwk } from './browsers.schema.js';

export type Jwk = Static<typeof BrowserJwk>;

/** The public key of a browser. */
export interface BrowserKey {
  readonly jwk: Jwk;
  /** RFC 7638, in base64url. */
  readonly thumbprint: string;
}

/** The members in the order of RFC 7638, and no others. */
const canonical = ({ crv, kty, x, y }: Jwk): Jwk => ({ crv, kty, x, y });

/** 400 if the point is not on the curve. The schema has checked the form. */
export function readKey(given: Jwk, path: string): BrowserKey {
  const jwk = canonical(given);
  if (keyAt(jwk) === undefined) invalid(path, 'must be a point of P-256');
  return { jwk, thumbprint: thumbprintOf(jwk) };
}

/** What a browser signs. */
export type Step = 'open' | 'nearby' | 'complete' | 'redeem' | 'forget';

/** The text that a browser signs in a step: its scope, and what makes it unique. */
export const browserText = (
  step: Step,
  { tenantId, environment }: Scope,
  ...rest: readonly string[]
): string => ['svc-browser-v1', step, tenantId, environment, ...rest].join('|');

export function isSignedBy(jwk: Jwk, text: string, signature: string): boolean {
  const key = keyAt(jwk);
  return key !== undefined && hasSigned(key, text, signature);
}
