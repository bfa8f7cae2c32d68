import { type ErrorCode, fail } from '../../base/errors.js';
import {
  type ChangeSignal,
  createChangeSignal,
  EventStream,
  type Place,
  type ServerEvent,
} from '../../http/transport/sse.js';
import { ERRORS } from '../../model/errors.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { iso } from '../../records/schema.js';
import { msToNextSlot } from './code/moving-code.js';
import { nearbyOptions } from './hosted/nearby.js';
import {
  codeOf,
  connected,
  desktopTokens,
  nameOnDevice,
  type PairingContext,
  stateOf,
  watchedPairing,
} from './pairing.js';
import { findWhile, isOpen, type PairingRow } from './pairing.store.js';

const RETRY_AFTER_SECONDS = 15;

/**
 * The number of a session's latest event. Number 1 is the creation, then one for each rejected submit, perhaps one for a proof that
 * waits, and the last is the end. All events follow from the row, so a stream can resume after any `Last-Event-ID`.
 */
const lastOf = (row: PairingRow, isOver: boolean) =>
  row.error_count + 1 + (row.proved_at === null ? 0 : 1) + (isOver ? 1 : 0);

/** The number of the last event that the client received; undefined if it is not one of ours. */
const readLastId = (header: string | undefined) =>
  /^[1-9][0-9]{0,8}$/.test(header ?? '') ? Number(header) : undefined;

const errorEvent = (row: PairingRow, number: number, code: ErrorCode): ServerEvent => ({
  id: String(number),
  event: 'session_error',
  data: { id: row.id, error: code, message: ERRORS[code].message },
});

/** The current state of the session as one event. */
async function stateEvent(context: PairingContext, row: PairingRow): Promise<ServerEvent> {
  const state = stateOf(row, context.deps.clock.now());
  const id = String(lastOf(row, !isOpen(state)));
  if (state === 'issued') {
    const data = { id: row.id, state, expiresAt: iso(row.expires_at), ...connected(row) };
    return { id, event: 'session_created', data };
  }
  if (state === 'proved') {
    const options = await nearbyOptions(context, row);
    return {
      id,
      event: 'session_needs_nearby',
      data: { id: row.id, state, expiresAt: iso(row.expires_at), options },
    };
  }
  if (state !== 'bound') return { id, event: `session_${state}`, data: { id: row.id, state } };
  if (row.purpose === 'oidc') return { id, event: 'session_bound', data: { id: row.id, state } };
  const tokens = desktopTokens(context, row);
  return {
    id,
    event: 'session_bound',
    data: {
      ...{ id: row.id, state, userId: row.user_id, did: row.did },
      ...(await nameOnDevice(context, row)),
      tokens,
    },
  };
}

/** A phone has opened the code. Without an id, because only the last one is of use, and it follows from the session. */
const phoneEvent = (row: PairingRow): ServerEvent => ({
  event: 'phone_connected',
  data: { id: row.id, state: row.state, ...connected(row) },
});

/** The events after number `seen`; without a number, the current state. */
async function* eventsAfter(
  context: PairingContext,
  row: PairingRow,
  seen: number | undefined,
): AsyncGenerator<ServerEvent> {
  const state = stateOf(row, context.deps.clock.now());
  const isOver = !isOpen(state);
  if (seen === undefined || seen > lastOf(row, isOver)) {
    yield await stateEvent(context, row);
    return;
  }
  const first = 2 + row.error_count - row.errors.length;
  for (const [index, code] of row.errors.entries()) {
    if (first + index > seen) yield errorEvent(row, first + index, code);
  }
  if (state !== 'issued' && seen < lastOf(row, isOver)) yield await stateEvent(context, row);
}

/**
 * Waits until the session may have changed, and sends each new code until then: without an id, because only the newest is of use,
 * and without a query, because it follows from the session and the time.
 */
async function* codesUntilChange(
  context: PairingContext,
  row: PairingRow,
  changes: ChangeSignal,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { clock } = context.deps;
  for (;;) {
    const moves = row.rotates && row.state === 'issued';
    if (moves) yield { event: 'qr', data: { id: row.id, ...codeOf(context, row) } };
    const now = clock.now();
    const left = Math.max(0, row.expires_at.getTime() - now);
    const isSet = await changes.wait(moves ? Math.min(left, msToNextSlot(now)) : left, signal);
    if (isSet || signal.aborted || row.expires_at.getTime() <= clock.now()) return;
  }
}

/** Reads the session again after each possible change. Ends when the session or the watching credential does. */
async function* follow(
  context: PairingContext,
  id: string,
  lastId: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { deps, read, scope, principal } = context;
  const changes = createChangeSignal(deps.timers);
  const stop = [
    deps.bus.subscribe('pairing_session', id, changes.set),
    deps.bus.subscribe('tenant', scope.tenantId, changes.set),
    ...('keyId' in principal ? [deps.bus.subscribe('api_key', principal.keyId, changes.set)] : []),
    ...('device' in principal ? [deps.bus.subscribe('device', principal.device.id, changes.set)] : []),
  ];
  let seen = lastId;
  let phoneAt: number | undefined;
  try {
    while (!signal.aborted) {
      const now = deps.clock.now();
      const row = await findWhile(read, id, principal.revalidate(now));
      if (row === undefined) return;
      for await (const event of eventsAfter(context, row, seen)) {
        yield event;
        seen = Number(event.id);
        // The current state says it too.
        if (event.event === 'session_created') phoneAt = row.phone_connected_at?.getTime();
      }
      if (!isOpen(stateOf(row, now))) return;
      const connectedAt = row.phone_connected_at?.getTime();
      if (row.state === 'issued' && connectedAt !== phoneAt) yield phoneEvent(row);
      phoneAt = connectedAt;
      yield* codesUntilChange(context, row, changes, signal);
    }
  } finally {
    for (const unsubscribe of stop) unsubscribe();
  }
}

/** Streams of an account's credentials are counted by its plan. Those of a sign-in page never take the plan's places. */
function placesOf(principal: PairingContext['principal']): readonly Place[] {
  if ('uid' in principal) return principal.streamPlaces;
  const { id, plan } = principal.tenant;
  return [[id, PLAN_LIMITS[plan].openStreams]];
}

/** The desktop's stream. Checks 404, then 403, then the limits of open streams [pairing/stream-of-a-session]. */
export async function streamPairing(
  context: PairingContext,
  id: string,
  lastEventId: string | undefined,
): Promise<EventStream> {
  await watchedPairing(context, id);
  const leave = context.deps.streams.reserve(...placesOf(context.principal));
  if (leave === undefined) {
    fail('rate_limit_exceeded', {
      message: 'Too many streams are open. Poll the session instead.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  return new EventStream((signal) => follow(context, id, readLastId(lastEventId), signal), leave);
}
