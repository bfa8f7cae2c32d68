import { Panel } from '../../../ui/layout/panel';
import { StatusTag } from '../../../ui/layout/surface';
import { RecordTable } from '../../../ui/lists/list';
import { Rows } from '../../../ui/lists/rows';
import { Absent } from '../../../ui/lists/value';
import { Reference } from '../../nouns/reference';
import { t } from '../language/strings';
import { textOfName } from '../parts/person';
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
      <Panel flush aria-label={t.here.howMany}>
        <ul className={style.figures}>
          <Figure of={here.length} text={t.here.count} />
          <Figure of={onBreak} text={t.here.countOnBreak} />
          <Figure of={absent.length} text={t.here.countAbsent} />
        </ul>
      </Panel>
      {here.length === 0 ? (
        <Panel className={style.nobody}>{t.here.nobody}</Panel>
      ) : (
        <RecordTable
          name={t.here.list}
          items={here.map((person) => ({ ...person, id: person.userId }))}
          columns={[
            {
              name: t.here.name,
              cell: ({ id, name }) => <Reference to="users" id={id} name={textOfName(name)} />,
            },
            { name: t.here.since, short: true, narrow: 'time', cell: ({ since }) => time(since) },
            {
              name: t.here.desk,
              narrow: 'fact',
              cell: ({ deviceName }) => deviceName ?? <Absent text={t.none} />,
            },
            { name: t.here.state, short: true, narrow: 'state', cell: (person) => <State {...person} /> },
          ]}
        />
      )}
      {absent.length > 0 && (
        <Panel title={t.here.absent}>
          <Rows className={style.absent}>
            {absent.map(({ userId, name }) => (
              <li key={userId}>
                <Reference to="users" id={userId} name={textOfName(name)} />
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
    <strong>{of}</strong> {text}
  </li>
);

const State = ({ isOnBreak, isStale }: { readonly isOnBreak: boolean; readonly isStale: boolean }) => {
  if (isStale)
    return (
      <span title={t.here.staleWhy}>
        <StatusTag tone="warn">{t.here.stale}</StatusTag>
      </span>
    );
  return (
    <StatusTag tone={isOnBreak ? 'plain' : 'good'}>{isOnBreak ? t.here.onBreak : t.here.atWork}</StatusTag>
  );
};
