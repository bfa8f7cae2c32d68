import type { PersonSheet } from '@svc/sdk';
import { shownFlags } from '@svc/zk/time/shown-flags';
import { Panel } from '../../../ui/layout/panel';
import { Badge } from '../../../ui/layout/surface';
import { t } from '../language/strings';
import { clockText } from '../parts/minutes';
import type { OfMonth } from './of-month';
import style from './totals.module.css';
import { Who } from './who';

/** The minutes of the month, and what asserted events would add. */
export const Total = ({ of: { minutes, difference } }: { readonly of: PersonSheet['sheet']['totals'] }) => (
  <>
    <strong>{clockText(minutes)}</strong>
    {difference > 0 && <span className={style.plus}>+{clockText(difference)}</span>}
  </>
);

/** The month without its days. */
export const Totals = ({ sheets, siteId, month, today }: OfMonth) => (
  <Panel flush>
    <table className={style.totals}>
      <thead>
        <tr>
          <th scope="col">{t.month.person}</th>
          <th scope="col">{t.month.flags}</th>
          <th scope="col">{t.month.total}</th>
        </tr>
      </thead>
      <tbody>
        {sheets.map((person) => (
          <tr key={person.userId}>
            <th scope="row">
              <Who person={person} siteId={siteId} month={month} />
            </th>
            <td>
              <Flags count={shownFlags(person.sheet.flags, today).length} />
            </td>
            <td>
              <Total of={person.sheet.totals} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);

const Flags = ({ count }: { readonly count: number }) => count > 0 && <Badge tone="warn">{count}</Badge>;
