import { SvcError } from './errors.js';
import { systemTiming, type Timing } from './timing.js';

export type Environment = 'live' | 'test';

export interface SvcOptions {
  /** The service's address, such as `https://identity.example.com`: everything before `/v1`. */
  readonly baseUrl: string;
  /** An API key, `svc_live_…` or `svc_test_…`. A phone that only takes part in ceremonies needs none. */
  readonly apiKey?: string | undefined;
  /** The token of a console login, for `svc.console` only. */
  readonly consoleToken?: string | undefined;
  /** For pages of the service itself: use the cookie of `svc.console.openSession` instead of `consoleToken`. */
  readonly consoleSession?: boolean | undefined;
  /** The key's required environment. A key of the other one is rejected before anything is sent. */
  readonly environment?: Environment | undefined;
  /** Timeout of one attempt in ms, including the response's body. Default: 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a request that is safe to retry. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** The option of `fetch`, for browsers on another origin than the service. */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Replaces the platform's clock, timers and random numbers. */
  readonly timing?: Timing | undefined;
}

/** The options, checked and completed. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly consoleToken: string | undefined;
  readonly consoleSession: boolean;
  /** The key's. */
  readonly environment: Environment | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly credentials: SvcOptions['credentials'];
  readonly fetch: typeof fetch;
  readonly timing: Timing;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_RETRIES = 2;

/** @internal @throws SvcError `invalid_options`, which names the option and never shows a secret */
export function readOptions(options: SvcOptions): Settings {
  if (typeof options !== 'object' || options === null)
    throw invalid('new Svc needs its options: { baseUrl, apiKey }.');
  if (options.environment !== undefined && !['live', 'test'].includes(options.environment))
    throw invalid(`environment is 'live' or 'test', and not '${String(options.environment)}'.`);
  const apiKey = readKey(options.apiKey);
  const environment = apiKey === undefined ? options.environment : environmentOf(apiKey);
  if (options.environment !== undefined && environment !== options.environment)
    throw invalid(
      `apiKey is of the environment '${environment}', and environment asks for '${options.environment}'. ` +
        `Use a key that begins with svc_${options.environment}_, or leave the option out.`,
    );
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey,
    consoleToken: readToken(options.consoleToken),
    consoleSession: options.consoleSession === true,
    environment,
    timeoutMs: readNumber('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1),
    maxRetries: readNumber('maxRetries', options.maxRetries ?? DEFAULT_RETRIES, 0),
    credentials: options.credentials,
    // Called as a plain function, because browsers' fetch throws with another `this`.
    fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => globalThis.fetch(...request)),
    timing: options.timing ?? systemTiming,
  };
}

/** @internal The part of a key that may be displayed, as in the console. */
export const maskKey = (apiKey: string): string => `${apiKey.slice(0, 16)}…`;

const invalid = (message: string) => new SvcError('invalid_options', message);

function readBaseUrl(text: unknown): string {
  if (typeof text !== 'string' || text === '')
    throw invalid(
      'baseUrl is missing. Give the address of the service, such as https://identity.example.com.',
    );
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid(
      `baseUrl '${text}' is not an http or https address. It looks like https://identity.example.com.`,
    );
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw invalid('baseUrl holds more than an address: leave out user, password, query and fragment.');
  const path = url.pathname.replace(/\/+$/, '');
  if (/\/(v1|api)$/.test(path))
    throw invalid(
      `baseUrl ends in ${path.slice(path.lastIndexOf('/'))}: leave that out, each operation brings its own path.`,
    );
  return url.origin + path;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function readKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '')
    throw invalid('apiKey is empty. Check the environment variable that it is read from.');
  if (/^svc_(live|test)_[0-9a-f]{48}$/.test(key)) return key;
  if (/^\s|\s$/.test(key))
    throw invalid('apiKey has white space around it: cut it off where the key is read.');
  if (key.startsWith('eyJ'))
    throw invalid(
      'apiKey is a token of a login. Give that as consoleToken, and a key that begins with svc_live_ or svc_test_ here.',
    );
  throw invalid(
    'apiKey is not an API key of this service: svc_live_ or svc_test_ and 48 lower-case hex digits. ' +
      'The console shows a key once, when it is made; make another one if it is lost.',
  );
}

const environmentOf = (key: string): Environment => (key.startsWith('svc_live_') ? 'live' : 'test');

function readToken(token: unknown): string | undefined {
  if (token === undefined || (typeof token === 'string' && /^[\w.-]+$/.test(token))) return token;
  throw invalid(
    'consoleToken is not the token of a console login. Sign up or log in with svc.console to get one.',
  );
}

function readNumber(name: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw invalid(`${name} is a number of at least ${least}.`);
}
