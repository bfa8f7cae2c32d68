/**
 * Every audit action with its summary. Summaries are fixed sentences: an audit row never carries personal data, so
 * nothing of a record's content may flow into one (DECISIONS §7).
 */
export const AUDIT_ACTIONS = {
  'tenant.created': 'The account was created',
  'tenant.logged_in': 'Somebody logged in to the console',
  'tenant.logged_out': 'All console tokens were ended',
  'tenant.password_changed': 'The console password was changed',
  'tenant.security_policy_replaced': 'The security policy was replaced',
  'api_key.created': 'An API key was created',
  'api_key.revoked': 'An API key was revoked',
  'device.created': 'A device was registered',
  'device.updated': 'A device was changed',
  'verification.created': 'A verification event was recorded',
  'identity.register': 'An identity was registered',
  'identity.verify': 'A proof was checked against a registered identity',
  'identity.revoked': 'An identity was revoked',
  'session.refreshed': 'A session was refreshed',
  'session.logged_out': 'A session was ended by its holder',
  'session.revoked': 'A session was ended because a spent refresh token was used',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
