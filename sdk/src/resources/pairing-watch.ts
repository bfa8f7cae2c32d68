import { ROUTES } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { readEvents, type StreamMood } from '../transport/sse.js';
import { linkedController, sleep } from '../transport/timing.js';
import {
  backoff,
  type ExtraHeaders,
  type Reply,
  type RequestOptions,
  type Transport,
} from '../transport/transport.js';

/** What is told while a pairing waits. */
export interface PairingWatch {
  /** The session cannot be seen at present: the code on the screen should look so. */
  onLost?(error: SvcError): void;
  /** It can be seen again. */
  onResumed?(): void;
  /** A phone's proof was refused; the session stays open. */
  onRefused?(refusal: { readonly error: string; readonly message: string }): void;
  /** The code ran out: take it away. */
  onExpired?(): void;
  readonly signal?: AbortSignal | undefined;
}

/** A session that a phone has bound. */
export interface BoundPairing {
  readonly id: string;
  readonly userId: string;
  readonly did: string;
  readonly tokens: Reply<'submitPairingProof'>['tokens'];
}

/** A desktop's operations, and the query that each of them takes. */
export interface PairingOperations {
  readonly create: 'createPairingSession' | 'consoleCreatePairingSession';
  readonly get: 'getPairingSession' | 'consoleGetPairingSession';
  readonly stream: 'streamPairingSession' | 'consoleStreamPairingSession';
  readonly query: { readonly environment?: Environment };
}

/** What is watched: a pairing, of which this is all that matters here. */
interface Watched {
  readonly id: string;
  readonly expiresAt: string;
}

/** The server speaks at once when a stream begins, and every 15 seconds after. */
const FIRST_WORD_MS = 5_000;
const SILENCE_MS = 40_000;
/** A stream that lives shorter was cut by something that cuts all. */
const LIVED_MS = 5_000;
/** Streams that may fail in a row before the session is asked for instead. */
const STREAM_TRIES = 3;
const POLL_MS = 5_000;
/** How long after its end a session is still asked for: somebody may have bound it in its last second. */
const GRACE_MS = 2_000;

/** What a look at the session gave: its end, or that it goes on. */
type Look = { readonly bound: BoundPairing } | { readonly expired: true } | undefined;

/** @internal */
export async function waitForBind(
  transport: Transport,
  operations: PairingOperations,
  pairing: Watched,
  watch: PairingWatch,
  headers: ExtraHeaders,
): Promise<BoundPairing> {
  const watcher = new Watcher(transport, operations, pairing, watch, headers);
  const end = await watcher.run();
  if ('bound' in end) return end.bound;
  watch.onExpired?.();
  throw new SvcError(
    'pairing_session_expired',
    'Nobody scanned the code in time. Open a new pairing and show its code.',
  );
}

class Watcher {
  readonly #transport: Transport;
  readonly #operations: PairingOperations;
  readonly #pairing: Watched;
  readonly #watch: PairingWatch;
  readonly #headers: ExtraHeaders;
  #lastEventId = '';
  #lost = false;
  #failures = 0;
  #streams = true;
  #thrown: { readonly error: unknown } | undefined;

  constructor(
    transport: Transport,
    operations: PairingOperations,
    pairing: Watched,
    watch: PairingWatch,
    headers: ExtraHeaders,
  ) {
    this.#transport = transport;
    this.#operations = operations;
    this.#pairing = pairing;
    this.#watch = watch;
    this.#headers = headers;
  }

  async run(): Promise<Exclude<Look, undefined>> {
    const { timing } = this.#transport.settings;
    for (;;) {
      let pause = POLL_MS;
      try {
        const look = this.#streams ? await this.#follow() : await this.#ask();
        if (look !== undefined) return look;
      } catch (error) {
        pause = this.#failed(error);
      }
      const left = this.#left();
      if (left <= 0) return { expired: true };
      await sleep(timing, Math.min(pause, left), this.#watch.signal);
    }
  }

  /** Milliseconds until the session is over, by the server's clock. */
  #left(): number {
    return Date.parse(this.#pairing.expiresAt) + GRACE_MS - this.#transport.serverNow();
  }

  #seen(): void {
    const wasLost = this.#lost;
    this.#lost = false;
    if (wasLost) this.#tell(() => this.#watch.onResumed?.());
  }

  /** What a callback throws ends the wait, and is not taken for a fault of the stream. */
  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#thrown = { error };
      throw error;
    }
  }

  /** No request outlives the session by much. */
  #options(signal: AbortSignal | undefined): RequestOptions {
    const { timeoutMs } = this.#transport.settings;
    return { signal, timeoutMs: Math.max(1, Math.min(timeoutMs, this.#left())) };
  }

  /** Answers how long to wait before the next look; throws what no other look would mend. */
  #failed(error: unknown): number {
    if (this.#thrown || !(error instanceof SvcError) || !mends(error)) throw error;
    this.#failures += 1;
    if (this.#failures >= STREAM_TRIES) this.#streams = false;
    // The first break is mended at once, and nobody need know.
    if (this.#failures > 1 && !this.#lost) {
      this.#lost = true;
      this.#watch.onLost?.(error);
    }
    const { timing } = this.#transport.settings;
    return error.retryAfterSeconds === undefined
      ? backoff(timing, this.#failures - 1)
      : error.retryAfterSeconds * 1000;
  }

  async #ask(): Promise<Look> {
    const { get } = this.#operations;
    const options = this.#options(this.#watch.signal);
    const { body } = await this.#transport.send(get, this.#input(), options, this.#headers);
    const { session, tokens } = body as Reply<typeof get>;
    this.#seen();
    this.#failures = 0;
    return lookAt({ ...session, tokens });
  }

  /** One connection to the stream, until the session ends or the connection does: then it throws `stream_cut`. */
  async #follow(): Promise<Look> {
    const { timing } = this.#transport.settings;
    const { signal } = this.#watch;
    const connection = linkedController(signal);
    const mood: StreamMood = {};
    const began = timing.now();
    let silence = '';
    let callOff = () => {};
    const expectWord = (ms: number) => {
      callOff();
      callOff = timing.after(Math.max(0, Math.min(ms, this.#left())), () => {
        silence = `nothing came for ${ms / 1000} s`;
        connection.abort(new Error(silence));
      });
    };
    try {
      const response = await this.#connect(connection.signal);
      this.#seen();
      expectWord(this.#lastEventId === '' ? FIRST_WORD_MS : SILENCE_MS);
      for await (const { event, data, id } of readEvents(response, mood, () => expectWord(SILENCE_MS))) {
        if (id !== '') this.#lastEventId = id;
        const look = this.#hear(event, JSON.parse(data));
        if (look !== undefined) return look;
      }
    } catch (error) {
      if (this.#thrown) throw this.#thrown.error;
      if (signal?.aborted) throw signal.reason;
      if (error instanceof SvcError) throw error;
      return this.#cut(timing.now() - began, silence, error);
    } finally {
      callOff();
      connection.release();
      connection.abort();
    }
    return this.#cut(timing.now() - began, silence, undefined, mood);
  }

  #connect(signal: AbortSignal): Promise<Response> {
    const last = this.#lastEventId === '' ? {} : { 'last-event-id': this.#lastEventId };
    const headers = { accept: 'text/event-stream', ...this.#headers, ...last };
    return this.#transport.open(this.#operations.stream, this.#input(), this.#options(signal), headers);
  }

  #input() {
    return { path: { id: this.#pairing.id }, query: this.#operations.query };
  }

  #hear(event: string, data: { readonly error: string; readonly message: string } & Shown): Look {
    const { error, message } = data;
    if (event === 'session_error') this.#tell(() => this.#watch.onRefused?.({ error, message }));
    return event === 'session_bound' || event === 'session_expired' ? lookAt(data) : undefined;
  }

  #cut(livedMs: number, silence: string, cause: unknown, { retryMs }: StreamMood = {}): never {
    if (livedMs >= LIVED_MS && silence === '') this.#failures = 0;
    // Held back by a proxy: the next stream would be as well.
    if (silence !== '' && this.#lastEventId === '') this.#streams = false;
    const how = silence === '' ? `broke off after ${Math.round(livedMs / 1000)} s` : `is silent: ${silence}`;
    throw new SvcError(
      'stream_cut',
      `The pairing's event stream from ${this.#transport.settings.baseUrl} ${how}. It is opened again, and the session asked for where ` +
        'streams do not pass. If this repeats, a proxy in between buffers or limits streams: see deploy/nginx.conf for what it needs.',
      {
        operation: ROUTES[this.#operations.stream].route,
        cause,
        retryAfterSeconds: retryMs === undefined ? undefined : retryMs / 1000,
      },
    );
  }
}

/** @internal What another try may mend: the network, a proxy, a busy server. */
export const mends = ({ code, status }: SvcError): boolean =>
  [
    'stream_cut',
    'unreachable',
    'timed_out',
    'connection_cut',
    'gateway_failed',
    'rate_limit_exceeded',
  ].includes(code) || status === 503;

/** A session as event or answer. */
interface Shown {
  readonly id: string;
  readonly state: 'issued' | 'bound' | 'expired';
  readonly userId?: string;
  readonly did?: string;
  readonly tokens?: BoundPairing['tokens'] | null;
}

function lookAt({ id, state, userId, did, tokens }: Shown): Look {
  if (state === 'issued') return undefined;
  if (state === 'expired') return { expired: true };
  if (userId !== undefined && did !== undefined && tokens) return { bound: { id, userId, did, tokens } };
  throw new SvcError(
    'pairing_session_expired',
    'Somebody has signed in, but the tokens are given no more: they were used, or the session has ended. Open a new pairing.',
  );
}
