import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { ButtonLink } from '../../ui/forms/button';
import { Card, Page } from '../../ui/layout/surface';
import { AUDIT, svc } from '../api';
import { useEnvironment } from '../environment';
import { ActivityChart } from './activity-chart';
import { Counts } from './counts';
import { Health } from './health';
import { NewestVerifications } from './newest-verifications';
import { Onboarding } from './onboarding';
import style from './overview.module.css';
import { Recent } from './recent';

/** The maximum page size. */
const NEWEST = 100;

export function Overview() {
  const environment = useEnvironment();
  const overview = useQuery({
    queryKey: ['overview', environment],
    staleTime: 0,
    queryFn: ({ signal }) => svc.request('consoleGetOverview', { query: { environment } }, { signal }),
  });
  const newest = useQuery({
    queryKey: [...AUDIT, environment, 'newest'],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await svc.console.audit(environment).list({ limit: NEWEST }, { signal }).first()).audit,
  });
  return (
    <Page
      title="Overview"
      actions={<ButtonLink to={`/${environment}/registrations`}>Register a person</ButtonLink>}
    >
      <Onboarding />
      {overview.error && <Failure error={overview.error} onRetry={() => void overview.refetch()} />}
      <Counts counts={overview.data?.counts} />
      <div className={style.columns}>
        <Card title="Activity">
          {newest.error && <Failure error={newest.error} onRetry={() => void newest.refetch()} />}
          {newest.data &&
            (newest.data.length === 0 ? (
              <p>No activity yet. Changes and proofs will be counted here.</p>
            ) : (
              <ActivityChart events={newest.data} />
            ))}
        </Card>
        <Health />
        <NewestVerifications newest={overview.data?.recent.verifications} />
        <Recent events={overview.data?.recent.audit} total={overview.data?.counts.audit} />
      </div>
    </Page>
  );
}
