import type { Health } from '@svc/sdk';
import { useOutcomes } from '../../nouns/outcomes/use-outcomes';
import { paceOf } from '../../nouns/usage/pace';
import { useUsage } from '../../nouns/usage/use-usage';
import { type Environment, svc } from '../../operations/api';
import { useOperation } from '../../operations/operation';
import { REFRESH_MS } from '../../operations/refresh';
import { useHealth } from '../../operations/use-health';
import { usePendingRecoveries } from '../../recoveries/recoveries';
import { useWebhooks } from './disabled-webhooks';

const DAY = 24;
/** Read at most. The row says that there are more. */
export const MAX_APPROVALS = 100;

/** Whether a part of the service has problems. One that is not used, such as a blockchain, has none. */
export const isFaulty = (status: string): boolean => status === 'degraded' || status === 'down';

/** Also while it is not known. */
export const isHealthy = (health: Health | undefined): boolean =>
  health === undefined ||
  (health.status === 'ok' && !Object.values(health.subsystems).some(({ status }) => isFaulty(status)));

/** Everything that can need somebody, apart from what the overview of the account says. */
export function useWaiting(environment: Environment) {
  const health = useHealth();
  const usage = useUsage();
  const webhooks = useWebhooks();
  const recoveries = usePendingRecoveries();
  const outcomes = useOutcomes(environment, DAY);
  const approvals = useOperation(
    'listApprovals',
    { query: { state: 'pending', limit: MAX_APPROVALS } },
    { staleTime: 0, refetchInterval: REFRESH_MS, select: (reply) => reply.approvals },
  );
  const used = usage.data && paceOf(usage.data.currentMonth, svc.serverNow());
  return {
    isPending: [health, usage, webhooks, recoveries, approvals, outcomes].some((query) => query.isPending),
    errors: [health, webhooks, recoveries, approvals, outcomes].filter((query) => query.error !== null),
    health: health.data,
    /** If half of the month's quota is used, and all of it will be before the month ends. */
    month: used?.usedUpAt === undefined || used.used < used.limit / 2 ? undefined : used,
    webhooks: (webhooks.data ?? []).filter(({ status }) => status === 'disabled'),
    recoveries: recoveries.data,
    approvals: approvals.data ?? [],
    outcomes: outcomes.data,
    failed: (outcomes.data?.hours ?? []).reduce((sum, { fail }) => sum + fail, 0),
  };
}

export type Waiting = ReturnType<typeof useWaiting>;
