import type { Static } from 'typebox';
import { NIL_UUID } from '../../base/crypto/random.js';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import { createChangeSignal, EventStream, type ServerEvent } from '../../http/transport/sse.js';
import { showRequest } from './requests.js';
import type { StreamQuery } from './requests.schema.js';
import { listRequests, type RequestRow } from './requests.store.js';

/** Calls that one read returns. More of them since the last read are left out of the stream. */
const MAX_BATCH = 200;
const MAX_STREAMS = 5;
/** A stream then ends, and the client connects again, because its token may have expired. */
const MAX_STREAM_MS = 15 * 60_000;
const RETRY_AFTER_SECONDS = 15;

type StreamContext = Pick<ScopedContext, 'read' | 'scope'> & {
  readonly deps: Pick<Deps, 'bus' | 'clock' | 'meter' | 'streams' | 'timers'>;
  readonly principal: ConsolePrincipal;
  readonly query: Static<typeof StreamQuery>;
};

/** The newest matching calls, oldest first. */
const readNewest = async ({ read, deps, query }: StreamContext) =>
  (await listRequests(read, query, MAX_BATCH, deps.clock.now())).reverse();

/** New calls are those that the last read did not return: calls that nodes log late have earlier ids than others. */
function eventsOf(rows: readonly RequestRow[], seen: ReadonlySet<string>, lastId: string): ServerEvent[] {
  const fresh = rows.filter(({ id }) => !seen.has(id));
  const events = fresh.map((row) => ({ id: row.id, event: 'request', data: showRequest(row) }));
  const mayMiss = fresh.length === MAX_BATCH;
  return mayMiss ? [{ id: lastId, event: 'requests_skipped', data: {} }, ...events] : events;
}

/** Holds no more than the ids and rows of one read, however many calls there are and however slowly the client reads. */
async function* follow(
  context: StreamContext,
  seenBefore: ReadonlySet<string>,
  resumeFrom: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { deps, read, scope, principal, query } = context;
  const changes = createChangeSignal(deps.timers);
  const stop = [
    deps.bus.subscribe('request_log', scope.tenantId, changes.set),
    deps.bus.subscribe('tenant', scope.tenantId, changes.set),
  ];
  const end = deps.clock.now() + MAX_STREAM_MS;
  let seen = seenBefore;
  let lastId = resumeFrom;
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  try {
    while (!signal.aborted) {
      const [valid] = await read.query(principal.revalidate(deps.clock.now()));
      if (valid === undefined) return;
      const rows = await readNewest(context);
      for (const event of eventsOf(rows, seen, lastId)) {
        yield event;
        lastId = event.id ?? lastId;
        if (event.event === 'request') left -= 1;
        if (left === 0) return;
      }
      seen = new Set(rows.map(({ id }) => id));
      const rest = end - deps.clock.now();
      if (rest <= 0) return;
      await changes.wait(rest, signal);
    }
  } finally {
    for (const unsubscribe of stop) unsubscribe();
  }
}

/** Begins with the calls after `lastEventId`, else with the next call. What is there is read before the response begins. */
export async function streamLog(
  context: StreamContext,
  lastEventId: string | undefined,
): Promise<EventStream> {
  const { deps, scope } = context;
  const leave = deps.streams.reserve([`requests|${scope.tenantId}`, MAX_STREAMS]);
  if (leave === undefined) {
    fail('rate_limit_exceeded', {
      message: `An account can have ${MAX_STREAMS} of these streams open. Read the list instead.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  try {
    const isResumed = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lastEventId ?? '');
    await deps.meter.flush(scope.tenantId);
    const rows = await readNewest(context);
    const seen = new Set(
      rows.map(({ id }) => id).filter((id) => !isResumed || id <= (lastEventId as string)),
    );
    const resumeFrom = isResumed ? (lastEventId as string) : (rows.at(-1)?.id ?? NIL_UUID);
    return new EventStream((signal) => follow(context, seen, resumeFrom, signal), leave);
  } catch (error) {
    leave();
    throw error;
  }
}
