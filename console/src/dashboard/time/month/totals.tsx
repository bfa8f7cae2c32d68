import type { PersonSheet } from '@svc/sdk';
import { Panel } from '../../../ui/layout/panel';
import { Badge } from '../../../ui/layout/surface';
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
export const Totals = ({ sheets, siteId, month }: OfMonth) => (
  <Panel flush>
    <table className={style.totals}>
      <thead>
        <tr>
          <th scope="col">Person</th>
          <th scope="col">Flags</th>
          <th scope="col">Total</th>
        </tr>
      </thead>
      <tbody>
        {sheets.map((person) => (
          <tr key={person.userId}>
            <th scope="row">
              <Who person={person} siteId={siteId} month={month} />
            </th>
            <td>{person.sheet.flags.length > 0 && <Badge tone="warn">{person.sheet.flags.length}</Badge>}</td>
            <td>
              <Total of={person.sheet.totals} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);
