export const PLANS = ['free', 'starter', 'growth', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanLimits {
  /** Requests a calendar month (UTC); null: unlimited. */
  readonly monthlyRequests: number | null;
  readonly requestsPer15Min: number;
  readonly onChainVerification: boolean;
}

export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { monthlyRequests: 1_000, requestsPer15Min: 100, onChainVerification: false },
  starter: { monthlyRequests: 25_000, requestsPer15Min: 500, onChainVerification: false },
  growth: { monthlyRequests: 250_000, requestsPer15Min: 2_000, onChainVerification: true },
  enterprise: { monthlyRequests: null, requestsPer15Min: 10_000, onChainVerification: true },
};

export const PLAN_WINDOW_MS = 15 * 60_000;
export const ACTIVE_KEYS_PER_TENANT = 10;
