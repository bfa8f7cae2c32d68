import { readAddress } from '../codecs/address.js';
import { SvcError } from './errors.js';
import { systemTiming, type Timing } from './timing.js';

export type Environment = 'live' | 'test';

export interface SvcOptions {
  /** The service's address, such as `https://identity.example.com`: everything before `/v1`. */
  readonly baseUrl: string;
  /** An API key, `svc_live_…` or `svc_test_…`. A phone that only takes part in ceremonies needs none. */
  readonly apiKey?: string | undefined;
  /** The session of a device with a key, of `svc.devices.session`. For kiosks, which have no API key. */
  readonly deviceToken?: string | undefined;
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
  readonly deviceToken: string | undefined;
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
    throw invalid('new Svc needs options. Pass { baseUrl, apiKey }.');
  if (options.environment !== undefined && !['live', 'test'].includes(options.environment))
    throw invalid(`environment is '${String(options.environment)}'. It must be 'live' or 'test'.`);
  const apiKey = readKey(options.apiKey);
  const environment = apiKey === undefined ? options.environment : environmentOf(apiKey);
  if (options.environment !== undefined && environment !== options.environment)
    throw invalid(
      `apiKey belongs to the environment '${environment}', but the option environment is '${options.environment}'. ` +
        `Use a key that begins with svc_${options.environment}_, or omit the option.`,
    );
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey,
    deviceToken: readDeviceToken(options.deviceToken),
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
      'baseUrl is missing. Pass the address of the service, such as https://identity.example.com.',
    );
  const url = readAddress(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid(
      `baseUrl '${text}' is not an http or https address. Pass an address such as https://identity.example.com.`,
    );
  if (url.username || url.password || url.search || url.hash)
    throw invalid('baseUrl contains more than an address. Remove the user, password, query and fragment.');
  const path = url.pathname.replace(/\/+$/, '');
  if (/\/(v1|api)$/.test(path))
    throw invalid(
      `baseUrl ends in ${path.slice(path.lastIndexOf('/'))}. Remove that part, because the client adds the path of each operation.`,
    );
  return url.origin + path;
}

function readKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '')
    throw invalid('apiKey is empty. Check the environment variable that it is read from.');
  if (/^svc_(live|test)_[0-9a-f]{48}$/.test(key)) return key;
  if (/^\s|\s$/.test(key))
    throw invalid('apiKey begins or ends with white space. Trim it where you read the key.');
  if (key.startsWith('svc_device_'))
    throw invalid('apiKey is the session of a device. Pass it as deviceToken.');
  if (key.startsWith('eyJ'))
    throw invalid(
      'apiKey is a login token. Pass the token as consoleToken, and as apiKey a key that begins with svc_live_ or svc_test_.',
    );
  throw invalid(
    'apiKey is not an API key of this service. A key is svc_live_ or svc_test_ and 48 lower-case hex digits. ' +
      'The console shows a key only when it is created. If yours is lost, create another one.',
  );
}

const environmentOf = (key: string): Environment => (key.startsWith('svc_live_') ? 'live' : 'test');

function readToken(token: unknown): string | undefined {
  if (token === undefined || (typeof token === 'string' && /^[\w.-]+$/.test(token))) return token;
  throw invalid(
    'consoleToken is not the token of a console login. Get one with svc.console.logIn or svc.console.signUp.',
  );
}

function readDeviceToken(token: unknown): string | undefined {
  if (token === undefined || (typeof token === 'string' && /^svc_device_[\w.-]+$/.test(token))) return token;
  throw invalid('deviceToken is not the session of a device. Open one with svc.devices.session.');
}

function readNumber(name: string, value: number, min: number): number {
  if (Number.isFinite(value) && value >= min) return value;
  throw invalid(`${name} must be a number of at least ${min}.`);
}
