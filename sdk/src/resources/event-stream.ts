import { type Event, ROUTES } from '../generated/api.js';
import { isSvcError, SvcError } from '../transport/errors.js';
import { readEvents, type StreamState } from '../transport/sse.js';
import { linkedController, sleep } from '../transport/timing.js';
import { backoff, type Transport } from '../transport/transport.js';
import { divergence, readPosition } from './event-chain.js';
import type { EventSelection } from './event-reader.js';
import { isTransient } from './pairing-watch.js';

export interface EventStreamOptions extends EventSelection {
  readonly signal?: AbortSignal | undefined;
  /** The connection is lost. The stream reconnects. */
  onLost?(error: SvcError): void;
  /** The stream is connected, for the first time or again. */
  onConnected?(): void;
}

/** The server sends something every 15 seconds. */
const SILENCE_TIMEOUT_MS = 40_000;
/** A connection that ends sooner, without an event, is a failure. */
const MIN_LIFETIME_MS = 5_000;

/** @internal Events as they happen. Reconnects after the last one, for ever once it was connected. */
export async function* streamEvents(
  transport: Transport,
  options: EventStreamOptions,
): AsyncGenerator<Event, void, undefined> {
  const { timing, maxRetries } = transport.settings;
  const from = readPosition(options.after);
  const state: Following = { lastEventId: '', isConnected: false, failures: 0 };
  for (;;) {
    try {
      yield* follow(transport, options, state);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (isSvcError(error, 'chain_diverged')) throw divergence(error, from);
      if (!(error instanceof SvcError) || !isTransient(error)) throw error;
      state.failures += 1;
      if (!state.isConnected && state.failures > maxRetries) throw error;
      options.onLost?.(error);
      const pause = error.retryAfterSeconds;
      const ms = pause === undefined ? backoff(timing, state.failures - 1) : pause * 1000;
      await sleep(timing, ms, options.signal);
    }
  }
}

interface Following {
  lastEventId: string;
  /** A connection has succeeded before. */
  isConnected: boolean;
  /** In a row. */
  failures: number;
}

/** The events of one connection. Always ends with an error. */
async function* follow(
  transport: Transport,
  { after, types, signal, onConnected }: EventStreamOptions,
  state: Following,
): AsyncGenerator<Event, void, undefined> {
  const { timing } = transport.settings;
  const connection = linkedController(signal);
  const stream: StreamState = {};
  const startedAt = timing.now();
  let isSilent = false;
  let cancel = () => {};
  const expectData = () => {
    cancel();
    cancel = timing.after(SILENCE_TIMEOUT_MS, () => {
      isSilent = true;
      connection.abort();
    });
  };
  let cause: unknown;
  try {
    const query = {
      ...(after !== undefined && { after: String(after) }),
      ...(types !== undefined && { types: String(types) }),
    };
    const resume = state.lastEventId === '' ? {} : { 'last-event-id': state.lastEventId };
    const headers = { accept: 'text/event-stream', ...resume };
    const response = await transport.open('streamEvents', { query }, { signal: connection.signal }, headers);
    state.isConnected = true;
    onConnected?.();
    expectData();
    for await (const { id, data } of readEvents(response, stream, expectData)) {
      const event = JSON.parse(data) as Event;
      if (id !== '') state.lastEventId = id;
      state.failures = 0;
      cancel();
      yield event;
      expectData();
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    cause = error;
  } finally {
    cancel();
    connection.release();
    connection.abort();
  }
  // An id without an event is the position of a stream that had no events yet.
  if (stream.lastEventId) state.lastEventId = stream.lastEventId;
  const livedMs = timing.now() - startedAt;
  if (livedMs >= MIN_LIFETIME_MS && !isSilent) state.failures = 0;
  const how = isSilent
    ? `sent no data for ${SILENCE_TIMEOUT_MS / 1000} s`
    : `was cut after ${Math.round(livedMs / 1000)} s`;
  throw new SvcError(
    'stream_cut',
    `The event stream from ${transport.settings.baseUrl} ${how}. The client reconnects. If this repeats, a proxy buffers or limits ` +
      'streams. deploy/nginx.conf shows the settings that it needs.',
    {
      operation: ROUTES.streamEvents.route,
      cause,
      retryAfterSeconds: stream.retryMs === undefined ? undefined : stream.retryMs / 1000,
    },
  );
}
