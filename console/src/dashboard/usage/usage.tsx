import { useQuery } from '@tanstack/react-query';
import { Meter } from '../../ui/layout/meter';
import { Card, Facts, Page } from '../../ui/layout/surface';
import { Loaded } from '../../ui/lists/loaded';
import { KEYS, svc } from '../api';
import { useAccount } from '../session';
import { Calls } from './calls';
import { Month, MonthNotice } from './month';
import { MonthsChart } from './months-chart';
import { MonthsTable } from './months-table';

export function Usage() {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => svc.console.getUsage({ signal }),
  });
  return (
    <Page
      title="Usage and limits"
      about="API calls with keys of both environments. The dashboard’s own requests don’t count."
    >
      <Loaded name="usage" query={usage}>
        {({ plan, currentMonth, rateLimit, history, recentCalls }) => (
          <>
            <MonthNotice {...currentMonth} />
            <Card title="Limits">
              <Month {...currentMonth} />
              <ActiveKeys />
              <Facts
                facts={{
                  Plan: plan,
                  'Per 15 minutes': `${rateLimit.requestsPer15Min.toLocaleString()} calls. More calls are rejected until the window has room again.`,
                }}
              />
            </Card>
            <Card title="Last twelve months">
              <MonthsChart history={history} />
              <MonthsTable history={history} />
            </Card>
            <Card title="Last calls">
              <Calls calls={recentCalls} />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}

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
