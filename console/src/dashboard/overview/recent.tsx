import type { AuditEvent } from '@svc/sdk';
import { Link } from 'react-router';
import { Badge } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { useEnvironment } from '../environment';
import style from './overview.module.css';

export function Recent({ events }: { readonly events: readonly AuditEvent[] | undefined }) {
  const environment = useEnvironment();
  if (events === undefined) return null;
  if (events.length === 0) return <p>No events yet.</p>;
  return (
    <>
      <ul className={style.recent}>
        {events.map((event) => (
          <li key={event.id}>
            <span>
              {event.summary} {event.status === 'failure' && <Badge tone="bad">failure</Badge>}
            </span>
            <Time at={event.createdAt} />
          </li>
        ))}
      </ul>
      <p>
        <Link to={`/${environment}/audit`}>View the audit log</Link>
      </p>
    </>
  );
}
