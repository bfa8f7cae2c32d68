import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { iso } from '../../records/schema.js';
import { monthOf } from './meter.js';
import { listMonths, listRecentCalls } from './usage.store.js';

export { createMeter } from './meter.js';
export { REJECTION_EXPIRY } from './rejections/rejections.store.js';
export { HOURS_EXPIRY } from './series.js';
export { announceThresholds } from './threshold.js';
export { CALL_EXPIRY } from './usage.store.js';

/** This month and the eleven before, newest first. */
function lastMonths(now: number): string[] {
  const date = new Date(now);
  return Array.from({ length: 12 }, (_, back) =>
    monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)),
  );
}

export async function readUsage({ db, clock, meter, config }: Deps, tenant: Tenant) {
  await meter.flush(tenant.id);
  const months = lastMonths(clock.now());
  const [rows, calls] = await Promise.all([
    listMonths(db, tenant.id, months.at(-1) as string),
    listRecentCalls(db, tenant.id),
  ]);
  const used = new Map(rows.map((row) => [row.month, row.used]));
  const history = months.map((month) => ({ month, used: used.get(month) ?? 0 }));
  const { monthlyRequests: limit, requestsPer15Min } = PLAN_LIMITS[tenant.plan];
  const usedNow = history[0]?.used ?? 0;
  return {
    plan: tenant.plan,
    currentMonth: { used: usedNow, limit, remaining: limit === null ? null : Math.max(0, limit - usedNow) },
    rateLimit: { requestsPer15Min: requestsPer15Min * config.planWindowMultiplier },
    history,
    recentCalls: calls.map((call) => ({
      method: call.method,
      endpoint: call.endpoint,
      status: call.status,
      timestamp: iso(call.called_at),
      environment: call.environment,
      durationMs: call.duration_ms,
    })),
  };
}
