import { CONTRACT_VERSION, type Operations, ROUTES } from '../generated/api.js';
import { SvcError } from './errors.js';
import {
  explainCut,
  explainFetch,
  explainForeignResponse,
  explainServiceError,
  explainTimeout,
  isEnvelope,
  type RawResponse,
} from './explain.js';
import type { Settings } from './options.js';
import { linkedController, sleep, type Timing } from './timing.js';

/** An operation by its `operationId` in the OpenAPI document. */
export type OperationName = keyof Operations;
/** The reply of an operation. */
export type Reply<O extends OperationName> = Operations[O]['reply'];
/** The `path`, `query` and `body` of an operation, where it has them. */
export type Input<O extends OperationName> = Omit<Operations[O], 'reply'>;
/** How an operation is requested. */
type Route = (typeof ROUTES)[OperationName];

export interface RequestOptions {
  /** Aborts the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's timeout. */
  readonly timeoutMs?: number | undefined;
  /**
   * Overrides the client's random key, for operations that accept one. Set it if another process may have to retry the
   * request. 1 to 255 printable characters.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Headers of an operation besides the credential. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** The parts of any operation's input. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** A successful response. */
export interface Received {
  readonly headers: Headers;
  readonly body: unknown;
}

const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
/**
 * No attempt begins later than this after the first. A refresh can be retried for 60 seconds, and a later retry would end the
 * session.
 */
const RETRY_WINDOW_MS = 45_000;

/** Temporary errors. An exhausted quota or a decision of the service is not temporary. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'unreachable',
  'timed_out',
  'connection_cut',
  'gateway_failed',
  'rate_limit_exceeded',
  'idempotency_key_in_use',
]);

/** Sends operations, retries those that are safe to retry, and converts every failure into a `SvcError`. */
export class Transport {
  readonly settings: Settings;
  /** How far the server's clock was ahead at its last response; undefined before the first. */
  #clockOffsetMs: number | undefined;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** The server's time in Unix milliseconds, based on its last response. Before the first, this machine's time. */
  serverNow(): number {
    return this.settings.timing.now() + (this.#clockOffsetMs ?? 0);
  }

  /** The same, from the service if it has not responded yet. For a proof, because the machine's clock may be wrong. */
  async requestServerNow(options?: RequestOptions): Promise<number> {
    if (this.#clockOffsetMs === undefined) await this.call('getHealth', {}, options);
    return this.serverNow();
  }

  async send(
    name: OperationName,
    input: AnyInput,
    options: RequestOptions = {},
    extra: ExtraHeaders = {},
  ): Promise<Received> {
    const { timing, maxRetries } = this.settings;
    const operation = routeOf(name);
    const credential = this.#credential(operation, input.body);
    const { route, idempotent = false } = operation;
    const key = idempotent && { 'idempotency-key': options.idempotencyKey ?? newKey() };
    const headers = { ...extra, ...credential, ...key };
    const repeatable = idempotent || route.startsWith('GET ');
    const url = this.#urlOf(route, input);
    const started = timing.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(operation, url, input.body, headers, options);
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        const wait = repeatable && attempt <= maxRetries ? this.#retryDelay(attempt, error) : undefined;
        if (wait === undefined || timing.now() + wait - started > RETRY_WINDOW_MS)
          throw attempt === 1 ? error : withAttempts(attempt, error);
        await sleep(timing, wait, options.signal);
      }
    }
  }

  /** Sends an operation and returns the JSON of its response. */
  async call<O extends OperationName>(
    name: O,
    input: Input<O>,
    options?: RequestOptions,
    extra?: ExtraHeaders,
  ): Promise<Reply<O>> {
    return (await this.send(name, input as AnyInput, options, extra)).body as Reply<O>;
  }

  /** Opens a streamed response. Never retried. The timeout ends with the headers; the signal also aborts the body. */
  async open(
    name: OperationName,
    input: AnyInput,
    options: RequestOptions = {},
    extra: ExtraHeaders = {},
  ): Promise<Response> {
    const operation = routeOf(name);
    const { route } = operation;
    const guard = this.#guard(route, options);
    try {
      const headers = { ...extra, ...this.#credential(operation) };
      const response = await this.#fetch(route, this.#urlOf(route, input), { method: 'GET', headers }, guard);
      if (response.ok) return response;
      throw await this.#errorOf(operation, undefined, await this.#read(route, response, guard));
    } finally {
      guard.stopTimer();
    }
  }

  /** Downloads a public file by its path. */
  async download(path: string, options: RequestOptions = {}): Promise<Uint8Array> {
    const route = `GET ${path.split('?', 1)[0]}`;
    // Appended to the base URL, anything else could change the host.
    if (!path.startsWith('/'))
      throw new SvcError(
        'invalid_options',
        `${route} is not a path of the service. Pass one that begins with /, such as wasmPath of getCircuitInfo().`,
      );
    const guard = this.#guard(route, options);
    try {
      const response = await this.#fetch(route, this.settings.baseUrl + path, { method: 'GET' }, guard);
      if (!response.ok) {
        const error = await this.#read(route, response, guard);
        throw await this.#errorOf({ route, credential: 'none' }, undefined, error);
      }
      return new Uint8Array(await this.#whole(route, response.arrayBuffer(), guard));
    } finally {
      guard.release();
    }
  }

  async #attempt(
    operation: Route,
    url: string,
    body: unknown,
    headers: ExtraHeaders,
    options: RequestOptions,
  ): Promise<Received> {
    const { route } = operation;
    const guard = this.#guard(route, options);
    try {
      const init = {
        method: route.slice(0, route.indexOf(' ')),
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: toJson(route, body) }),
      };
      const response = await this.#fetch(route, url, init, guard);
      const received = await this.#read(route, response, guard);
      const parsed = parseJson(received.text);
      // Without its database, the service returns its health with status 503.
      const isHealth = operation === ROUTES.getHealth && typeof parsed === 'object' && !isEnvelope(parsed);
      if (!response.ok && !isHealth) throw await this.#errorOf(operation, body, received);
      if (typeof parsed !== 'object' || parsed === null)
        throw explainForeignResponse(this.settings, route, received);
      return { headers: response.headers, body: parsed };
    } finally {
      guard.release();
    }
  }

  async #fetch(route: string, url: string, init: RequestInit, guard: Guard): Promise<Response> {
    const { credentials, timing } = this.settings;
    // A redirect could turn a POST into a GET, or send the body to another address.
    const request = {
      ...init,
      headers: headersOf(route, init.headers),
      redirect: 'manual' as const,
      signal: guard.signal,
      ...(credentials && { credentials }),
    };
    try {
      const response = await this.settings.fetch(url, request);
      const date = dateOf(response.headers);
      if (date !== undefined) this.#clockOffsetMs = date - timing.now();
      return response;
    } catch (cause) {
      throw guard.reason() ?? explainFetch(this.settings, route, cause);
    }
  }

  async #read(route: string, response: Response, guard: Guard): Promise<RawResponse> {
    const text = await this.#whole(route, response.text(), guard);
    return { status: response.status, headers: response.headers, text };
  }

  async #whole<T>(route: string, body: Promise<T>, guard: Guard): Promise<T> {
    try {
      return await body;
    } catch (cause) {
      throw guard.reason() ?? explainCut(this.settings, route, cause);
    }
  }

  async #errorOf({ route, credential }: Route, body: unknown, response: RawResponse): Promise<SvcError> {
    const envelope = parseJson(response.text);
    if (!isEnvelope(envelope)) return explainForeignResponse(this.settings, route, response);
    const isUnknown = envelope.error === 'not_found' || envelope.error === 'method_not_allowed';
    return explainServiceError(this.settings, response, envelope, {
      operation: route,
      credential,
      body,
      serverTime: dateOf(response.headers),
      serverVersion: isUnknown ? await this.#serverVersion() : undefined,
    });
  }

  /** The server's version for error messages; undefined if it is unavailable. */
  async #serverVersion(): Promise<string | undefined> {
    const { route } = ROUTES.getHealth;
    const guard = this.#guard(route, {});
    try {
      const response = await this.#fetch(route, this.#urlOf(route, {}), { method: 'GET' }, guard);
      const { version } = (parseJson(await response.text()) ?? {}) as { version?: unknown };
      return typeof version === 'string' ? version.slice(0, 40) : undefined;
    } catch {
      return undefined;
    } finally {
      guard.release();
    }
  }

  #retryDelay(attempt: number, { code, status, retryAfterSeconds = 0 }: SvcError): number | undefined {
    const passes = TRANSIENT.has(code) || status === 503;
    return passes ? backoff(this.settings.timing, attempt) + retryAfterSeconds * 1000 : undefined;
  }

  #credential({ route, credential, session, device, phone }: Route, body?: unknown): ExtraHeaders {
    const { apiKey, deviceToken, consoleToken, consoleSession } = this.settings;
    const hasSession = consoleSession && (credential === 'console' || (session && apiKey === undefined));
    const isPhone = phone && 'tenantId' in Object(body);
    // Only a device may send it.
    if (credential === 'none' && device && deviceToken !== undefined)
      return { authorization: `Bearer ${deviceToken}` };
    if (credential === 'none' || hasSession || isPhone) return {};
    const forKey = apiKey ?? (device ? deviceToken : undefined);
    const secret = credential === 'key' ? forKey : consoleToken;
    if (secret !== undefined) return { authorization: `Bearer ${secret}` };
    const missing =
      credential === 'key'
        ? 'an API key. Pass apiKey to new Svc'
        : 'a console login. Pass the token of svc.console.logIn as consoleToken to new Svc';
    throw new SvcError('invalid_options', `${route} needs ${missing}.`, { operation: route });
  }

  #urlOf(route: string, { path = {}, query = {} }: AnyInput): string {
    const steps = route.slice(route.indexOf(' ') + 1).replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = path[key];
      // An empty segment or dots would change the operation.
      if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
        throw new SvcError(
          'invalid_options',
          `${route} needs the ${key} of a record. Pass a non-empty string.`,
          { operation: route },
        );
      return encodeURIComponent(value);
    });
    const given = Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)] as const],
    );
    const search = given.map((part) => part.map(encodeURIComponent).join('=')).join('&');
    return `${this.settings.baseUrl}${steps}${search === '' ? '' : `?${search}`}`;
  }

  /** Combines the caller's signal and the timeout. `reason` returns the error of the one that fired. */
  #guard(route: string, { signal, timeoutMs = this.settings.timeoutMs }: RequestOptions): Guard {
    const controller = linkedController(signal);
    let timedOut = false;
    const stopTimer = this.settings.timing.after(timeoutMs, () => {
      timedOut = true;
      controller.abort();
    });
    return {
      signal: controller.signal,
      reason: () =>
        signal?.aborted
          ? signal.reason
          : timedOut
            ? explainTimeout(this.settings, route, timeoutMs)
            : undefined,
      stopTimer,
      release() {
        stopTimer();
        controller.release();
      },
    };
  }
}

interface Guard {
  readonly signal: AbortSignal;
  /** The rejection reason, unless the network failed. */
  reason(): unknown;
  stopTimer(): void;
  release(): void;
}

function routeOf(name: OperationName): Route {
  if (Object.hasOwn(ROUTES, name)) return ROUTES[name];
  const message = `This SDK (version ${CONTRACT_VERSION}) has no operation ${String(name)}. Check the name, or use a newer SDK.`;
  throw new SvcError('invalid_options', message);
}

/** @internal Exponential with full jitter, so that clients don't retry at the same time. */
export const backoff = (timing: Timing, attempt: number): number =>
  timing.random() * Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** attempt);

const withAttempts = (attempts: number, error: SvcError): SvcError =>
  new SvcError(error.code, `${error.message} Tried ${attempts} times.`, {
    ...error,
    attempts,
    cause: error.cause,
  });

const dateOf = (headers: Headers): number | undefined => {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
};

/** Browsers have `randomUUID` in secure contexts only. */
function newKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Engines without `Headers` take the names and values as they are. */
function headersOf(route: string, headers: RequestInit['headers'] = {}): NonNullable<RequestInit['headers']> {
  try {
    return globalThis.Headers ? new Headers(headers) : headers;
  } catch (cause) {
    const message =
      `The token or Idempotency-Key of ${route} contains characters that are not allowed in a header. ` +
      'Remove line breaks and other control characters.';
    throw new SvcError('invalid_options', message, { operation: route, cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toJson(route: string, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new SvcError(
      'invalid_options',
      `The body of ${route} cannot be converted to JSON. Remove bigints and circular references.`,
      {
        operation: route,
        cause,
      },
    );
  }
}
