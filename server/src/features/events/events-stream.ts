import { EventStream, type ServerEvent, type StartPosition } from '../../http/transport/sse.js';
import type { EventFilter } from '../../ledger/read-events.js';
import {
  type After,
  type FeedContext,
  headOf,
  readAfter,
  readEvents,
  readFollowed,
  readTypes,
  reserveSlot,
  serializeFeedEvent,
} from './events.js';

/** Events that one read returns. */
const PAGE_SIZE = 100;
/** After this many events that the filter does not select, the stream sends its position. */
const MAX_UNSEEN = 1_000;
/** A stream of the console then ends, and the browser connects again, because its token may have expired. */
const MAX_CONSOLE_MS = 15 * 60_000;
/** The longest wait without a message. A timer can't wait longer than 24 days. */
const MAX_WAIT_MS = 60 * 60_000;

async function* follow(
  context: FeedContext,
  from: After,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent | StartPosition> {
  const { deps, scope, principal } = context;
  const follower = deps.followedChains.follow(scope, principal);
  const end = 'keyId' in principal ? Number.POSITIVE_INFINITY : deps.clock.now() + MAX_CONSOLE_MS;
  let position: After = from;
  try {
    let sent = from.seq;
    yield { id: String(sent) };
    while (!signal.aborted) {
      const now = deps.clock.now();
      const page = await readFollowed(context, follower, position, filter, PAGE_SIZE);
      if (page === undefined) return;
      for (const row of page.rows)
        yield { id: String(row.seq), event: row.action, data: serializeFeedEvent(row) };
      // A filter may select nothing for long, and a client that is cut off should not start over.
      const seen = page.rows.at(-1)?.seq ?? sent;
      if (page.next - seen >= MAX_UNSEEN) yield { id: String(page.next) };
      sent = page.next - seen >= MAX_UNSEEN ? page.next : seen;
      position = { seq: page.next, hash: undefined };
      if (end <= now) return;
      if (page.isAtHead) await follower.changes.wait(Math.min(end - now, MAX_WAIT_MS), signal);
    }
  } finally {
    follower.leave();
  }
}

/** An id that one of our streams sent. */
const isPosition = (text: string) => /^(0|[1-9][0-9]{0,14})$/.test(text);

/** Begins after `Last-Event-ID`, else after `after`, else with the next event. */
export async function streamEvents(
  context: FeedContext & { readonly query: { readonly after?: string; readonly types?: string } },
  lastEventId: string | undefined,
): Promise<EventStream> {
  const { read, query } = context;
  const filter = readTypes(query.types);
  const leave = reserveSlot(context);
  try {
    const resume = lastEventId !== undefined && isPosition(lastEventId) ? lastEventId : query.after;
    const from = resume === undefined ? await headOf(context) : readAfter(resume);
    // A position that has diverged is an error of the response, not of the stream.
    if (from.hash !== undefined) await readEvents(read, from, filter, 1);
    return new EventStream((signal) => follow(context, from, filter, signal), leave);
  } catch (error) {
    leave();
    throw error;
  }
}
