import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { SelectField } from '../../ui/forms/fields/field';
import { Panel } from '../../ui/layout/panel';
import { Notice } from '../../ui/layout/surface';
import { FilterBar, useChange } from '../../ui/lists/filters/filters';
import { EmptyList } from '../../ui/lists/list';
import { Rows } from '../../ui/lists/rows';
import { Live } from '../../ui/status/live';
import { NOUNS } from '../nouns/words/event-types';
import { groupsOf } from '../records/groups/groups';
import { EventGroup, sayingOf } from './event-row';
import { readPattern } from './feed-event';
import style from './live-events.module.css';
import { useEvents } from './use-events';

const STATES = {
  open: 'Live: new events appear here.',
  connecting: 'Connecting …',
  ended: 'Not connected.',
} as const;

/** The events of the environment as they happen. */
export function LiveEvents() {
  const pattern = readPattern(useSearchParams()[0]);
  const [isLive, setLive] = useState(true);
  const { newer, older, names, first, connection, connectAgain } = useEvents(pattern, isLive);
  const named = [
    ...newer.map((event) => ({ event, names: names.get(event.seq), isNew: true })),
    ...older.map((event) => ({ event, names: names.get(event.seq), isNew: false })),
  ];
  return (
    <>
      <div className={style.bar}>
        <FilterBar filters={{}}>
          <TypeField chosen={pattern} />
        </FilterBar>
        <Live isConnected={isLive && connection === 'open'}>
          {isLive ? STATES[connection] : 'Paused. Events that happen now appear when you follow again.'}
        </Live>
        <Button aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
          {isLive ? 'Pause' : 'Follow live'}
        </Button>
      </div>
      {isLive && connection === 'ended' && (
        <Notice
          tone="warn"
          action={
            <Button small onClick={connectAgain}>
              Connect again
            </Button>
          }
        >
          The service did not open the stream. Your plan limits how many are open at the same time, so close
          other tabs with live pages, or try again in a moment.
        </Notice>
      )}
      {first.error && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {first.isPending ? (
        <div className={style.waiting} role="status" aria-label="Loading events" />
      ) : named.length > 0 ? (
        <Panel flush>
          <Rows lined aria-label="Events">
            {groupsOf(named, sayingOf).map((group) => (
              // The oldest, because new events join a group at its start.
              <EventGroup key={group.items.at(-1)?.event.seq} group={group} />
            ))}
          </Rows>
        </Panel>
      ) : (
        !first.error && <None pattern={pattern} />
      )}
    </>
  );
}

const None = ({ pattern }: { readonly pattern: string }) =>
  pattern === '*' ? (
    <EmptyList
      title="No events yet"
      text="Every change in this environment is an event. It appears here as soon as it happens."
    />
  ) : (
    <EmptyList
      title="None of the newest events is of this type"
      text="The next one appears here as soon as it happens. The audit log has all earlier ones."
    />
  );

function TypeField({ chosen }: { readonly chosen: string }) {
  const change = useChange();
  return (
    <SelectField
      label="Type"
      value={chosen}
      onChange={({ target }) => change('types', target.value === '*' ? '' : target.value)}
    >
      <option value="*">All</option>
      {NOUNS.map(({ noun, name, types }) => (
        <optgroup key={noun} label={name}>
          <option value={`${noun}.*`}>{noun}.*</option>
          {types.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
