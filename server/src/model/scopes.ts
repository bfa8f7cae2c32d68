/** What an API key may do (SPEC, Authentication). */
export const SCOPES = [
  'devices:read',
  'devices:write',
  'users:read',
  'users:write',
  'verifications:read',
  'verifications:write',
  'attendance:read',
  'attendance:write',
  'audit:read',
  'zkp:register',
  'zkp:verify',
  'nonce:create',
  'saml:login',
  'saml:callback',
  'oidc:authorize',
  'oidc:callback',
  'identity:read',
  'proof_pairing:create',
  'proof_pairing:claim',
] as const;
export type ApiScope = (typeof SCOPES)[number];

/** A key made without `scopes`: everything but simulated sign-on (DECISIONS §4). */
export const DEFAULT_SCOPES: readonly ApiScope[] = SCOPES.filter((scope) => !/^(saml|oidc):/.test(scope));
