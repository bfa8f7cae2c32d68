import { Link, useOutletContext } from 'react-router';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import { Segments } from '../../ui/layout/segments';
import { Grid, Row } from '../../ui/layout/stack';
import { Page } from '../../ui/layout/surface';
import { useUsage } from '../nouns/usage/use-usage';
import type { Environment } from '../operations/api';
import { pageIn } from '../paths';
import { Calls } from './calls';
import { LatencyChart } from './latency-chart';
import { Limits } from './limits';
import { MonthsChart } from './months/months-chart';
import { MonthsTable } from './months/months-table';
import { OutcomesChart } from './outcomes-chart';
import { RANGES } from './series';
import { TopEndpoints, TopKeys } from './top-groups';
import style from './usage.module.css';
import { useShown } from './use-series';

/** How many of the last calls are shown. The page of requests has all. */
const MAX_CALLS = 5;

export function Usage() {
  const environment = useOutletContext<Environment>();
  const shown = useShown();
  const { data, error, refetch } = useUsage();
  return (
    <Page
      title="Plan and usage"
      about="Calls with an API key. The dashboard’s own requests don’t count."
      actions={
        <Row>
          <Segments
            label="Environment of the charts"
            name="environment"
            options={{ live: 'Live calls', test: 'Test calls' }}
            chosen={shown.environment}
          />
          <Segments label="Range" name="range" options={RANGES} chosen={shown.range} />
        </Row>
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <div className={style.columns}>
        <OutcomesChart />
        <Limits usage={data} />
      </div>
      <LatencyChart />
      <Grid>
        <TopEndpoints />
        <TopKeys />
      </Grid>
      <Panel title="Last twelve months" aria-label="Last twelve months">
        <div className={style.loading} data-size="chart">
          {data && (
            <>
              <MonthsChart history={data.history} />
              <MonthsTable history={data.history} />
            </>
          )}
        </div>
      </Panel>
      <Panel
        title="Last calls"
        aria-label="Last calls"
        aside={<Link to={pageIn(environment, 'requests')}>All requests</Link>}
      >
        {data && <Calls calls={data.recentCalls.slice(0, MAX_CALLS)} />}
      </Panel>
    </Page>
  );
}
