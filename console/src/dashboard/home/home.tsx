import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Page } from '../../ui/layout/surface';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { RegisterPerson } from '../registrations/register-person';
import { Attention } from './attention/attention';
import { useWebhooks } from './attention/disabled-webhooks';
import { useWaiting } from './attention/use-waiting';
import { Charts } from './charts/charts';
import { startOfToday } from './charts/days';
import { Onboarding } from './first-steps/onboarding';
import { useProgress } from './first-steps/use-progress';
import style from './home.module.css';
import { Quota } from './quota';
import { RecentActivity } from './recent-activity';
import { REFRESH_MS } from './refresh';
import { Tiles } from './tiles';

/** What needs somebody today, then how today goes, then the days before it. */
export function Home() {
  const environment = useEnvironment();
  const waiting = useWaiting(environment);
  const webhooks = useWebhooks(environment).data?.length;
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', environment],
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => {
      const since = startOfToday(svc.serverNow());
      return svc.request('consoleGetOverview', { query: { environment, since } }, { signal });
    },
  });
  const { isPending, progress, isTried, hide } = useProgress(environment, data?.counts, webhooks);
  return (
    <Page title="Home" actions={<RegisterPerson icon />}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {waiting.errors.map(({ error: cause, refetch: again }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same queries in the same order
        <Failure key={at} error={cause} onRetry={() => void again()} />
      ))}
      {/* Each reply renders this page again, so its larger parts are memos. */}
      {/* What comes first decides where the rest stands, so all of it waits for that. */}
      <div className={style.parts} hidden={isPending || waiting.isPending || (data === undefined && !error)}>
        {progress && (
          <Onboarding
            progress={progress}
            isTried={isTried}
            isFirst={data?.counts.verifications === 1}
            onDismiss={hide}
          />
        )}
        {data && <Attention waiting={waiting} overview={data} />}
        <Tiles today={data?.today} days={data?.verificationDays} />
        <Charts outcomes={waiting.outcomes} days={data?.verificationDays} />
        <div className={style.columns}>
          <RecentActivity />
          <Quota />
        </div>
      </div>
    </Page>
  );
}
