import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Failure } from '../../ui/failure';
import { Card, Page } from '../../ui/layout/surface';
import { lazyComponent } from '../../ui/lazy-component';
import { AUDIT, svc } from '../api';
import { useEnvironment } from '../environment';
import { Counts } from './counts';
import { Health } from './health';
import { Onboarding } from './onboarding';
import style from './overview.module.css';
import { Recent } from './recent';

const ActivityChart = lazyComponent(() => import('./activity-chart').then((found) => found.ActivityChart));
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
    <Page title="Overview" about={`Records and recent activity in the ${environment} environment.`}>
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
              <Suspense fallback={<div className={style.chart} />}>
                <ActivityChart events={newest.data} />
              </Suspense>
            ))}
        </Card>
        <Health />
      </div>
      <Card title="Newest events">
        <Recent events={overview.data?.recent.audit} />
      </Card>
    </Page>
  );
}
