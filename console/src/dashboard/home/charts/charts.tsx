import { memo } from 'react';
import { useNavigate } from 'react-router';
import { Legend } from '../../../ui/charts/figures';
import { Panel } from '../../../ui/layout/panel';
import { Grid } from '../../../ui/layout/stack';
import { FailureReasons } from '../../nouns/outcomes/failure-reasons';
import { OutcomesByHour } from '../../nouns/outcomes/outcomes-by-hour';
import { PARTS } from '../../nouns/outcomes/parts';
import { type OutcomesReply, useOutcomes } from '../../nouns/outcomes/use-outcomes';
import { useEnvironment } from '../../operations/environment';
import { pageIn } from '../../paths';
import style from '../home.module.css';
import type { Day } from './days';
import { VerificationsChart } from './verifications-chart';

const WEEK = 7 * 24;

/** The last 24 hours, two weeks, and why verifications failed in one of them. */
export const Charts = memo(function Charts({
  outcomes,
  days,
}: {
  readonly outcomes: OutcomesReply | undefined;
  readonly days: readonly Day[] | undefined;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const week = useOutcomes(environment, WEEK);
  return (
    <>
      <Panel flush title="Verifications, last 24 hours" aside={<Legend parts={PARTS} />}>
        <div className={style.chart}>
          {outcomes && (
            <OutcomesByHour
              hours={outcomes.hours}
              onChoose={(hour) => void navigate(pageIn(environment, 'verifications', { hour }))}
            />
          )}
        </div>
      </Panel>
      <Grid columns="side">
        <VerificationsChart days={days} />
        <Panel flush title="Why they failed, last 7 days">
          <div className={style.chart}>
            {week.data && (
              <FailureReasons counts={week.data.reasons} caption="Why verifications failed, last 7 days" />
            )}
          </div>
        </Panel>
      </Grid>
    </>
  );
});
