import { type RegistrationSession, ROUTES } from '../generated/api.js';
import { isSvcError, SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { readEvents, type StreamState } from '../transport/sse.js';
import { linkedController, sleep } from '../transport/timing.js';
import { backoff, type RequestOptions, type Transport } from '../transport/transport.js';
import { isTransient } from './pairing-watch.js';

/** Callbacks while a registration waits for its phone. */
export interface RegistrationWatch extends RequestOptions {
  /** Called with the first state and each new one. */
  onState?(session: RegistrationSession): void;
  /** A phone has opened the first code, and its owner reads who registers them. Called again if another phone opens it. */
  onPhoneConnected?(session: RegistrationSession): void;
  /** The connection is lost. Show on screen that the code may not work. */
  onLost?(error: SvcError): void;
  /** The connection is restored. */
  onResumed?(): void;
}

/** The environment, which a session of the dashboard names. */
export interface RegistrationQuery {
  readonly environment?: Environment;
}

const POLL_INTERVAL_MS = 5_000;
/** The server sends something every 15 seconds. */
const SILENCE_TIMEOUT_MS = 40_000;
/** Of the stream, one after another, before polling instead. */
const MAX_FAILURES = 3;

const isMoving = ({ state }: RegistrationSession): boolean => state.startsWith('awaiting_');

/** @internal Follows the stream, or polls if streams don't work, until the ceremony has ended. */
export async function waitForRegistration(
  transport: Transport,
  query: RegistrationQuery,
  id: string,
  watch: RegistrationWatch,
): Promise<RegistrationSession> {
  const { timing } = transport.settings;
  const input = { path: { id }, query };
  const options = { ...(watch.timeoutMs !== undefined && { timeoutMs: watch.timeoutMs }) };
  const note = noting(watch);
  let streams = true;
  let failures = 0;
  const follow = async (): Promise<RegistrationSession | undefined> => {
    for await (const session of sessionsOf(transport, input, watch)) {
      failures = 0;
      note(session);
      if (!isMoving(session)) return session;
    }
    return undefined;
  };
  const poll = async () => {
    const get = { ...options, signal: watch.signal };
    const { session } = await transport.call('getRegistration', input, get);
    failures = 0;
    note(session);
    return isMoving(session) ? undefined : session;
  };
  for (;;) {
    let pause = POLL_INTERVAL_MS;
    try {
      const ended = await (streams ? follow() : poll());
      if (ended) return ended;
    } catch (error) {
      watch.signal?.throwIfAborted();
      const isOlder = streams && error instanceof SvcError && error.status === 404 && !isNoSession(error);
      if (!isOlder && !(error instanceof SvcError && isTransient(error))) throw error;
      failures += 1;
      // Polling needs no place, and a server of an earlier version has no stream.
      const isFull = streams && isSvcError(error, 'rate_limit_exceeded');
      if (isFull || isOlder || failures >= MAX_FAILURES) streams = false;
      if (isFull || isOlder) continue;
      note.lost(error, failures);
      pause =
        error.retryAfterSeconds === undefined
          ? backoff(timing, failures - 1)
          : error.retryAfterSeconds * 1000;
    }
    await sleep(timing, pause, watch.signal);
  }
}

const isNoSession = (error: SvcError) => isSvcError(error, 'session_not_found');

/** Reports what is new. Each connection and each poll may repeat the last state. */
function noting({ onState, onPhoneConnected, onLost, onResumed }: RegistrationWatch) {
  let seen: RegistrationSession | undefined;
  let isLost = false;
  const note = (session: RegistrationSession) => {
    if (isLost) onResumed?.();
    isLost = false;
    const before = seen;
    seen = session;
    if (session.state !== before?.state) onState?.(session);
    const { phone_connected_at: at } = session;
    if (session.state === 'awaiting_device' && at !== undefined && at !== before?.phone_connected_at)
      onPhoneConnected?.(session);
  };
  note.lost = (error: SvcError, failures: number) => {
    // Don't report the first failure, because the next attempt usually succeeds.
    if (failures < 2 || isLost) return;
    isLost = true;
    onLost?.(error);
  };
  return note;
}

/** The sessions of one connection's events. @throws SvcError `stream_cut` if it ends */
async function* sessionsOf(
  transport: Transport,
  input: { readonly path: { readonly id: string }; readonly query: RegistrationQuery },
  { signal }: RegistrationWatch,
): AsyncGenerator<RegistrationSession, void, undefined> {
  const { timing, baseUrl } = transport.settings;
  const connection = linkedController(signal);
  const stream: StreamState = {};
  let cancel = () => {};
  const expectData = () => {
    cancel();
    cancel = timing.after(SILENCE_TIMEOUT_MS, () => connection.abort());
  };
  let cause: unknown;
  try {
    const headers = { accept: 'text/event-stream' };
    const response = await transport.open(
      'streamRegistration',
      input,
      { signal: connection.signal },
      headers,
    );
    expectData();
    for await (const { data } of readEvents(response, stream, expectData))
      yield (JSON.parse(data) as { session: RegistrationSession }).session;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    cause = error;
  } finally {
    cancel();
    connection.release();
    connection.abort();
  }
  signal?.throwIfAborted();
  throw new SvcError(
    'stream_cut',
    `The registration's event stream from ${baseUrl} was cut. The client reconnects, and polls if streams keep failing.`,
    {
      operation: ROUTES.streamRegistration.route,
      cause,
      retryAfterSeconds: stream.retryMs === undefined ? undefined : stream.retryMs / 1000,
    },
  );
}
