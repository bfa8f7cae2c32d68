import type { Deps } from '../../http/deps.js';
import { PLAN_LIMITS, PLANS } from '../../model/plans.js';
import { monthOf } from './meter.js';
import { type CrossedMonth, listCrossedMonths, setThreshold } from './usage.store.js';

/** The shares of the month's quota, in percent, that an event tells of. Each once a month. */
const PERCENTS = [50, 80, 100] as const;
/** Accounts of one run. The next run continues. */
const MAX_ACCOUNTS = 500;

/** Quotas of the plans that have one. */
const QUOTAS = PLANS.flatMap((plan) => {
  const quota = PLAN_LIMITS[plan].monthlyRequests;
  return quota === null ? [] : [{ plan, quota }];
});

/** Appends `quota.threshold` to the live chain of each account whose requests reached another share of its quota. */
export async function announceThresholds(deps: Pick<Deps, 'db' | 'write' | 'clock' | 'log'>): Promise<void> {
  const month = monthOf(deps.clock.now());
  const crossed = await listCrossedMonths(deps.db, month, QUOTAS, PERCENTS, MAX_ACCOUNTS);
  for (const account of crossed) await announce(deps, month, account);
}

async function announce(
  { write, log }: Pick<Deps, 'write' | 'log'>,
  month: string,
  { tenant_id: tenantId, threshold, used, quota }: CrossedMonth,
): Promise<void> {
  const reached = PERCENTS.filter((percent) => percent > threshold && used * 100 >= quota * percent);
  const announced = new Error('Another node announced it');
  const scope = { tenantId, environment: 'live' } as const;
  await write({ scope, actor: { type: 'system', id: null }, action: 'quota.threshold' }, async (w) => {
    if (!(await setThreshold(w, month, { from: threshold, to: reached.at(-1) ?? threshold })))
      throw announced;
    for (const percent of reached)
      w.audit({ entityType: 'tenant', entityId: tenantId, metadata: { month, percent, quota } });
  }).catch((err: unknown) => {
    if (err !== announced) log.warn({ err }, 'a quota threshold is announced later');
  });
}
