import type { Operations } from '@svc/sdk';
import { Panel } from '../../ui/layout/panel';
import { Facts } from '../../ui/layout/surface';
import { formatNumber } from '../../ui/numbers';
import { Meter } from '../../ui/status/meter';
import { Month } from '../nouns/usage/month';
import { useAccount } from '../operations/account';
import { useOperation } from '../operations/operation';
import style from './usage.module.css';

const PLANS: Readonly<Record<Operations['consoleGetUsage']['reply']['plan'], string>> = {
  free: 'Free',
  starter: 'Starter',
  growth: 'Growth',
  enterprise: 'Enterprise',
};

/** What the plan allows, and how much of it is used. Both environments share it. */
export function Limits({ usage }: { readonly usage: Operations['consoleGetUsage']['reply'] | undefined }) {
  const { data: account } = useAccount();
  const keys = useActiveKeys();
  return (
    <Panel title="Limits" aria-label="Limits">
      <div className={style.limits}>
        {usage && !keys.isPending && (
          <>
            <Month {...usage.currentMonth} />
            {account && keys.data !== undefined && (
              <Meter label="Active API keys" used={keys.data} limit={account.limits.activeApiKeys} />
            )}
            <Facts facts={{ Plan: PLANS[usage.plan] }} />
            <p>
              {formatNumber(usage.rateLimit.requestsPer15Min)} calls per 15 minutes. Calls over the limit are
              rejected. Retry them later.
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}

const useActiveKeys = () =>
  useOperation(
    'consoleListApiKeys',
    { query: { limit: 100 } }, // the active ones come first
    { select: ({ keys }) => keys.filter(({ status }) => status === 'active').length },
  );
