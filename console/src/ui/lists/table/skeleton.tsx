import { classes } from '../../layout/classes';
import { Panel } from '../../layout/panel';
import type { Column } from '../column';
import style from '../list.module.css';
import { useListWords } from '../list-words';
import { classOf } from './table-row';

const ROWS = Array.from({ length: 18 }, (_, at) => at);

/** A list that loads: rows of the final height. */
export const Skeleton = ({
  name,
  columns,
  hasAddresses,
}: {
  readonly name: string;
  readonly columns: readonly Pick<Column<never>, 'name' | 'short' | 'minor' | 'narrow'>[];
  readonly hasAddresses: boolean;
}) => (
  <Panel flush className={style.list} role="status" aria-label={useListWords().loading(name)}>
    <table aria-hidden="true" className={classes(hasAddresses && style.addressed, style.loading)}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} className={classOf(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map((row) => (
          <tr key={row}>
            {columns.map((column) => (
              <td key={column.name} className={classOf(column)}>
                <div className={style.skeleton} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);
