import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { Code } from '../../ui/code/code';
import { classes } from '../../ui/layout/classes';
import { StatusTag } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Id } from '../../ui/lists/value';
import { useEnvironment } from '../environment';
import { recordIn } from '../paths';
import type { FeedEvent } from './feed-event';
import style from './live-events.module.css';

/** One event. It opens to show its JSON. */
export function EventRow({ event, isNew }: { readonly event: FeedEvent; readonly isNew: boolean }) {
  const { type, seq, status, entityType, entityId, timestamp } = event;
  const environment = useEnvironment();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className={classes(style.row, isNew && style.new)}>
        <button
          type="button"
          className={style.type}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden="true" />
          <code>{type}</code>
        </button>
        <span className={style.entity}>
          {entityType.replaceAll('_', ' ')} {entityId !== null && <Id of={entityId} short />}
        </span>
        <StatusTag tone={status === 'success' ? 'good' : 'bad'}>
          {status === 'success' ? 'Success' : 'Failed'}
        </StatusTag>
        <Link className={style.link} to={recordIn(environment, 'audit', seq)}>
          Entry {seq}
        </Link>
        <Time at={timestamp} exact />
      </div>
      {isOpen && (
        <div className={style.json} id={id}>
          <Code label={`Event ${seq}`} language="json" wrap>
            {JSON.stringify(event, null, 2)}
          </Code>
        </div>
      )}
    </li>
  );
}
