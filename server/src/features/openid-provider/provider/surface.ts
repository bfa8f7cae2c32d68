import type { Scope } from '../../../ledger/audit-store.js';

export const issuerPath = ({ tenantId, environment }: Scope) => `/oidc/${tenantId}/${environment}`;

/** The paths below the issuer. */
export const PATHS = {
  authorization: '/auth',
  token: '/token',
  userinfo: '/userinfo',
  introspection: '/introspect',
  revocation: '/revoke',
  end_session: '/session/end',
  jwks: '/jwks',
  code_verification: '/device',
  device_authorization: '/device/auth',
} as const;

/** How long each thing lasts, in seconds. */
export interface Lifetimes {
  readonly accessToken: number;
  readonly code: number;
  readonly deviceCode: number;
  readonly idToken: number;
  /** From the request of an application until a person has approved it. */
  readonly interaction: number;
  /** How long a browser stays signed in. */
  readonly session: number;
}

export const LIFETIMES: Lifetimes = {
  accessToken: 3_600,
  code: 60,
  deviceCode: 600,
  idToken: 3_600,
  interaction: 900,
  session: 8 * 3_600,
};

/** An identifier of a sign-in: 21 or more characters of base64url. */
export const UID = { pattern: /^[\w-]{21,64}$/, example: 'V1StGXR8_Z5jdHi6B-myT' };
