/**
 * The account behind `/api/auth/*`, whose callers have none (DECISIONS §6, Legacy): what they leave is kept, chained and
 * cleaned up like anybody's, and the operator closes the whole surface by suspending it. Its name is no e-mail address,
 * so nobody signs up or logs in as it.
 */
export const LEGACY_ACCOUNT = {
  id: '00000000-0000-7000-8000-000000000000',
  email: 'legacy',
  companyName: 'Legacy endpoints',
} as const;

/** One window per address for all of it. */
export const LEGACY_LIMIT = { name: 'legacy', max: 10, windowSeconds: 60 } as const;
