import type { AuditEvent } from '@svc/sdk';
import { Link } from 'react-router';
import { Panel } from '../../ui/layout/panel';
import { Badge } from '../../ui/layout/surface';
import { Rows } from '../../ui/lists/rows';
import { Ago } from '../../ui/lists/time';
import { useEnvironment } from '../environment';
import { pageIn, recordIn } from '../paths';
import style from './overview.module.css';
import { WaitingRows } from './waiting-rows';

const LIMIT = 6;
const NUMBER = new Intl.NumberFormat();

export function Recent({
  events,
  total,
  failed,
}: {
  readonly events: readonly AuditEvent[] | undefined;
  readonly total: number | undefined;
  readonly failed: boolean;
}) {
  const environment = useEnvironment();
  return (
    <Panel
      flush
      title="Newest audit entries"
      aside={
        <Link to={pageIn(environment, 'audit')}>View all {total !== undefined && NUMBER.format(total)}</Link>
      }
    >
      {events === undefined ? (
        !failed && <WaitingRows count={LIMIT} className={style.events} cells={2} />
      ) : events.length === 0 ? (
        <p className={style.none}>No entries yet.</p>
      ) : (
        <Rows className={style.events}>
          {events.slice(0, LIMIT).map((event) => (
            <li key={event.id}>
              <span>
                <Link className={style.event} to={recordIn(environment, 'audit', event.seq)}>
                  {event.summary}
                </Link>{' '}
                {event.status === 'failure' && <Badge tone="bad">failed</Badge>}
              </span>
              <Ago at={event.createdAt} />
            </li>
          ))}
        </Rows>
      )}
    </Panel>
  );
}
