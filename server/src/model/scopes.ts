/** The scopes of an API key (SPEC, Authentication). */
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
  'events:read',
  'webhooks:write',
] as const;
export type ApiScope = (typeof SCOPES)[number];

/** The scopes of a key that was created without `scopes`: all but simulated sign-on, events and webhooks (DECISIONS §4). */
export const DEFAULT_SCOPES: readonly ApiScope[] = SCOPES.filter(
  (scope) => !/^(saml|oidc|events|webhooks):/.test(scope),
);
