export const PLANS = ['free', 'starter', 'growth', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanLimits {
  /** Requests per calendar month (UTC). Null: unlimited. */
  readonly monthlyRequests: number | null;
  readonly requestsPer15Min: number;
  readonly onChainVerification: boolean;
  /** Concurrent event streams. */
  readonly openStreams: number;
  /** Webhooks of an environment. */
  readonly webhooks: number;
  readonly oidcClients: number;
}

export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: {
    monthlyRequests: 1_000,
    requestsPer15Min: 100,
    onChainVerification: false,
    openStreams: 20,
    webhooks: 1,
    oidcClients: 3,
  },
  starter: {
    monthlyRequests: 25_000,
    requestsPer15Min: 500,
    onChainVerification: false,
    openStreams: 100,
    webhooks: 3,
    oidcClients: 10,
  },
  growth: {
    monthlyRequests: 250_000,
    requestsPer15Min: 2_000,
    onChainVerification: true,
    openStreams: 1_000,
    webhooks: 10,
    oidcClients: 50,
  },
  enterprise: {
    monthlyRequests: null,
    requestsPer15Min: 10_000,
    onChainVerification: true,
    openStreams: 10_000,
    webhooks: 50,
    oidcClients: 200,
  },
};

export const PLAN_WINDOW_MS = 15 * 60_000;
export const ACTIVE_KEYS_PER_TENANT = 10;

/** Limits of an account's requests to `/api/console/*`, and of the writes among them. */
export const CONSOLE_LIMITS = { requests: 600, writes: 120, windowMs: 60_000 } as const;

/** Calls of an account in the request log. */
export const MAX_LOGGED = 1_000;
