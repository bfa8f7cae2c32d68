import type { AuditEvent } from '@svc/sdk';
import { Bars, Legend } from '../../ui/charts/bars';
import { bucketsOf } from './activity';

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
      <Legend parts={[{ name: 'Succeeded' }, { name: 'Failed', tone: 'bad' }]} />
      <Bars
        bars={buckets.map(({ from, succeeded, failed }) => ({
          label: (ms < DAY_MS ? TIME : DATE).format(from),
          title: BOTH.format(from),
          parts: [
            { name: 'Failed', value: failed, tone: 'bad' },
            { name: 'Succeeded', value: succeeded },
          ],
        }))}
      />
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
