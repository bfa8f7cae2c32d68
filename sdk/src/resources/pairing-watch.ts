import { ROUTES } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { readEvents, type StreamState } from '../transport/sse.js';
import { linkedController, sleep } from '../transport/timing.js';
import {
  backoff,
  type ExtraHeaders,
  type Reply,
  type RequestOptions,
  type Transport,
} from '../transport/transport.js';

/** Callbacks while a pairing waits. */
export interface PairingWatch {
  /**
   * The code has moved. Show `qrTextOf({ qrPayload, url })` instead of the previous one, which a phone can use for another 10
   * seconds. A server of an earlier version sends no `url`.
   */
  onQr?(qrPayload: string, url?: string): void;
  /** The connection to the session is lost. Show on screen that the code may not work. */
  onLost?(error: SvcError): void;
  /** The connection is restored. */
  onResumed?(): void;
  /** A phone's proof was rejected. The session stays open. */
  onRefused?(error: { readonly error: string; readonly message: string }): void;
  /**
   * A phone has opened the code, and its owner reads who asks. Show the number in place of the code, with a way back to the code:
   * the phone can be anybody's. Called again if another phone opens it.
   */
  onPhoneConnected?(phone: { readonly phoneConnectedAt: string }): void;
  /** The code expired. Remove it from the screen. */
  onExpired?(): void;
  readonly signal?: AbortSignal | undefined;
}

/** A session that a phone has bound. */
export interface BoundPairing {
  readonly id: string;
  readonly userId: string;
  readonly did: string;
  /** The person’s name, for a device that opened the session itself. */
  readonly userName?: string | null;
  readonly tokens: NonNullable<Reply<'getPairingSession'>['tokens']>;
}

/** The environment, which a session of the dashboard names. */
interface PairingQuery {
  readonly environment?: Environment;
}

interface Code {
  readonly qrPayload: string;
  readonly url?: string;
}

/** The part of a pairing that is needed to watch it. */
interface Watched {
  readonly id: string;
  readonly expiresAt: string;
  readonly qrPayload: string;
}

/** The server sends an event when a stream begins, and something every 15 seconds afterwards. */
const FIRST_EVENT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 40_000;
/** If a stream ends sooner, something probably cuts all streams. */
const MIN_LIFETIME_MS = 5_000;
/** Consecutive failures of the stream before polling instead. */
const MAX_STREAM_FAILURES = 3;
const POLL_INTERVAL_MS = 5_000;
/** How long to check a session after it expired, because it may have been bound in its last second. */
const GRACE_MS = 2_000;

type State = Reply<'getPairingSession'>['session']['state'];
/** How a session ended without tokens. */
type Ended = Exclude<State, 'issued' | 'proved' | 'bound'>;
/** The outcome of a session; undefined while it is open. */
type Outcome = { readonly bound: BoundPairing } | { readonly ended: Ended } | undefined;

const ENDS = {
  expired: [
    'pairing_session_expired',
    'The code expired before a phone used it. Create a new pairing and display its code.',
  ],
  declined: [
    'pairing_session_closed',
    'The person declined the sign-in on the phone. Create a new pairing if they want to try again.',
  ],
  rejected: [
    'pairing_match_failed',
    'A wrong number was typed on the phone, which ended the session. Create a new pairing if the person wants to try again.',
  ],
} as const;

/** @internal */
export async function waitForBind(
  transport: Transport,
  query: PairingQuery,
  pairing: Watched,
  watch: PairingWatch,
  headers: ExtraHeaders,
): Promise<BoundPairing> {
  const watcher = new Watcher(transport, query, pairing, watch, headers);
  const end = await watcher.run();
  if ('bound' in end) return end.bound;
  if (end.ended === 'expired') watch.onExpired?.();
  const [code, message] = ENDS[end.ended];
  throw new SvcError(code, message);
}

class Watcher {
  readonly #transport: Transport;
  readonly #query: PairingQuery;
  readonly #pairing: Watched;
  readonly #watch: PairingWatch;
  readonly #headers: ExtraHeaders;
  #lastEventId = '';
  #qrPayload: string;
  #phoneConnectedAt: string | undefined;
  #lost = false;
  #failures = 0;
  #streams = true;
  #thrown: { readonly error: unknown } | undefined;

  constructor(
    transport: Transport,
    query: PairingQuery,
    pairing: Watched,
    watch: PairingWatch,
    headers: ExtraHeaders,
  ) {
    this.#transport = transport;
    this.#query = query;
    this.#pairing = pairing;
    this.#qrPayload = pairing.qrPayload;
    this.#watch = watch;
    this.#headers = headers;
  }

  async run(): Promise<Exclude<Outcome, undefined>> {
    const { timing } = this.#transport.settings;
    for (;;) {
      let pause = POLL_INTERVAL_MS;
      try {
        const outcome = this.#streams ? await this.#follow() : await this.#poll();
        if (outcome !== undefined) return outcome;
      } catch (error) {
        pause = this.#failed(error);
      }
      const left = this.#remainingMs();
      if (left <= 0) return { ended: 'expired' };
      await sleep(timing, Math.min(pause, left), this.#watch.signal);
    }
  }

  /** Milliseconds until the session is over, by the server's clock. */
  #remainingMs(): number {
    return Date.parse(this.#pairing.expiresAt) + GRACE_MS - this.#transport.serverNow();
  }

  #markConnected(): void {
    const wasLost = this.#lost;
    this.#lost = false;
    if (wasLost) this.#notify(() => this.#watch.onResumed?.());
  }

  /** An error thrown by a callback ends the wait, and is not treated as a failure of the stream. */
  #notify(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#thrown = { error };
      throw error;
    }
  }

  /** Limits a request's timeout to the time left for the session. */
  #options(signal: AbortSignal | undefined): RequestOptions {
    const { timeoutMs } = this.#transport.settings;
    return { signal, timeoutMs: Math.max(1, Math.min(timeoutMs, this.#remainingMs())) };
  }

  /** Returns how long to wait before the next attempt, in ms. Rethrows errors that a retry can't fix. */
  #failed(error: unknown): number {
    if (this.#thrown || !(error instanceof SvcError) || !isTransient(error)) throw error;
    this.#failures += 1;
    if (this.#failures >= MAX_STREAM_FAILURES) this.#streams = false;
    // Don't report the first failure, because the next attempt usually succeeds.
    if (this.#failures > 1 && !this.#lost) {
      this.#lost = true;
      this.#watch.onLost?.(error);
    }
    const { timing } = this.#transport.settings;
    return error.retryAfterSeconds === undefined
      ? backoff(timing, this.#failures - 1)
      : error.retryAfterSeconds * 1000;
  }

  async #poll(): Promise<Outcome> {
    const options = this.#options(this.#watch.signal);
    const { body } = await this.#transport.send('getPairingSession', this.#input(), options, this.#headers);
    const { session, tokens } = body as Reply<'getPairingSession'>;
    this.#markConnected();
    this.#failures = 0;
    const outcome = outcomeOf({ ...session, tokens });
    if (outcome === undefined) {
      this.#moveTo(session);
      this.#notePhone(session);
    }
    return outcome;
  }

  /** Reads one connection of the stream until the session ends. Throws `stream_cut` if the connection ends first. */
  async #follow(): Promise<Outcome> {
    const { timing } = this.#transport.settings;
    const { signal } = this.#watch;
    const connection = linkedController(signal);
    const state: StreamState = {};
    const began = timing.now();
    let silence = '';
    let cancel = () => {};
    const expectEvent = (ms: number) => {
      cancel();
      cancel = timing.after(Math.max(0, Math.min(ms, this.#remainingMs())), () => {
        silence = `sent no data for ${ms / 1000} s`;
        connection.abort(new Error(silence));
      });
    };
    try {
      const response = await this.#connect(connection.signal);
      this.#markConnected();
      expectEvent(this.#lastEventId === '' ? FIRST_EVENT_TIMEOUT_MS : SILENCE_TIMEOUT_MS);
      for await (const { event, data, id } of readEvents(response, state, () =>
        expectEvent(SILENCE_TIMEOUT_MS),
      )) {
        if (id !== '') this.#lastEventId = id;
        const outcome = this.#handleEvent(event, JSON.parse(data));
        if (outcome !== undefined) return outcome;
      }
    } catch (error) {
      if (this.#thrown) throw this.#thrown.error;
      if (signal?.aborted) throw signal.reason;
      if (error instanceof SvcError) throw error;
      return this.#throwCut(timing.now() - began, silence, error);
    } finally {
      cancel();
      connection.release();
      connection.abort();
    }
    return this.#throwCut(timing.now() - began, silence, undefined, state);
  }

  #connect(signal: AbortSignal): Promise<Response> {
    const last = this.#lastEventId === '' ? {} : { 'last-event-id': this.#lastEventId };
    const headers = { accept: 'text/event-stream', ...this.#headers, ...last };
    return this.#transport.open('streamPairingSession', this.#input(), this.#options(signal), headers);
  }

  #input() {
    return { path: { id: this.#pairing.id }, query: this.#query };
  }

  /** Reports a code that has moved. The stream and each poll may repeat the current one. */
  #moveTo({ qrPayload, url }: Code): void {
    if (qrPayload === this.#qrPayload) return;
    this.#qrPayload = qrPayload;
    this.#notify(() => this.#watch.onQr?.(qrPayload, url));
  }

  /** Reports a phone that has opened the code. Each poll and each connection may repeat the last one. */
  #notePhone({ state, phoneConnectedAt }: Pick<SessionView, 'state' | 'phoneConnectedAt'>): void {
    if (phoneConnectedAt === undefined || phoneConnectedAt === this.#phoneConnectedAt) return;
    this.#phoneConnectedAt = phoneConnectedAt;
    if (state === 'issued') this.#notify(() => this.#watch.onPhoneConnected?.({ phoneConnectedAt }));
  }

  #handleEvent(event: string, data: EventData): Outcome {
    const { error, message } = data;
    if (event === 'qr') this.#moveTo(data);
    if (event === 'session_created' || event === 'phone_connected') this.#notePhone(data);
    if (event === 'session_error') this.#notify(() => this.#watch.onRefused?.({ error, message }));
    return LAST_EVENTS.has(event) ? outcomeOf(data) : undefined;
  }

  #throwCut(livedMs: number, silence: string, cause: unknown, { retryMs }: StreamState = {}): never {
    if (livedMs >= MIN_LIFETIME_MS && silence === '') this.#failures = 0;
    // A proxy buffers the stream, and would buffer the next one too.
    if (silence !== '' && this.#lastEventId === '') this.#streams = false;
    const how = silence === '' ? `was cut after ${Math.round(livedMs / 1000)} s` : silence;
    throw new SvcError(
      'stream_cut',
      `The pairing's event stream from ${this.#transport.settings.baseUrl} ${how}. The client reconnects, and polls if ` +
        'streams keep failing. If this repeats, a proxy buffers or limits streams. deploy/nginx.conf shows the settings that it needs.',
      {
        operation: ROUTES.streamPairingSession.route,
        cause,
        retryAfterSeconds: retryMs === undefined ? undefined : retryMs / 1000,
      },
    );
  }
}

/** @internal Errors of the network, a proxy or a busy server, which a retry may fix. */
export const isTransient = ({ code, status }: SvcError): boolean =>
  [
    'stream_cut',
    'unreachable',
    'timed_out',
    'connection_cut',
    'gateway_failed',
    'rate_limit_exceeded',
  ].includes(code) || status === 503;

/** A session in an event or a response. */
interface SessionView {
  readonly id: string;
  readonly state: State;
  readonly phoneConnectedAt?: string;
  readonly userId?: string;
  readonly did?: string;
  readonly userName?: string | null;
  readonly tokens?: BoundPairing['tokens'] | null;
}

/** The fields of all events together. Each event has some of them. */
interface EventData extends SessionView, Code {
  readonly error: string;
  readonly message: string;
}

const LAST_EVENTS: ReadonlySet<string> = new Set([
  'session_bound',
  ...Object.keys(ENDS).map((state) => `session_${state}`),
]);

function outcomeOf({ id, state, userId, did, userName, tokens }: SessionView): Outcome {
  if (state === 'issued' || state === 'proved') return undefined;
  if (state !== 'bound') return { ended: state };
  if (userId !== undefined && did !== undefined && tokens)
    return { bound: { id, userId, did, ...(userName !== undefined && { userName }), tokens } };
  throw new SvcError(
    'pairing_session_expired',
    'A person has signed in, but there are no tokens: they were used, the session has ended, or the return code of a session with `sameDevice` was not redeemed. Create a new pairing.',
  );
}
