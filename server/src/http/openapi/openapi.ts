import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from '../../model/errors.js';
import { TAGS } from '../../model/tags.js';
import {
  bodyOf,
  type Described,
  isMetered,
  neverStored,
  queryOf,
  type Route,
  type SentRequest,
  scopesOf,
  statusOf,
  takesDevice,
  takesPhone,
  takesSession,
} from '../route.js';
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
} from './parts.js';
import { errorsOf } from './route-errors.js';

const SECURITY: Readonly<Record<Route['auth']['kind'], readonly Json[]>> = {
  none: [],
  key: [{ bearerKey: [] }, { headerKey: [] }],
  console: [{ consoleToken: [] }],
  device: [{ deviceSession: [] }],
  staff: [{ staffSession: [], desk: [] }],
  admin: [{ adminKey: [] }],
  legacy: [],
};

const sorted = (entries: Iterable<readonly [string, unknown]>): Json =>
  Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));

/** What an integrator uses: the tenant's endpoints, those that a phone also needs, and health. */
const INTEGRATOR = /^\/(v1|zk|api\/health)(\/|$)|^\/openapi\.json$/;

/** The routes in a document: the integrator's only, or also those of the console, the operator, legacy and simulated sign-on. */
export type Surface = 'integrator' | 'all';

interface DocumentOptions {
  readonly version: string;
  readonly surface: Surface;
  /** The server's own URL, if configured. */
  readonly serverUrl?: string | undefined;
}

/** A keyed route as an integrator sees it. Sessions are for our own pages only. */
function withoutSession(route: Route): Route {
  if (route.auth.kind !== 'key') return route;
  const { console: _, ...auth } = route.auth;
  return { ...route, auth };
}

const securityOf = (route: Route): readonly Json[] => [
  ...SECURITY[route.auth.kind],
  ...(takesDevice(route) ? [{ deviceSession: [] }] : []),
  ...(takesSession(route) ? [{ consoleSession: [] }] : []),
  // A phone's proof is in its body.
  ...(takesPhone(route) ? [{}] : []),
];

/** Components that operations refer to. Filled while they are built. */
interface Components {
  readonly schemas: Map<string, Json>;
  readonly responses: Map<string, Json>;
}

/** The OpenAPI 3.1 document, derived only from the routes. Throws the name of a route that lacks something. */
export function openApi(all: readonly Route[], { version, surface, serverUrl }: DocumentOptions): Json {
  const routes =
    surface === 'all' ? all : all.filter(({ path }) => INTEGRATOR.test(path)).map(withoutSession);
  const codes = [...new Set(routes.flatMap(errorsOf))];
  const components: Components = { schemas: new Map(), responses: new Map() };
  const operations = routes.map((route) => operation(route, components));
  const parameters = hoistParameters(operations);
  const paths: Record<string, Json> = {};
  for (const [at, route] of routes.entries()) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operations[at] };
  }
  const webhooks = Object.fromEntries(
    routes.flatMap((route) =>
      (route.sends ?? []).map((sent) => [sent.name, { post: sentRequest(sent, tagOf(route), components) }]),
    ),
  );
  components.schemas.set('Error', published(ERROR_SCHEMA));
  const tags = new Set(routes.map(tagOf));
  const schemes = new Set(routes.flatMap((route) => securityOf(route).flatMap(Object.keys)));
  return {
    openapi: '3.1.0',
    info: { ...INFO, version },
    servers: [{ url: serverUrl ?? '/', description: 'The server that this document comes from.' }],
    tags: TAGS.filter(([name]) => tags.has(name)).map(([name, , description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: sorted(components.schemas),
      parameters: sorted(parameters),
      headers: HEADERS,
      responses: sorted(components.responses),
      examples: sorted(codes.map((code) => [code, errorExample(code)])),
      securitySchemes: sorted(Object.entries(SECURITY_SCHEMES).filter(([name]) => schemes.has(name))),
    },
  };
}

/** A request that the tenant's server receives. Like a response, it may get more fields in later versions. */
function sentRequest(sent: SentRequest, tag: string, { schemas }: Components): Json {
  const { operationId, summary, description, headers, optionalHeaders = {}, body } = sent;
  const parametersOf = (all: Readonly<Record<string, Described>>, required: boolean) =>
    Object.entries(all).map(([name, header]) => ({ name, in: 'header', required, ...described(header) }));
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: [],
    parameters: [...parametersOf(headers, true), ...parametersOf(optionalHeaders, false)],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: hoist(published(body as Json), schemas),
          example: exampleOf(body, sent.name),
        },
      },
    },
    responses: {
      '2XX': { description: 'The event is accepted. The body is ignored.' },
      '4XX': {
        description: 'Not accepted. It is sent again later, except after 410, which disables the webhook.',
      },
    },
  };
}

const nameOf = (route: Route) => `${route.method} ${route.path}`;

function operation(route: Route, components: Components): Json {
  const { auth } = route;
  const body = bodyOf(route);
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
    ...(auth.kind === 'key' && { 'x-scope': scopesOf(route).join(', ') }),
    ...(route.successor && { deprecated: true, 'x-successor': route.successor }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(route, body, components) }),
    responses: { ...successes(route, components), ...failures(route, components) },
  };
}

function tagOf(route: Route): string {
  const tag = TAGS.find(([, paths]) => paths.test(route.path));
  if (tag === undefined) throw new Error(`${nameOf(route)} has no tag: add one to model/tags.ts`);
  return tag[0];
}

function requestBody(route: Route, body: TSchema, { schemas }: Components): Json {
  const schema = hoist(body as Json, schemas);
  const example = exampleOf(body, `${nameOf(route)} body`);
  const media = ['application/json', ...(route.form ? ['application/x-www-form-urlencoded'] : [])];
  return { required: true, content: Object.fromEntries(media.map((type) => [type, { schema, example }])) };
}

const pathParameters = (route: Route): Json[] =>
  Object.entries(route.schemas?.params ?? {}).map(([name, code]) => {
    const form = route.schemas?.forms?.[name];
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', ...(form ? { pattern: form.pattern.source } : { format: 'uuid' }) },
      example: form?.example ?? exampleIn(PATH_EXAMPLES, code, `${nameOf(route)} path ${name}`),
    };
  });

function queryParameters(route: Route, { schemas }: Components): Json[] {
  const { properties = {}, required = [] } = queryOf(route) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: hoist(schema as Json, schemas),
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
  if (example === undefined) throw new Error(`${at} has no example: add ${name} to http/openapi/parts.ts`);
  return example;
}

function successes(route: Route, { schemas }: Components): Json {
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, reply]) => [
      status,
      {
        description: Number(status) < 400 ? 'Success' : 'Unavailable',
        headers: {
          ...refsTo([...errorHeaders(route, Number(status)), ...successHeaders(route, Number(status))]),
          ...ownHeaders(route, Number(status)),
        },
        content:
          typeof reply === 'string'
            ? {
                [reply]: {
                  schema: reply === 'application/json' ? {} : { type: 'string', contentMediaType: reply },
                  ...textExample(route, status),
                },
                ...otherMedia(route),
              }
            : {
                'application/json': {
                  schema: hoist(published(reply as Json), schemas),
                  example: exampleOf(reply, `${nameOf(route)} reply ${status}`),
                },
              },
      },
    ]),
  );
}

const otherMedia = ({ otherMedia: others = {} }: Route): Json =>
  Object.fromEntries(
    Object.entries(others).map(([media, example]) => [
      media,
      { schema: { type: 'string', contentMediaType: media }, example },
    ]),
  );

/** The example of a response that is not built from a schema. A file for download needs none. */
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

type HeaderName = keyof typeof HEADERS;

/** The headers that the pipeline sets on every response with this status. */
const errorHeaders = (route: Route, status: number): HeaderName[] => [
  'X-Request-Id',
  ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ...(isMetered(route) ? PLAN_HEADERS : []),
];

/** The headers that it adds to a route's own responses. */
const successHeaders = (route: Route, status: number): HeaderName[] => [
  ...(neverStored(route) ? (['Cache-Control'] as const) : []),
  ...(route.successor ? (['Deprecation', 'Link', 'Sunset'] as const) : []),
  ...(route.replay && status < 300 ? (['Idempotent-Replayed'] as const) : []),
];

const refsTo = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ownHeaders = ({ replyHeaders = {} }: Route, status: number): Json =>
  status < 400
    ? Object.fromEntries(Object.entries(replyHeaders).map(([name, header]) => [name, described(header)]))
    : {};

/** The errors of a route by status. Each is a component that is shared by routes with the same codes. */
function failures(route: Route, { responses }: Components): Json {
  const codes = inTableOrder(errorsOf(route));
  return Object.fromEntries(
    [...new Set(codes.map((code) => statusOf(code, route)))].map((status) => {
      const own = codes.filter((code) => statusOf(code, route) === status);
      const name = `${route.auth.kind === 'key' ? 'Keyed' : ''}${own.map(pascal).join('Or')}`;
      responses.set(name, failure(route, status, own));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** The table lists the most likely code of a status first, and the document follows it. */
const inTableOrder = (codes: readonly ErrorCode[]) =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.includes(code));

/** `external_id_conflict` and `Idempotency-Key` as `ExternalIdConflict` and `IdempotencyKey`. */
const pascal = (name: string) =>
  name.replace(/(?:^|[_-])([a-z])/gi, (_, letter: string) => letter.toUpperCase());

const failure = (route: Route, status: number, codes: readonly ErrorCode[]): Json => ({
  description: codes.join(', '),
  headers: refsTo(errorHeaders(route, status)),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

/** Replaces parameters by references if most operations use the same parameter under that name. Returns these components. */
function hoistParameters(operations: readonly Json[]): Map<string, Json> {
  const lists = operations.map(({ parameters = [] }) => parameters as Json[]);
  const componentOf = ({ name }: Json) => pascal(String(name));
  const shared = new Map<string, Json>();
  for (const [name, namesakes] of groupBy(lists.flat(), componentOf)) {
    const [text, same] = [...groupBy(namesakes, (one) => JSON.stringify(one))].sort(
      ([, left], [, right]) => right.length - left.length,
    )[0] as [string, Json[]];
    if (same.length * 2 > namesakes.length) shared.set(name, JSON.parse(text));
  }
  for (const list of lists)
    for (const [at, parameter] of list.entries()) {
      const name = componentOf(parameter);
      if (JSON.stringify(shared.get(name)) === JSON.stringify(parameter))
        list[at] = { $ref: `#/components/parameters/${name}` };
    }
  return shared;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The same schema with `work` applied to each schema directly inside it. */
function mapInner(schema: Json, work: (inner: Json) => Json): Json {
  const { properties, items, anyOf, additionalProperties: rest } = schema;
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, work(field as Json)]),
      ),
    }),
    ...(isSchema(items) && { items: work(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(work) }),
    ...(isSchema(rest) && { additionalProperties: work(rest) }),
  };
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * A response schema for clients: later versions may add fields, and values to an enumeration. Requests stay closed, and
 * so do the schemas with which our own tests check responses.
 */
function published(schema: Json): Json {
  const { enum: values, ...rest } = mapInner(schema, published);
  if (rest.additionalProperties === false) delete rest.additionalProperties;
  if (!Array.isArray(values)) return rest;
  const type = values.includes(null) ? ['string', 'null'] : 'string';
  if (values.length === 1) return { type, ...rest, enum: values };
  return { ...rest, anyOf: [{ type, enum: values }, { type }] };
}

/** Moves every titled schema to the components and leaves a reference. */
function hoist(schema: Json, components: Map<string, Json>): Json {
  const { title, examples, ...rest } = mapInner(schema, (inner) => hoist(inner, components));
  // The operation contains the example of a composed schema.
  const copy = examples === undefined || rest.properties !== undefined ? rest : { ...rest, examples };
  if (typeof title !== 'string') return copy;
  const earlier = components.get(title);
  if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(copy))
    throw new Error(`two different schemas have the title ${title}`);
  components.set(title, copy);
  return { $ref: `#/components/schemas/${title}` };
}
