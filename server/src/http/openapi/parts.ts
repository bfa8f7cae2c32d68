import { envelope, Failure, type Issue } from '../../base/errors.js';
import { ERRORS, type ErrorCode } from '../../model/errors.js';
import { ids, secrets } from '../../model/example-fixtures.js';

export type Json = Record<string, unknown>;

/** The parts of the document that are the same for every route. */

export const INFO = {
  title: 'Identity verification',
  summary: 'Passwordless identity verification with zero-knowledge proofs.',
  description: [
    'A multi-tenant JSON API. A phone keeps the secret; only a commitment or a Groth16 proof crosses the wire, and',
    'biometric data is never accepted.',
    '',
    'Tenant endpoints are under `/v1` and take an API key, whose prefix (`svc_live_`, `svc_test_`) decides the',
    'environment. Console endpoints take the token of a login. Times are ISO 8601 UTC with milliseconds, ids are UUIDs,',
    'lists are newest first with `limit` and `cursor`. Every failure is `{ error, message, docs, requestId, details? }`;',
    'branch on `error`, which `docs` explains.',
    '',
    'Clients must accept what later versions add: fields of a reply, values of an enumeration in a reply, error codes.',
    'This is what an integration uses. `/openapi.json?surface=all` adds the endpoints of the console, of the operator, of the',
    'simulated identity provider, and the legacy ones.',
  ].join('\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const;

export const SECURITY_SCHEMES: Json = {
  bearerKey: { type: 'http', scheme: 'bearer', description: 'An API key: `svc_live_…` or `svc_test_…`.' },
  headerKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same API key.' },
  consoleToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of signup or login, valid for 24 hours.',
  },
  deviceSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The session of a device with a key: `svc_device_…`, valid for 12 hours, for what that device opened.',
  },
  staffSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A member at a desk: `svc_staff_…`, valid for ten minutes, beside the session of the device in which it began.',
  },
  desk: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Device-Session',
    description: 'The session of the device: `svc_device_…`.',
  },
  consoleSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-svc_console',
    description: 'The session of the dashboard. Only pages of the service itself can use it.',
  },
  adminKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The operator’s `ADMIN_API_KEY`.',
  },
};

const uuidText = { type: 'string', format: 'uuid' };
const seconds = { type: 'string', pattern: '^[1-9][0-9]*$' };
const number = { type: 'string', pattern: '^[0-9]+$' };

/** Response headers, by the name of their component. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request in our logs. Include it in support requests.',
    required: true,
    schema: uuidText,
    example: ids.request,
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: seconds,
    example: '30',
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the plan allows in 15 minutes.',
    schema: number,
    example: '2000',
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that remain in this window.',
    schema: number,
    example: '1987',
  },
  'X-RateLimit-Reset': {
    description: 'When the oldest request leaves the window, in Unix seconds.',
    schema: number,
    example: '1778579100',
  },
  'X-Svc-Tenant': { description: 'The account of the key.', schema: uuidText, example: ids.tenant },
  'X-Svc-Plan': { description: 'The plan of the account.', schema: { type: 'string' }, example: 'growth' },
  'Idempotent-Replayed': {
    description:
      'Present and `true` if the response repeats that of an earlier request with this Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Deprecation: {
    description: 'Since when the endpoint has been deprecated (RFC 9745), in Unix seconds.',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1778544000',
  },
  Link: {
    description: 'The endpoint that replaces it, as `successor-version`.',
    schema: { type: 'string' },
    example: '</v1/identity/verify>; rel="successor-version"',
  },
  Sunset: {
    description: 'When the endpoint will be removed (RFC 8594), once the operator has set a date.',
    schema: { type: 'string' },
    example: 'Wed, 12 May 2027 00:00:00 GMT',
  },
  'Cache-Control': {
    description: 'The response must not be stored.',
    schema: { type: 'string', enum: ['no-store'] },
    example: 'no-store',
  },
} as const;

/** Request headers that any route may name. */
export const HEADER_EXAMPLES: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'turnstile-7-2026-05-12-0930',
  'X-Session-Token': secrets.accessToken,
  'Last-Event-ID': '1',
  'If-Match': '"9f86d081884c7d659a2feaa0c55ad015"',
  'X-Inbox-Token': secrets.inboxToken,
  'X-Inspection-Token': secrets.inspectionToken,
};

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The record in a path, by its 404 code: `device_not_found` is about the device of the examples. */
export const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [`${snakeCase(name)}_not_found`, id])),
  not_found: ids.tenant,
  session_not_found: ids.registration,
  recovery_not_found: ids.registration,
  approval_not_found: ids.approval,
  pairing_session_not_found: ids.pairing,
  attendance_mark_not_found: ids.mark,
  inspection_not_found: ids.inspection,
  attendance_code_invalid: ids.device,
};

export const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['error', 'message', 'docs', 'requestId'],
  additionalProperties: false,
  properties: {
    error: { enum: Object.keys(ERRORS), description: 'The error code. Branch on it.' },
    message: {
      type: 'string',
      description: 'A sentence for people about the first problem. The text may change.',
    },
    docs: {
      type: 'string',
      description: 'The page that explains `error`: a path, or a URL if the server has a `BASE_URL`.',
    },
    requestId: { type: 'string', format: 'uuid' },
    details: {
      type: 'array',
      description: 'One entry for each part of the request that is wrong.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        additionalProperties: false,
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    hosted_url: { type: 'string', description: 'With `new_browser_refused`: where to sign in instead.' },
  },
};

const DETAILS: Partial<Readonly<Record<ErrorCode, readonly Issue[]>>> = {
  invalid_request: [{ path: 'body.name', message: 'is required' }],
  biometric_data_rejected: [{ path: 'body.metadata.faceImage', message: 'names biometric data' }],
};

export const errorExample = (code: ErrorCode): Json => ({
  summary: ERRORS[code].message,
  value: envelope(new Failure(code, DETAILS[code] && { details: DETAILS[code] }), ids.request),
});
