import { Bars } from '../../../ui/charts/bars';
import { Legend } from '../../../ui/charts/figures';
import { HiddenTable } from '../../../ui/charts/hidden-table';
import { dateFormat } from '../../../ui/dates/date-format';
import { Panel } from '../../../ui/layout/panel';
import { useOperation } from '../../operations/operation';
import style from '../webhooks.module.css';

const REFRESH_MS = 15_000;
const ABOUT = 'Attempts by day, last 30 days (UTC)';
// Days are those of UTC, whatever the reader's time zone is.
const DATE = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const FULL = dateFormat({ dateStyle: 'full', timeZone: 'UTC' });
const PARTS = [
  { name: 'Delivered', of: 'succeeded' },
  { name: 'Failed', of: 'failed', tone: 'bad' },
] as const;

/** Thirty days of deliveries at a glance. */
export function DeliveryStrip({ id }: { readonly id: string }) {
  const { data } = useOperation('getWebhookDeliveryDays', { path: { id } }, { refetchInterval: REFRESH_MS });
  const days = (data?.days ?? []).map((day) => ({ ...day, title: FULL(Date.parse(day.day)) }));
  return (
    <Panel flush title="Last 30 days (UTC)" aside={<Legend parts={PARTS} />}>
      <div className={style.strip}>
        {data && (
          <>
            <Bars
              label={ABOUT}
              isLow
              bars={days.map(({ title, ...day }) => ({
                label: DATE(Date.parse(day.day)),
                title,
                parts: PARTS.toReversed().map(({ of, ...part }) => ({ ...part, value: day[of] })),
              }))}
            />
            <HiddenTable
              caption={ABOUT}
              head={['Day', ...PARTS.map(({ name }) => name)]}
              rows={days.map(({ title, ...day }) => ({
                id: day.day,
                title,
                values: PARTS.map(({ of }) => String(day[of])),
              }))}
            />
          </>
        )}
      </div>
    </Panel>
  );
}
