/**
 * The account behind `/api/auth/*`, whose callers have none [sessions/legacy-tokens]. Its records are stored, audited and
 * deleted like those of any account, and the operator disables the whole surface by suspending it. Its name is not an
 * e-mail address, so nobody can sign up or log in with it.
 */
export const LEGACY_ACCOUNT = {
  id: '00000000-0000-7000-8000-000000000000',
  email: 'legacy',
  companyName: 'Legacy endpoints',
} as const;

/** One rate limit per address for all legacy endpoints. */
export const LEGACY_LIMIT = { name: 'legacy', max: 10, windowSeconds: 60 } as const;
