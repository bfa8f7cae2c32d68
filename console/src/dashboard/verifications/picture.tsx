import { useSearchParams } from 'react-router';
import { Legend } from '../../ui/charts/figures';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import { Grid } from '../../ui/layout/stack';
import { useChange } from '../../ui/lists/filters/filters';
import { FailureReasons } from '../nouns/outcomes/failure-reasons';
import { OutcomesByHour } from '../nouns/outcomes/outcomes-by-hour';
import { PARTS } from '../nouns/outcomes/parts';
import { useOutcomes } from '../nouns/outcomes/use-outcomes';
import { useEnvironment } from '../operations/environment';
import { Aged } from '../records/aged';
import style from './picture.module.css';

const DAY = 24;
const WEEK = 7 * DAY;

/** Above the list: the outcomes of the last hours, and why verifications failed in the last days. */
export function OutcomesPicture() {
  const environment = useEnvironment();
  const { data, error, dataUpdatedAt, refetch } = useOutcomes(environment, WEEK);
  const [search] = useSearchParams();
  const change = useChange();
  const chosen = search.get('hour') ?? undefined;
  if (error && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Grid columns="side" data-pictures>
      <Panel flush title="Last 24 hours" aside={<Legend parts={PARTS} />}>
        <div className={style.chart}>
          {data && (
            <OutcomesByHour
              hours={data.hours.slice(-DAY)}
              chosen={chosen}
              onChoose={(hour) => change('hour', hour === chosen ? '' : hour)}
            />
          )}
          {error && <Aged since={dataUpdatedAt} />}
        </div>
      </Panel>
      <Panel flush title="Why they failed, last 7 days">
        <div className={style.chart}>
          {data && <FailureReasons counts={data.reasons} caption="Why verifications failed, last 7 days" />}
        </div>
      </Panel>
    </Grid>
  );
}
