import type { AuditEvent } from '@svc/sdk';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { bucketsOf } from './activity';
import style from './overview.module.css';

const DAY_MS = 86_400_000;
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const BOTH = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The newest events by time, as a bar chart, and as a table for screen readers. */
export function ActivityChart({ events }: { readonly events: readonly AuditEvent[] }) {
  const { each, ms, buckets } = bucketsOf(events);
  const about = `The newest ${events.length} events of the audit log, by ${each}`;
  return (
    <>
      <p>{about}.</p>
      <div className={style.key} aria-hidden="true">
        <span>succeeded</span>
        <span className={style.failed}>failed</span>
      </div>
      <div className={style.chart} aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={[...buckets]}
            accessibilityLayer={false}
            margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="from"
              tickFormatter={(from: number) => (ms < DAY_MS ? TIME : DATE).format(from)}
              tickLine={false}
              stroke="var(--line)"
              minTickGap={24}
            />
            <YAxis allowDecimals={false} width={32} tickLine={false} axisLine={false} />
            <Bar
              dataKey="succeeded"
              stackId="events"
              fill="var(--accent)"
              isAnimationActive={false}
              maxBarSize={48}
            />
            <Bar
              dataKey="failed"
              stackId="events"
              fill="var(--bad)"
              isAnimationActive={false}
              maxBarSize={48}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{about}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Succeeded</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ from, succeeded, failed }) => (
              <tr key={from}>
                <th scope="row">{BOTH.format(from)}</th>
                <td>{succeeded}</td>
                <td>{failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
