import { Bars } from '../../ui/charts/bars';
import { Legend } from '../../ui/charts/figures';
import { Failure } from '../../ui/failure';
import { Panel } from '../../ui/layout/panel';
import style from './overview.module.css';
import { useCalls } from './use-calls';

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const BOTH = new Intl.DateTimeFormat(undefined, { weekday: 'long', hour: '2-digit', minute: '2-digit' });
const ABOUT = 'API calls of the last 48 hours';

/** The calls of the last 48 hours as a bar chart, and as a table for screen readers. */
export function CallsChart() {
  const { data: hours, error, refetch } = useCalls();
  return (
    <Panel
      flush
      title="API calls, last 48 hours"
      aside={<Legend parts={[{ name: 'Succeeded' }, { name: 'Failed', tone: 'bad' }]} />}
    >
      <div className={style.chart}>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {hours && (
          <>
            <Bars
              label={ABOUT}
              bars={hours.map(({ at, succeeded, failed }) => ({
                label: new Date(at).getHours() === 0 ? DAY.format(at) : TIME.format(at),
                title: BOTH.format(at),
                parts: [
                  { name: 'Failed', value: failed, tone: 'bad' },
                  { name: 'Succeeded', value: succeeded },
                ],
              }))}
            />
            <div className="visually-hidden">
              <table>
                <caption>{ABOUT}</caption>
                <thead>
                  <tr>
                    <th scope="col">From</th>
                    <th scope="col">Succeeded</th>
                    <th scope="col">Failed</th>
                  </tr>
                </thead>
                <tbody>
                  {hours.map(({ at, succeeded, failed }) => (
                    <tr key={at}>
                      <th scope="row">{BOTH.format(at)}</th>
                      <td>{succeeded}</td>
                      <td>{failed}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}
