import type { Operations } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../ui/layout/panel';
import { Facts } from '../../ui/layout/surface';
import { Meter } from '../../ui/status/meter';
import { KEYS, svc } from '../api';
import { useAccount } from '../session';
import { Month } from './month';
import style from './usage.module.css';

const PLANS: Readonly<Record<Operations['consoleGetUsage']['reply']['plan'], string>> = {
  free: 'Free',
  starter: 'Starter',
  growth: 'Growth',
  enterprise: 'Enterprise',
};

/** What the plan allows, and how much of it is used. Both environments share it. */
export const Limits = ({ usage }: { readonly usage: Operations['consoleGetUsage']['reply'] | undefined }) => (
  <Panel title="Limits" aria-label="Limits">
    <div className={style.limits}>
      {usage && (
        <>
          <Month {...usage.currentMonth} />
          <ActiveKeys />
          <Facts facts={{ Plan: PLANS[usage.plan] }} />
          <p>
            {usage.rateLimit.requestsPer15Min.toLocaleString()} calls per 15 minutes. Calls over the limit are
            rejected. Retry them later.
          </p>
        </>
      )}
    </div>
  </Panel>
);

function ActiveKeys() {
  const { data: account } = useAccount();
  const { data: keys } = useQuery({
    queryKey: [...KEYS, 'active'],
    queryFn: async ({ signal }) => {
      const { keys } = await svc.console.keys.list({ limit: 100 }, { signal }); // the active ones come first
      return keys.filter(({ status }) => status === 'active').length;
    },
  });
  if (account === undefined || keys === undefined) return null;
  return <Meter label="Active API keys" used={keys} limit={account.limits.activeApiKeys} />;
}
