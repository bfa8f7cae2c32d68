import { keepPreviousData } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Grid } from '../../ui/layout/stack';
import { Page } from '../../ui/layout/surface';
import { type OutcomesReply, useOutcomes } from '../nouns/outcomes/use-outcomes';
import { type Environment, svc } from '../operations/api';
import { EnvironmentProvider, useEnvironment } from '../operations/environment';
import { type Reply, useOperation } from '../operations/operation';
import { REFRESH_MS } from '../operations/refresh';
import { RegisterPerson } from '../registrations/registrations';
import { Attention } from './attention/attention';
import { useWebhooks } from './attention/disabled-webhooks';
import { useWaiting } from './attention/use-waiting';
import { Charts } from './charts/charts';
import { startOfToday } from './charts/days';
import { useFirstProof } from './first-steps/first-proof';
import { Onboarding } from './first-steps/onboarding';
import { useProgress } from './first-steps/use-progress';
import style from './home.module.css';
import { Quota } from './quota';
import { RecentActivity } from './recent-activity';
import { Tiles } from './tiles';

const useOverview = (environment: Environment) =>
  useOperation(
    'consoleGetOverview',
    { query: { environment, since: startOfToday(svc.serverNow()) } },
    // The start of a day changes at midnight.
    { staleTime: 0, refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
  );

/** How today goes, the days before it, and what happened last. */
const Figures = ({
  overview,
  outcomes,
}: {
  readonly overview: Reply<'consoleGetOverview'> | undefined;
  readonly outcomes: OutcomesReply | undefined;
}) => (
  <>
    <Tiles today={overview?.today} days={overview?.verificationDays} />
    <Charts outcomes={outcomes} days={overview?.verificationDays} />
    <Grid columns="side">
      <RecentActivity />
      <Quota />
    </Grid>
  </>
);

/** The same of the test environment, in which the first proof was made. */
function TestFigures() {
  const { data } = useOverview('test');
  const outcomes = useOutcomes('test', 24);
  return (
    <EnvironmentProvider value="test">
      <p className={style.which}>The figures below are those of the test environment.</p>
      <Figures overview={data} outcomes={outcomes.data} />
    </EnvironmentProvider>
  );
}

/** What needs somebody today, then how today goes, then the days before it. */
export function Home() {
  const environment = useEnvironment();
  const waiting = useWaiting(environment);
  const webhooks = useWebhooks().data?.length;
  const { data, error, refetch } = useOverview(environment);
  const proof = useFirstProof();
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
            proof={proof}
            onDismiss={hide}
          />
        )}
        {data && <Attention waiting={waiting} overview={data} />}
        {/* A first proof is in the test environment, so figures of another one would not show it. */}
        {proof.data && environment !== 'test' ? (
          <TestFigures />
        ) : (
          <Figures overview={data} outcomes={waiting.outcomes} />
        )}
      </div>
    </Page>
  );
}
