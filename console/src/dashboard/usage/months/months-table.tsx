import { formatNumber } from '../../../ui/numbers';
import { type History, monthName } from './months';

export const MonthsTable = ({ history }: { readonly history: History }) => (
  <div className="visually-hidden">
    <table>
      <caption>Calls per month, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Calls</th>
        </tr>
      </thead>
      <tbody>
        {history.map(({ month, used }) => (
          <tr key={month}>
            <th scope="row">{monthName(month)}</th>
            <td>{formatNumber(used)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
