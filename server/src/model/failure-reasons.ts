/**
 * Why a proof or a sign-on failed, as its verification and its audit entry record it. Only the account reads it: the caller and the
 * phone get the same error for all of them [proofs/reasons-of-failures].
 */
export const FAILURE_REASONS = [
  'invalid_proof',
  'stale',
  'wrong_binding',
  'unbound',
  'unknown_identity',
  'revoked',
  'not_in_force',
  'inactive_user',
  'wrong_secret',
  'locked',
  'nonce_used',
  'wrong_number',
  'new_browser',
  'expired',
  'declined',
  'closed',
  'attestation',
  'attestation_level',
  'unknown_sign_on',
  'invalid_response',
  'registered_identity',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];
