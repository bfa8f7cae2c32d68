import { useQuery } from '@tanstack/react-query';
import { ScanLine } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { ButtonLink } from '../../ui/forms/button';
import { Page } from '../../ui/layout/surface';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { CallsChart } from './calls-chart';
import { Health } from './health';
import { NewestVerifications } from './newest-verifications';
import { Onboarding } from './onboarding';
import style from './overview.module.css';
import { Recent } from './recent';
import { Records } from './records';
import { Tiles } from './tiles';

export function Overview() {
  const environment = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', environment],
    staleTime: 0,
    queryFn: ({ signal }) => svc.request('consoleGetOverview', { query: { environment } }, { signal }),
  });
  return (
    <Page
      title="Overview"
      actions={
        <ButtonLink to={`/${environment}/registrations`}>
          <ScanLine size={16} aria-hidden="true" />
          Register a person
        </ButtonLink>
      }
    >
      <Onboarding />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <Tiles />
      <div className={style.columns}>
        <CallsChart />
        <Records counts={data?.counts} />
        <NewestVerifications />
        <Recent events={data?.recent.audit} total={data?.counts.audit} />
      </div>
      <Health />
    </Page>
  );
}
