import type { Event, EventPage } from '../generated/api.js';
import { isSvcError } from '../transport/errors.js';
import { sleep } from '../transport/timing.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import {
  divergence,
  EventGapError,
  faultOf,
  type Position,
  positionOf,
  readPosition,
} from './event-chain.js';

/** Which events are read. */
export interface EventSelection {
  /** The event after which to begin: its `seq`, or `positionOf(event)`, which also checks that the chain still has it. */
  readonly after?: string | number | undefined;
  /** Types or patterns such as `identity.*`; text separates them by commas. Default: all. */
  readonly types?: string | readonly string[] | undefined;
}

/** The query of one page of the feed. */
export interface EventQuery extends EventSelection {
  /** 1 to 100. Default: 100. */
  readonly limit?: number | undefined;
  /** Seconds to wait for an event if there is none, 0 to 25. */
  readonly wait?: number | undefined;
}

export interface EventReadOptions extends EventSelection, Pick<RequestOptions, 'signal' | 'timeoutMs'> {
  /** Seconds that a request waits for the next event, 1 to 25. With 0, the iterator ends after the last event. Default: 25. */
  readonly wait?: number | undefined;
}

const DEFAULT_WAIT_SECONDS = 25;
/** Pause after a request that did not wait although it had no events, as when a server closes. */
const PAUSE_MS = 1_000;
/** With a filter, a request begins at most this far before the events that were not examined yet, to check the last one again. */
const MAX_EXAMINED_AGAIN = 1_000;

/** @internal One page. The time that the server waits is added to the timeout. */
export function fetchEvents(
  transport: Transport,
  query: EventQuery,
  { timeoutMs = transport.settings.timeoutMs, ...options }: RequestOptions = {},
): Promise<EventPage> {
  const { after, types } = query;
  const texts = {
    ...query,
    ...(after !== undefined && { after: String(after) }),
    ...(types !== undefined && { types: String(types) }),
  } as { limit?: number; wait?: number; after?: string; types?: string };
  const wholeMs = timeoutMs + (query.wait ?? 0) * 1000;
  return transport.call('listEvents', { query: texts }, { ...options, timeoutMs: wholeMs });
}

/** @internal All events after a position, each checked before it is passed on. */
export async function* readEvents(
  transport: Transport,
  { after, types, wait = DEFAULT_WAIT_SECONDS, ...options }: EventReadOptions,
): AsyncGenerator<Event, void, undefined> {
  const { timing } = transport.settings;
  const isWhole = types === undefined || String(types).split(',').includes('*');
  let last: Position = readPosition(after);
  /** Events up to here were examined, whether or not the filter selects them. */
  let examined = last.seq;
  for (;;) {
    const from: Position =
      examined - last.seq > MAX_EXAMINED_AGAIN ? { seq: examined, hash: undefined } : last;
    const startedAt = timing.now();
    const page = await fetchEvents(transport, { after: textOf(from), types, wait }, options).catch(
      (error) => {
        throw isSvcError(error, 'chain_diverged') ? divergence(error, from) : error;
      },
    );
    for (const event of page.events) {
      const reason = await faultOf(event, last, isWhole);
      if (reason !== undefined)
        throw new EventGapError(reason, { expectedSeq: last.seq + 1, seq: event.seq });
      last = readPosition(positionOf(event));
      yield event;
    }
    const isAtHead = page.events.length === 0 && page.next <= examined;
    examined = Math.max(examined, page.next);
    if (!isAtHead) continue;
    if (wait === 0) return;
    if (timing.now() - startedAt < PAUSE_MS) await sleep(timing, PAUSE_MS, options.signal);
  }
}

const textOf = ({ seq, hash }: Position) => (hash === undefined ? String(seq) : `${seq}.${hash}`);
