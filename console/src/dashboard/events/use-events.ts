import { useEffect, useRef, useState } from 'react';
import { TYPES } from '../nouns/words/event-types';
import { useEnvironment } from '../operations/environment';
import { type Reply, useOperation } from '../operations/operation';
import { eventOf, type FeedEvent, namesOf, selectEvents } from './feed-event';
import { useNames } from './use-names';

/** Older ones leave the page. */
const MAX_ROWS = 200;
/** Entries of the audit log that are read first. Of those that the filter selects, `MAX_FIRST` are shown. */
const EXAMINED = 100;
const MAX_FIRST = 20;

/** `ended`: the service did not accept the connection, so the browser does not try again. */
type Connection = 'connecting' | 'open' | 'ended';

const feedOf = ({ audit }: Reply<'consoleListAuditEvents'>) => ({
  events: audit.map(eventOf),
  names: new Map(audit.map((entry) => [entry.seq, namesOf(entry)])),
});

/**
 * The newest events that the pattern selects, newest first. While `isOn`, new ones are added. Those that happened between are
 * added when it is turned on again.
 */
export function useEvents(pattern: string, isOn: boolean) {
  const environment = useEnvironment();
  const first = useOperation(
    'consoleListAuditEvents',
    { query: { limit: EXAMINED } },
    {
      staleTime: Number.POSITIVE_INFINITY,
      // The next visit begins with the newest events again.
      gcTime: 0,
      select: feedOf,
    },
  );
  const [newer, setNewer] = useState<readonly FeedEvent[]>([]);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [attempt, setAttempt] = useState(0);
  const seq = first.data && (first.data.events[0]?.seq ?? 0);
  /** The last event that was seen. The stream continues after it. */
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter begins after the first events again
  useEffect(() => {
    setNewer([]);
    last.current = seq ?? 0;
  }, [seq, pattern]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt connects again
  useEffect(() => {
    if (!isOn || seq === undefined) return;
    const query = { environment, after: String(last.current), ...(pattern !== '*' && { types: pattern }) };
    // The browser connects again by itself, after the last event that it received.
    const source = new EventSource(`/v1/events/stream?${new URLSearchParams(query)}`);
    const add = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as FeedEvent;
      last.current = event.seq;
      setNewer((before) => [event, ...before].slice(0, MAX_ROWS));
    };
    setConnection('connecting');
    source.addEventListener('open', () => setConnection('open'));
    source.addEventListener('error', () =>
      setConnection(source.readyState === EventSource.CLOSED ? 'ended' : 'connecting'),
    );
    for (const type of TYPES) source.addEventListener(type, add);
    return () => source.close();
  }, [environment, seq, pattern, isOn, attempt]);
  const older = selectEvents(first.data?.events ?? [], pattern).slice(0, MAX_FIRST);
  const names = useNames(newer, first.data?.names);
  return {
    names,
    newer,
    older,
    first,
    connection,
    connectAgain: () => setAttempt(attempt + 1),
  };
}
