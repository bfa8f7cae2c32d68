import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from '../model/errors.js';
import { TAGS } from '../model/tags.js';
import { exampleOf } from './example.js';
import {
  ERROR_SCHEMA,
  errorExample,
  HEADER_EXAMPLES,
  HEADERS,
  INFO,
  type Json,
  PATH_EXAMPLES,
  SECURITY_SCHEMES,
  SERVERS,
} from './openapi-parts.js';
import type { Described, Route } from './route.js';
import { errorsOf } from './route-errors.js';

const SECURITY: Readonly<Record<Route['auth']['kind'], readonly Json[]>> = {
  none: [],
  key: [{ bearerKey: [] }, { headerKey: [] }],
  console: [{ consoleToken: [] }],
  admin: [{ adminKey: [] }],
  legacy: [],
};

const sorted = (entries: Iterable<readonly [string, unknown]>): Json =>
  Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));

/** The whole document (OpenAPI 3.1), derived from the routes alone. What a route lacks for it is thrown, by name. */
export function openApi(routes: readonly Route[], version: string): Json {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    (paths[path] as Json)[route.method.toLowerCase()] = operation(route, components);
  }
  components.set('Error', ERROR_SCHEMA);
  const used = new Set(routes.map(tagOf));
  const codes = [...new Set(routes.flatMap(errorsOf))];
  return {
    openapi: '3.1.0',
    info: { ...INFO, version },
    servers: SERVERS,
    tags: TAGS.filter(([name]) => used.has(name)).map(([name, , description]) => ({ name, description })),
    paths,
    components: {
      schemas: sorted(components),
      headers: HEADERS,
      examples: sorted(codes.map((code) => [code, errorExample(code)])),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const nameOf = (route: Route) => `${route.method} ${route.path}`;

function operation(route: Route, components: Map<string, Json>): Json {
  const { schemas, auth } = route;
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, components),
    ...headerParameters(route),
    ...cookieParameters(route),
  ];
  return {
    operationId: route.operationId,
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(auth.kind === 'key' && { 'x-scope': auth.scope }),
    ...(route.successor && { deprecated: true, 'x-successor': route.successor }),
    security: SECURITY[auth.kind],
    ...(parameters.length > 0 && { parameters }),
    ...(schemas?.body && { requestBody: requestBody(route, schemas.body, components) }),
    responses: { ...successes(route, components), ...failures(route) },
  };
}

function tagOf(route: Route): string {
  const tag = TAGS.find(([, paths]) => paths.test(route.path));
  if (tag === undefined) throw new Error(`${nameOf(route)} has no tag: add one to model/tags.ts`);
  return tag[0];
}

function requestBody(route: Route, body: TSchema, components: Map<string, Json>): Json {
  const schema = hoist(body, components);
  const example = exampleOf(body, `${nameOf(route)} body`);
  const media = ['application/json', ...(route.form ? ['application/x-www-form-urlencoded'] : [])];
  return { required: true, content: Object.fromEntries(media.map((type) => [type, { schema, example }])) };
}

const pathParameters = (route: Route): Json[] =>
  Object.entries(route.schemas?.params ?? {}).map(([name, code]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: exampleIn(PATH_EXAMPLES, code, `${nameOf(route)} path ${name}`),
  }));

function queryParameters(route: Route, components: Map<string, Json>): Json[] {
  const { properties = {}, required = [] } = (route.schemas?.query ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: hoist(schema, components),
    example: exampleOf(schema, `${nameOf(route)} query ${name}`),
  }));
}

function headerParameters(route: Route): Json[] {
  const { auth, headers = {}, replay } = route;
  const all = replay
    ? { 'Idempotency-Key': 'Repeating the request with it shows the first one’s record again.', ...headers }
    : headers;
  return Object.entries(all).map(([name, description]) => ({
    name,
    in: 'header',
    required: name === 'X-Session-Token' && auth.kind === 'key',
    description,
    schema: { type: 'string' },
    example: exampleIn(HEADER_EXAMPLES, name, `${nameOf(route)} header ${name}`),
  }));
}

const cookieParameters = (route: Route): Json[] =>
  Object.entries(route.cookies ?? {}).map(([name, cookie]) => ({
    name,
    in: 'cookie',
    required: true,
    ...described(cookie),
  }));

const described = ({ description, example }: Described): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

function exampleIn(examples: Readonly<Record<string, string>>, name: string, at: string): string {
  const example = examples[name];
  if (example === undefined) throw new Error(`${at} has no example: add ${name} to kernel/openapi-parts.ts`);
  return example;
}

function successes(route: Route, components: Map<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, reply]) => [
      status,
      {
        description: Number(status) < 400 ? 'Success' : 'Unavailable',
        headers: { ...headersOf(route, Number(status)), ...ownHeaders(route, Number(status)) },
        content:
          typeof reply === 'string'
            ? {
                [reply]: {
                  schema: reply === 'application/json' ? {} : { type: 'string', contentMediaType: reply },
                  ...textExample(route, status),
                },
              }
            : {
                'application/json': {
                  schema: hoist(reply, components),
                  example: exampleOf(reply, `${nameOf(route)} reply ${status}`),
                },
              },
      },
    ]),
  );
}

/** The example of a reply that is not built from a schema. A file that anyone can download needs none. */
function textExample(route: Route, status: string): Json {
  const example = route.examples?.[Number(status)];
  if (example !== undefined) return { example };
  if (route.auth.kind === 'none' && !route.path.includes(':')) return {};
  throw new Error(`${nameOf(route)} reply ${status} has no example: add \`examples: { ${status}: '…' }\``);
}

const PLAN_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Svc-Tenant',
  'X-Svc-Plan',
] as const;

/** The headers that the pipeline sets on an answer of this status. */
function headersOf(route: Route, status: number): Json {
  const names: (keyof typeof HEADERS)[] = [
    'X-Request-Id',
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(route.auth.kind === 'key' ? PLAN_HEADERS : []),
    ...(route.noStore || (route.secret && status < 400) ? (['Cache-Control'] as const) : []),
    ...(route.successor ? (['Deprecation', 'Link', 'Sunset'] as const) : []),
    ...(route.replay && status < 300 ? (['Idempotent-Replayed'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const ownHeaders = ({ replyHeaders = {} }: Route, status: number): Json =>
  status < 400
    ? Object.fromEntries(Object.entries(replyHeaders).map(([name, header]) => [name, described(header)]))
    : {};

function failures(route: Route): Json {
  const codes = errorsOf(route);
  const codesOf = (status: number) => codes.filter((code) => ERRORS[code].status === status);
  const statuses = new Set(codes.map((code): number => ERRORS[code].status));
  return Object.fromEntries([...statuses].map((status) => [status, failure(route, status, codesOf(status))]));
}

const failure = (route: Route, status: number, codes: readonly ErrorCode[]): Json => ({
  description: codes.join(', '),
  headers: headersOf(route, status),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

/** Moves every titled schema to the components and leaves a reference. */
function hoist(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title, examples, ...rest } = schema as Json;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, hoist(value, components)]),
  );
  // Of what is composed, the operation shows the example.
  if (examples !== undefined && rest.properties === undefined) copy.examples = examples;
  if (typeof title !== 'string') return copy;
  const earlier = components.get(title);
  if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(copy))
    throw new Error(`two different schemas have the title ${title}`);
  components.set(title, copy);
  return { $ref: `#/components/schemas/${title}` };
}
