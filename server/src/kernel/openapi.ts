import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from './errors.js';
import type { Route } from './route.js';

type Json = Record<string, unknown>;

const SECURITY: Readonly<Record<Route['auth']['kind'], readonly Json[]>> = {
  none: [],
  key: [{ bearerKey: [] }, { headerKey: [] }],
  console: [{ consoleToken: [] }],
  admin: [{ adminKey: [] }],
  legacy: [],
};

/** The codes that the pipeline itself can answer on a route. */
function pipelineErrors(route: Route): ErrorCode[] {
  const { auth, limit, schemas, method, replay } = route;
  return [
    ...(auth.kind === 'key'
      ? (['missing_api_key', 'invalid_api_key', 'tenant_inactive', 'insufficient_scopes'] as const)
      : []),
    ...(auth.kind === 'key' ? (['rate_limit_exceeded', 'monthly_quota_exceeded'] as const) : []),
    ...(auth.kind === 'console' ? (['invalid_console_token', 'tenant_inactive'] as const) : []),
    ...(auth.kind === 'admin'
      ? (['not_found', 'missing_api_key', 'invalid_api_key', 'rate_limit_exceeded'] as const)
      : []),
    ...(auth.kind === 'legacy' ? (['tenant_inactive'] as const) : []),
    ...(limit ? (['rate_limit_exceeded'] as const) : []),
    ...(method === 'GET'
      ? []
      : (['payload_too_large', 'unsupported_media_type', 'biometric_data_rejected'] as const)),
    ...Object.values(schemas?.params ?? {}),
    ...(replay ? (['idempotency_key_reused', 'idempotency_key_in_use'] as const) : []),
    'invalid_request',
    'service_unavailable',
  ];
}

const errorsOf = (route: Route): ErrorCode[] =>
  [...new Set([...(route.errors ?? []), ...pipelineErrors(route)])].sort();

/** The whole document (OpenAPI 3.1), derived from the routes alone. */
export function openApi(routes: readonly Route[], version: string): Json {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    (paths[path] as Json)[route.method.toLowerCase()] = operation(route, components);
  }
  components.set('Error', ERROR_SCHEMA);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Identity verification',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([left], [right]) => (left < right ? -1 : 1))),
      securitySchemes: {
        bearerKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `svc_live_…` or `svc_test_…`.',
        },
        headerKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        consoleToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        adminKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  };
}

const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['error', 'message', 'docs', 'requestId'],
  additionalProperties: false,
  properties: {
    error: { type: 'string', enum: Object.keys(ERRORS) },
    message: { type: 'string' },
    docs: { type: 'string' },
    requestId: { type: 'string', format: 'uuid' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        additionalProperties: false,
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

function operation(route: Route, components: Map<string, Json>): Json {
  const { schemas, auth } = route;
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(schemas?.query, components),
    ...headerParameters(route),
  ];
  return {
    operationId: operationId(route),
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(auth.kind === 'key' && { 'x-scope': auth.scope }),
    ...(route.successor && { deprecated: true, 'x-successor': route.successor }),
    security: SECURITY[auth.kind],
    ...(parameters.length > 0 && { parameters }),
    ...(schemas?.body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          ['application/json', ...(route.form ? ['application/x-www-form-urlencoded'] : [])].map((media) => [
            media,
            { schema: hoist(schemas.body, components) },
          ]),
        ),
      },
    }),
    responses: { ...successes(route, components), ...failures(route) },
  };
}

/** The wire's own words: `POST /v1/devices/:deviceId` is `post_v1_devices_deviceId`. */
const operationId = (route: Route) =>
  `${route.method.toLowerCase()}${route.path.replaceAll(':', '').replaceAll(/[^A-Za-z0-9]+/g, '_')}`;

const tagOf = (route: Route) =>
  route.path.split('/').filter((step) => !/^(|v1|api|console|auth)$/.test(step))[0] ?? 'pages';

const pathParameters = (route: Route): Json[] =>
  Object.keys(route.schemas?.params ?? {}).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }));

function queryParameters(query: TSchema | undefined, components: Map<string, Json>): Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: hoist(schema, components),
  }));
}

function headerParameters({ auth, headers = {}, replay }: Route): Json[] {
  const all = replay
    ? { 'Idempotency-Key': 'Repeating the request with it shows the first one’s record again.', ...headers }
    : headers;
  return Object.entries(all).map(([name, description]) => ({
    name,
    in: 'header',
    required: name === 'X-Session-Token' && auth.kind === 'key',
    description,
    schema: { type: 'string' },
  }));
}

function successes(route: Route, components: Map<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, reply]) => [
      status,
      {
        description: Number(status) < 400 ? 'Success' : 'Unavailable',
        content:
          typeof reply === 'string'
            ? { [reply]: { schema: { type: 'string', contentMediaType: reply } } }
            : { 'application/json': { schema: hoist(reply, components) } },
      },
    ]),
  );
}

function failures(route: Route): Json {
  const codesOf = (status: number) => errorsOf(route).filter((code) => ERRORS[code][0] === status);
  const statuses = new Set(errorsOf(route).map((code): number => ERRORS[code][0]));
  return Object.fromEntries(
    [...statuses]
      .filter((status) => route.replies[status] === undefined)
      .map((status) => [status, codesOf(status)] as const)
      .map(([status, codes]) => [
        status,
        {
          description: codes.join(', '),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
            },
          },
        },
      ]),
  );
}

const example = (code: ErrorCode): Json => ({
  error: code,
  message: ERRORS[code][1],
  docs: `/docs/errors#${code}`,
  requestId: '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
});

/** Moves every titled schema to the components and leaves a reference. */
function hoist(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title, ...rest } = schema as Json;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, hoist(value, components)]),
  );
  if (typeof title !== 'string') return copy;
  components.set(title, copy);
  return { $ref: `#/components/schemas/${title}` };
}
