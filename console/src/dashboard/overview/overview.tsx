import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Page } from '../../ui/layout/surface';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { PendingRecoveries, pendingRecoveries } from '../recoveries/pending';
import { RegisterPerson } from '../registrations/register-person';
import { DisabledWebhooks, useDisabledWebhooks } from './disabled-webhooks';
import { Health } from './health';
import { LockedOut } from './locked-out';
import { NewestVerifications } from './newest-verifications';
import { Onboarding, useProgress } from './onboarding';
import style from './overview.module.css';
import { Recent } from './recent';
import { Records } from './records';
import { REFRESH_MS } from './refresh';
import { Restored } from './restored';
import { Tiles } from './tiles';
import { VerificationsChart } from './verifications-chart';

export function Overview() {
  const environment = useEnvironment();
  const progress = useProgress(environment);
  const webhooks = useDisabledWebhooks(environment);
  const recoveries = useQuery(pendingRecoveries(environment));
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', environment],
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => svc.request('consoleGetOverview', { query: { environment } }, { signal }),
  });
  return (
    <Page title="Overview" actions={<RegisterPerson icon />}>
      <Onboarding progress={progress} />
      {/* The first steps and banners are above the figures, so these wait until it is known whether there are any. */}
      <div
        className={style.figures}
        hidden={progress.isPending || webhooks.isPending || recoveries.isPending}
      >
        {data?.identitiesLockedAt && <Restored lockedAt={data.identitiesLockedAt} />}
        <PendingRecoveries pending={recoveries.data} />
        <LockedOut people={data?.lockedOut ?? []} />
        <DisabledWebhooks webhooks={webhooks.data ?? []} />
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        <Tiles days={data?.verificationDays} />
        <div className={style.columns}>
          <VerificationsChart days={data?.verificationDays} />
          <Records counts={data?.counts} />
          <NewestVerifications />
          <Recent events={data?.recent.audit} total={data?.counts.audit} failed={error !== null} />
        </div>
        <Health />
      </div>
    </Page>
  );
}
