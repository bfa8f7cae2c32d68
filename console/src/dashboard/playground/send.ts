import { addressOf, headersOf } from '../../snippets/request';
import type { WrittenRequest } from '../../snippets/sample';
import { isTestKey } from '../operations/playground-key';

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly durationMs: number;
  /** Those that matter to a reader, by name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Undefined if it is not JSON. */
  readonly json: unknown;
}

const HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'Content-Type',
] as const;

/** Sends a request to the service with a test key, which it is never sent without. The body is sent as it was written. */
export async function send(
  request: WrittenRequest,
  key: string,
  body: string,
  signal: AbortSignal,
): Promise<Answer> {
  if (!isTestKey(key)) throw new Error('Requests are only sent with a test key.');
  const started = performance.now();
  const response = await fetch(addressOf(request), {
    method: request.method,
    headers: { ...Object.fromEntries(headersOf(request)), Authorization: `Bearer ${key}` },
    ...(request.body !== undefined && { body }),
    redirect: 'manual',
    signal,
  });
  const text = await response.text();
  const durationMs = Math.round(performance.now() - started);
  return {
    status: response.status,
    statusText: STATUS_TEXTS[response.status] ?? response.statusText,
    durationMs,
    headers: HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    text,
    json: parsed(text),
  };
}

/** HTTP/2 has none. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
