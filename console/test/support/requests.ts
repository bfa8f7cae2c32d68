import fc from 'fast-check';
import type { WrittenRequest } from '../../src/snippets/sample.js';

/** With quotes, line breaks, all of Unicode, and half characters. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    "it's",
    '"',
    '\\',
    '`$(id)`',
    '$HOME ${',
    '%s',
    '!x',
    'a\r\nb\tc',
    '\u2028\u202E\uFEFF',
    '\uD800',
    'عبد',
    '🦉',
    "'''",
    '\\"\\\'',
  ),
);
const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 });

const request: fc.Arbitrary<WrittenRequest> = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
    path: fc.constant('/v1/users/{userId}'),
    pathValues: fc.record({ userId: text.filter((value) => value !== '') }),
    query: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 3 }),
    headers: fc.record({ 'X-Session-Token': printable }, { requiredKeys: [] }),
    body: fc.jsonValue({ stringUnit: 'binary' }),
    operationId: fc.constant('updateUser'),
    origin: fc.constant('https://svc.example'),
    needsKey: fc.boolean(),
  },
  { requiredKeys: ['method', 'path', 'pathValues'] },
);

/** Requests that are the same in each run. */
export const REQUESTS: readonly WrittenRequest[] = [
  ...fc.sample(request, { seed: 20, numRuns: 200 }),
  ...fc.sample(text, { seed: 21, numRuns: 100 }).map((value) => ({
    method: 'POST',
    path: '/v1/users/{userId}',
    pathValues: { userId: value === '' ? '-' : value },
    query: { [value]: value },
    body: Object.fromEntries([value, '__proto__'].map((name) => [name, value])),
    operationId: 'updateUser',
  })),
];

export const ENVIRONMENT = { SVC_API_KEY: 'svc_test_key', BASE_URL: 'https://svc.example' };

/** What a server would receive. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined without one. */
  readonly body: unknown;
}

/** What a server should receive. A URL has no half characters. */
export function expectedOf(request: WrittenRequest): Received {
  const { method, pathValues = {}, query = {}, headers = {}, body, needsKey = true } = request;
  const url = new URL('https://svc.example');
  url.pathname = `/v1/users/${encodeURIComponent(pathValues.userId?.toWellFormed() ?? '')}`;
  return {
    method,
    url: plainUrl(url.href, Object.entries(query)),
    headers: {
      ...headers,
      ...(needsKey && { Authorization: `Bearer ${ENVIRONMENT.SVC_API_KEY}` }),
    },
    body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
  };
}

/** The address with decoded parts, because the languages encode them differently. */
export function plainUrl(address: string, more: readonly (readonly [string, unknown])[] = []): string {
  const url = new URL(address);
  const pairs = [...url.searchParams, ...more.map((pair) => pair.map((part) => String(part).toWellFormed()))];
  return JSON.stringify([url.origin, url.pathname.split('/').map(decodeURIComponent), pairs.sort()]);
}
