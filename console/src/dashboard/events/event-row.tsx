import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { Code } from '../../ui/code/code';
import { classes } from '../../ui/layout/classes';
import { Badge } from '../../ui/layout/surface';
import { Rows } from '../../ui/lists/rows';
import { Time } from '../../ui/lists/time';
import { type Entry, sentenceOf } from '../nouns/words/pieces';
import { Sentence } from '../nouns/words/sentence';
import { useEnvironment } from '../operations/environment';
import { recordIn } from '../paths';
import type { Group } from '../records/groups/groups';
import type { FeedEvent, Names } from './feed-event';
import style from './live-events.module.css';

export interface NamedEvent {
  readonly event: FeedEvent;
  /** Undefined until they are read. */
  readonly names: Names | undefined;
  readonly isNew: boolean;
}

const entryOf = ({ event, names }: NamedEvent): Entry => ({ ...event, ...names });

/** What makes events equal: they say the same. */
export const sayingOf = (named: NamedEvent): string => `${named.event.status} ${sentenceOf(entryOf(named))}`;

/** Events that say the same, as one row that opens to show each. */
export function EventGroup({ group: { first, items } }: { readonly group: Group<NamedEvent> }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (items.length === 1) return <EventRow of={first} />;
  return (
    <li>
      <div className={classes(style.row, first.isNew && style.new)}>
        <Opener
          name={`${items.length} events`}
          controls={id}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
        />
        <span className={style.sentence}>
          <strong>{items.length} ×</strong> <Sentence of={entryOf(first)} />
        </span>
        <Facts of={first.event} />
      </div>
      {isOpen && (
        <Rows lined id={id} className={style.members} aria-label={`${items.length} events`}>
          {items.map((item) => (
            <EventRow key={item.event.seq} of={item} />
          ))}
        </Rows>
      )}
    </li>
  );
}

/** One event. It opens to show its JSON. */
function EventRow({ of }: { readonly of: NamedEvent }) {
  const { event, isNew } = of;
  const environment = useEnvironment();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className={classes(style.row, isNew && style.new)}>
        <Opener name={`Event ${event.seq}`} controls={id} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <span className={style.sentence}>
          <Sentence of={entryOf(of)} />
        </span>
        <Facts of={event} />
      </div>
      {isOpen && (
        <div className={style.json} id={id}>
          <p>
            <Link className={style.link} to={recordIn(environment, 'audit', event.seq)}>
              Entry {event.seq} of the audit log
            </Link>
          </p>
          <Code label={`Event ${event.seq} as JSON`} language="json" wrap>
            {JSON.stringify(event, null, 2)}
          </Code>
        </div>
      )}
    </li>
  );
}

const Opener = ({
  name,
  controls,
  isOpen,
  onToggle,
}: {
  readonly name: string;
  readonly controls: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) => (
  <button
    type="button"
    className={style.opener}
    aria-label={name}
    aria-expanded={isOpen}
    aria-controls={isOpen ? controls : undefined}
    onClick={onToggle}
  >
    <ChevronRight size={14} aria-hidden="true" />
  </button>
);

const Facts = ({ of: { type, status, timestamp } }: { readonly of: FeedEvent }) => (
  <>
    <code className={style.type}>{type}</code>
    <span>{status === 'failure' && <Badge tone="bad">Failed</Badge>}</span>
    <Time at={timestamp} exact />
  </>
);
