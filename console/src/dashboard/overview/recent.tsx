import type { AuditEvent } from '@svc/sdk';
import { Link } from 'react-router';
import { Badge } from '../../ui/layout/surface';
import { Ago } from '../../ui/lists/time';
import { useEnvironment } from '../environment';
import style from './overview.module.css';

const NUMBER = new Intl.NumberFormat();

export function Recent({
  events,
  total,
}: {
  readonly events: readonly AuditEvent[] | undefined;
  readonly total: number | undefined;
}) {
  const environment = useEnvironment();
  if (events === undefined || total === undefined) return null;
  return (
    <section className={style.panel}>
      <header>
        <h2>Newest events</h2>
        <Link className={style.more} to={`/${environment}/audit`}>
          View all {NUMBER.format(total)}
        </Link>
      </header>
      {events.length === 0 ? (
        <p>No events yet.</p>
      ) : (
        <ul className={style.events}>
          {events.slice(0, 6).map((event) => (
            <li key={event.id}>
              <span>
                {event.summary} {event.status === 'failure' && <Badge tone="bad">failed</Badge>}
              </span>
              <Ago at={event.createdAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
