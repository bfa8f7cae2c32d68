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
  'users:recover',
  'users:erase',
  'users:claims',
  'approvals:read',
  'approvals:write',
  'approvals:consume',
  'sites:read',
  'sites:write',
  'attendance:codes',
] as const;
export type ApiScope = (typeof SCOPES)[number];

/** Of keys that only an owner makes, because with a session only an owner may do the same. */
export const OWNER_SCOPES: readonly ApiScope[] = ['users:recover', 'users:erase'];

/**
 * The scopes of a key that was created without `scopes` [keys/default-scopes]. A list of its own, so that a new scope is never in it by
 * accident.
 */
export const DEFAULT_SCOPES: readonly ApiScope[] = [
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
  'identity:read',
  'proof_pairing:create',
  'proof_pairing:claim',
];
