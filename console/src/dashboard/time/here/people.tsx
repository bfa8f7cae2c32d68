import { Panel } from '../../../ui/layout/panel';
import { StatusTag } from '../../../ui/layout/surface';
import { RecordTable } from '../../../ui/lists/list';
import { Rows } from '../../../ui/lists/rows';
import { Absent } from '../../../ui/lists/value';
import { formatNumber } from '../../../ui/numbers';
import { Reference } from '../../nouns/reference';
import { zoned } from '../parts/zoned';
import style from './here.module.css';
import type { Presence } from './presence';

/** How many are here, who they are by name, and who is absent today. */
export function People({
  of: { here, absent },
  timeZone,
}: {
  readonly of: Presence;
  readonly timeZone: string;
}) {
  const time = zoned(timeZone, { hour: '2-digit', minute: '2-digit', weekday: 'short' });
  const onBreak = here.filter(({ isOnBreak }) => isOnBreak).length;
  return (
    <>
      <Panel flush aria-label="How many">
        <ul className={style.figures}>
          <Figure of={here.length} text="on site" />
          <Figure of={onBreak} text="of them on a break" />
          <Figure of={absent.length} text="absent today" />
        </ul>
      </Panel>
      {here.length === 0 ? (
        <Panel className={style.nobody}>Nobody is on site.</Panel>
      ) : (
        <RecordTable
          name="On site"
          items={here.map((person) => ({ ...person, id: person.userId }))}
          columns={[
            { name: 'Name', cell: ({ id, name }) => <Reference to="users" id={id} name={name} /> },
            { name: 'Since', short: true, narrow: 'time', cell: ({ since }) => time(since) },
            { name: 'Desk', narrow: 'fact', cell: ({ deviceName }) => deviceName ?? <Absent /> },
            { name: 'State', short: true, narrow: 'state', cell: (person) => <State {...person} /> },
          ]}
        />
      )}
      {absent.length > 0 && (
        <Panel title="Absent today">
          <Rows className={style.absent}>
            {absent.map(({ userId, name }) => (
              <li key={userId}>
                <Reference to="users" id={userId} name={name} />
              </li>
            ))}
          </Rows>
        </Panel>
      )}
    </>
  );
}

const Figure = ({ of, text }: { readonly of: number; readonly text: string }) => (
  <li>
    <strong>{formatNumber(of)}</strong> {text}
  </li>
);

const State = ({ isOnBreak, isStale }: { readonly isOnBreak: boolean; readonly isStale: boolean }) => {
  if (isStale)
    return (
      <span title="They came more than 16 hours ago and may have forgotten to clock out.">
        <StatusTag tone="warn">More than 16 hours</StatusTag>
      </span>
    );
  return <StatusTag tone={isOnBreak ? 'plain' : 'good'}>{isOnBreak ? 'On a break' : 'At work'}</StatusTag>;
};
