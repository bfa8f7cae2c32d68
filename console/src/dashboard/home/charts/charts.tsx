import { memo } from 'react';
import { useNavigate } from 'react-router';
import { Legend } from '../../../ui/charts/figures';
import { Panel } from '../../../ui/layout/panel';
import { useEnvironment } from '../../environment';
import { pageIn } from '../../paths';
import { FailureReasons } from '../../verifications/failure-reasons';
import { OutcomesByHour } from '../../verifications/outcomes-by-hour';
import { PARTS } from '../../verifications/parts';
import { type OutcomesReply, useOutcomes } from '../../verifications/use-outcomes';
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
      <div className={style.columns}>
        <VerificationsChart days={days} />
        <Panel flush title="Why they failed, last 7 days">
          <div className={style.chart}>
            {week.data && (
              <FailureReasons counts={week.data.reasons} caption="Why verifications failed, last 7 days" />
            )}
          </div>
        </Panel>
      </div>
    </>
  );
});
