import { useEffect, useRef, useState } from 'react';
import { svc } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { type FeedEvent, type Names, namesOf } from './feed-event';

const WAIT_MS = 400;
const MAX_EVENTS = 100;
type BySeq = ReadonlyMap<number, Names>;

/** Names of what events are about, by `seq`. A stream has none, so those of its events are read together, at most every 400 ms. */
export function useNames(newer: readonly FeedEvent[], known: BySeq | undefined): BySeq {
  const environment = useEnvironment();
  const [read, setRead] = useState<BySeq>(new Map());
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isMissing = newer.slice(0, MAX_EVENTS).some(({ seq }) => !read.has(seq));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new event starts a request, unless one is about to start
  useEffect(() => {
    if (!isMissing || waiting.current !== undefined) return;
    const readNames = async () => {
      const query = { environment, limit: MAX_EVENTS };
      // Without names, the sentences are still right.
      const page = await svc.request('consoleListAuditEvents', { query }).catch(() => undefined);
      waiting.current = undefined;
      if (page) setRead(new Map(page.audit.map((entry) => [entry.seq, namesOf(entry)])));
    };
    waiting.current = setTimeout(() => void readNames(), WAIT_MS);
  }, [isMissing, newer]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return new Map([...(known ?? []), ...read]);
}
