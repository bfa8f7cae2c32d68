import { Bars } from '../../../ui/charts/bars';
import { Legend } from '../../../ui/charts/figures';
import { HiddenTable } from '../../../ui/charts/hidden-table';
import { dateFormat } from '../../../ui/dates/date-format';
import { Panel } from '../../../ui/layout/panel';
import { PARTS } from '../../nouns/outcomes/parts';
import style from '../home.module.css';
import type { Day } from './days';

// Days are those of UTC, whatever the reader's time zone is.
const DATE = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const FULL_DATE = dateFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const ABOUT = 'Verifications of the last 14 days (UTC)';

/** The verifications of each day as a bar chart, and as a table for screen readers. */
export const VerificationsChart = ({ days }: { readonly days: readonly Day[] | undefined }) => (
  <Panel flush title="Verifications, last 14 days (UTC)" aside={<Legend parts={PARTS} />}>
    <div className={style.chart}>
      {days && (
        <>
          <Bars
            label={ABOUT}
            bars={days.map((day) => ({
              label: DATE(Date.parse(day.day)),
              title: FULL_DATE(Date.parse(day.day)),
              parts: PARTS.toReversed().map(({ of, ...part }) => ({ ...part, value: day[of] })),
            }))}
          />
          <HiddenTable
            caption={ABOUT}
            head={['Day', ...PARTS.map(({ name }) => name)]}
            rows={days.map((day) => ({
              id: day.day,
              title: FULL_DATE(Date.parse(day.day)),
              values: PARTS.map(({ of }) => String(day[of])),
            }))}
          />
        </>
      )}
    </div>
  </Panel>
);
