import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import cors from '@fastify/cors';
import compileSerializer from 'fast-json-stringify';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import helmet from 'helmet';
import type { TSchema } from 'typebox';
import { within } from '../base/address.js';
import { quietTurn } from '../base/concurrency/quiet-turn.js';
import type { Config } from '../base/config/config.js';
import { Failure, fail, type Issue, invalid } from '../base/errors.js';
import { runFor } from '../base/telemetry/request-context.js';
import { JsonText } from '../records/list.js';
import { createCallers } from './admission/callers.js';
import { createShedder } from './admission/shed.js';
import { deprecationHeaders } from './deprecation.js';
import type { Deps } from './deps.js';
import { nearestPathOf } from './nearest-path.js';
import { createPipeline } from './pipeline.js';
import type { Authenticators } from './principal.js';
import type { RequestState } from './request-state.js';
import {
  bodyOf,
  neverStored,
  phoneBodyOf,
  queryOf,
  type Route,
  statusOf,
  successStatus,
  takesPhone,
  takesSession,
} from './route.js';
import {
  BODY_LIMIT_BYTES,
  isCleanText,
  isForm,
  isJson,
  readForm,
  readJson,
  TEMPLATE_BODY_LIMIT_BYTES,
} from './transport/body.js';
import { compressReply } from './transport/compression.js';
import { rawError, sendFailure, toFailure } from './transport/errors.js';
import { sendStream } from './transport/events.js';
import { RawReply, sendRaw } from './transport/raw.js';
import { mountPages } from './transport/site.js';
import { EventStream } from './transport/sse.js';
import { StaticText } from './transport/static-text.js';
import { isAsyncIterable, streamOf } from './transport/stream.js';
import { compile, readQuery } from './validate.js';

declare module 'fastify' {
  interface FastifyRequest {
    svc: RequestState;
  }
}

export type HttpServer = FastifyInstance;

const UNANSWERED_PER_CONNECTION = 32;
/** How long a connection may be idle while no request on it is being processed. Streams send something more often. */
const IDLE_MS = 30_000;

/** The HTTP server for a list of routes. The steps around each handler are here and in `pipeline.ts`. */
export async function createHttp(
  deps: Deps,
  auth: Authenticators,
  declared: readonly Route[],
): Promise<FastifyInstance> {
  const isServed = (route: Route) =>
    (route.when?.(deps.config) ?? true) &&
    (route.auth.kind !== 'admin' || deps.config.adminApiKey !== undefined);
  const routes = declared.filter(isServed);
  const callers = createCallers();
  const pipeline = createPipeline(deps, auth, callers);
  const secure = securityHeaders();
  const shed = createShedder({ deps, callers, routes, headers: secure });
  const gate = createGate();
  const server = createServer(deps, pipeline, { shed, gate });
  server.decorateRequest('svc');
  // Compiled for the first response that needs it: compiling all of them takes nearly half of the time to create a server.
  server.setSerializerCompiler(({ schema }) => {
    let serialize: ReturnType<typeof compileSerializer> | undefined;
    return (data) => {
      serialize ??= compileSerializer(schema as Parameters<typeof compileSerializer>[0]);
      return serialize(data);
    };
  });
  // The first hook, so that responses of plugins have these headers too. Hooks are synchronous where possible, because a promise
  // for each costs a measurable part of a request.
  server.addHook('onRequest', (request, reply, done) => {
    request.svc = pipeline.open(request.id, request.ip, request.method);
    void reply.header('x-request-id', request.id).headers(secure);
    // What is the same for everybody, such as a file of the pages, replaces this by its own.
    if (carriesCredential(request.headers)) void reply.header('cache-control', 'no-store');
    done();
  });
  await allowOrigins(server, deps.config);
  addBodyParser(server);
  refuseUnknown(server, routes);
  // Closing waits for connections, and a keep-alive connection would stay open for another minute.
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (!deps.ready()) void reply.header('connection', 'close');
    done(null, payload);
  });
  server.setErrorHandler(async (error, request, reply) => {
    const failure = toFailure(error, deps.log, request.id);
    await pipeline.close(request.svc, reply, failure);
    const page = failure.code === 'not_found' ? await pages.sendMissing(request, reply) : undefined;
    return (
      page ??
      sendFailure(reply, failure, {
        status: statusOf(failure.code, request.svc.route),
        requestId: request.id,
        docsOrigin: deps.config.docsOrigin,
      })
    );
  });
  // Closing waits for responses in flight, and a stream would be in flight for minutes. The listener is closed right after this hook.
  // Requests wait until then, so that clients that would connect again don't.
  server.addHook('preClose', async () => {
    deps.admission.stopWaiting();
    await deps.streams.close();
    gate.close();
    await quietTurn(server.server);
    setImmediate(gate.open);
  });
  for (const route of routes.filter(({ raw }) => !raw)) mount(server, deps, pipeline, route);
  await server.register(async (raw) => {
    // Their handlers read the body.
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const route of routes.filter((route) => route.raw)) mount(raw, deps, pipeline, route);
  });
  const pages = mountPages(server, {
    config: deps.config,
    clock: deps.clock,
    folder: deps.pagesFolder,
    apiPrefixes: new Set(['auth', ...declared.map(({ path }) => path.split('/')[1] as string)]),
    onPage: (request, reply) => {
      request.svc.endpoint = '(page)';
      return pipeline.close(request.svc, reply);
    },
  });
  return server;
}

function createServer(
  { config, ids, log, metrics }: Deps,
  pipeline: ReturnType<typeof createPipeline>,
  { shed, gate }: { readonly shed: ReturnType<typeof createShedder>; readonly gate: Gate },
): FastifyInstance {
  const server = fastify({
    logger: false,
    genReqId: () => ids(),
    trustProxy: config.trustProxy.length > 0 && within(config.trustProxy),
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    // A path parameter of any length is checked later and returns the 404 of its record.
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    return503OnClosing: false,
    http: {
      headersTimeout: 15_000,
      // The interval at which Node checks request timeouts, so a body is cut off after 30 to 35 seconds.
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    clientErrorHandler(error, socket) {
      // Browsers open connections in advance, and would take a response on one for that of their next request.
      const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Socket).bytesRead === 0;
      if (!socket.writable || isUnused || error.code === 'ECONNRESET') return void socket.destroy();
      const requestId = ids();
      log.info({ requestId, status: 400, error: 'invalid_request', because: error.code });
      socket.end(rawError(requestId, 'The request is not valid HTTP.', config.docsOrigin));
      // Otherwise a client that sends slowly would keep its side of the connection open.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') (socket as Socket).destroySoon();
    },
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      const isRefused = refusesConnection(request.raw);
      if (isRefused) void reply.header('connection', 'close');
      const failure = isRefused ? new Failure('invalid_request') : toFailure(error, log, request.id);
      const state = pipeline.open(request.id, request.ip, request.method);
      void pipeline.close(state, reply as unknown as FastifyReply, failure);
      sendFailure(reply as unknown as FastifyReply, failure, {
        status: statusOf(failure.code),
        requestId: request.id,
        docsOrigin: config.docsOrigin,
      });
    },
  });
  const [serve] = server.server.listeners('request') as RequestListener[];
  server.server.removeAllListeners('request');
  server.server.on('request', (request, response) => {
    gate.pass(() => {
      if (!shed(request, response)) serve?.(request, response);
    });
  });
  // Requests without a response yet are held in memory, and a client may send requests without ever reading.
  const unanswered = new WeakMap<object, number>();
  server.server.prependListener('request', (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > UNANSWERED_PER_CONNECTION) socket.destroy();
    const leave = metrics.enter();
    response.once('close', () => {
      leave();
      unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
    });
  });
  // Drop clients that stopped reading, because their responses would stay in memory. Clients that wait for a response may wait.
  server.server.setTimeout(IDLE_MS, (socket) => {
    if (socket.writableLength > 0 || !unanswered.get(socket)) socket.destroy();
  });
  // By default Node stops reading headers at 2,000, so a second key after them would not be seen. Their size is limited.
  server.server.maxHeadersCount = 0;
  // An expectation other than 100-continue may be ignored (RFC 9110). Node would respond to it by itself.
  server.server.on('checkExpectation', (request, reply) => server.server.emit('request', request, reply));
  return server;
}

interface Gate {
  /** Runs it now, or when the gate opens. */
  pass(run: () => void): void;
  close(): void;
  readonly open: () => void;
}

function createGate(): Gate {
  let waiting: (() => void)[] | undefined;
  return {
    pass: (run) => void (waiting ? waiting.push(run) : run()),
    close() {
      waiting ??= [];
    },
    open() {
      const due = waiting ?? [];
      waiting = undefined;
      for (const run of due) run();
    },
  };
}

/** Helmet's headers, which are the same for every response and so are built once. */
function securityHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader(name: string, value: string) {
      headers[name] = value;
    },
    removeHeader() {},
  };
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  secure({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}

/** A cache that ignores `Authorization` or cookies would give the response to somebody else. */
const carriesCredential = (headers: IncomingHttpHeaders): boolean =>
  CREDENTIALS.some((name) => name in headers);
const CREDENTIALS = [
  'authorization',
  'x-api-key',
  'cookie',
  'x-session-token',
  'x-inbox-token',
  'x-inspection-token',
];

async function allowOrigins(server: FastifyInstance, { corsOrigins }: Config): Promise<void> {
  if (corsOrigins.length === 0) return;
  await server.register(cors, {
    origin: [...corsOrigins],
    methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    strictPreflight: false,
    maxAge: 600,
  });
}

/** Accepts only uncompressed JSON, or a form where the route allows it. Anything else is rejected with 415 before it is read. */
function addBodyParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const encoding = request.headers['content-encoding'] ?? 'identity';
      const type = request.headers['content-type'] ?? '';
      const form = request.svc.route?.form === true && isForm(type);
      if (bytes.length > 0 && (!(form || isJson(type)) || encoding !== 'identity')) {
        fail('unsupported_media_type');
      }
      request.svc.bodyHash = hash('sha256', bytes, 'hex');
      done(null, form ? readForm(bytes) : readJson(bytes, request.svc.route));
    } catch (error) {
      done(error as Error);
    }
  });
}

const refusedConnections = new WeakSet<object>();

/**
 * Whether a proxy could have understood the target or the end of this request differently: Node accepts a second Host, and
 * codings before `chunked`. Later requests on the same connection may be part of it, so they are rejected too.
 */
function refusesConnection({ rawHeaders, headers, socket }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  const coding = headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  if (hosts > 1 || coding !== 'chunked') refusedConnections.add(socket);
  return refusedConnections.has(socket);
}

/** Returns 404 and 405 before the body is read, because it does not matter there. */
function refuseUnknown(server: FastifyInstance, routes: readonly Route[]): void {
  const nearestPath = nearestPathOf(routes);
  const reject = (request: FastifyRequest, reply: FastifyReply): never => {
    const path = (request.raw.url ?? '').split('?', 1)[0] as string;
    const allowed = routes.filter((route) => matches(route.path, path)).flatMap(methodsOf);
    if (allowed.length === 0) {
      const nearest = nearestPath(path);
      fail(
        'not_found',
        nearest === undefined ? {} : { message: `No such endpoint. Did you mean ${nearest}?` },
      );
    }
    void reply.header('allow', [...new Set(allowed)].join(', '));
    return fail('method_not_allowed');
  };
  server.addHook('onRequest', (request, reply, done) => {
    // Node's own response to this would have neither our envelope nor a request id.
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      invalid('headers.host', 'is required');
    if (refusesConnection(request.raw)) {
      void reply.header('connection', 'close');
      fail('invalid_request', {
        message: 'The request needs one Host and no Transfer-Encoding but chunked.',
      });
    }
    if (request.is404) reject(request, reply);
    done();
  });
  server.setNotFoundHandler(reject);
}

/** Whether a path has the shape of a route's pattern. Only called if no route matched. */
function matches(pattern: string, path: string): boolean {
  const steps = pattern.split('/');
  const given = path.split('/');
  return (
    steps.length === given.length &&
    steps.every((step, at) => (step.startsWith(':') ? given[at] : step === given[at]))
  );
}

function mount(
  server: FastifyInstance,
  deps: Deps,
  pipeline: ReturnType<typeof createPipeline>,
  route: Route,
): void {
  const status = successStatus(route);
  const checkBody = compile('body', bodyOf(route) ?? EMPTY);
  const checkPhoneBody = takesPhone(route) ? compile('body', phoneBodyOf(route)) : checkBody;
  const querySchema = queryOf(route);
  const checkQuery = compile('query', querySchema);
  const hasBody = route.method !== 'GET';
  const media = route.replies[status];
  const replies = Object.entries(route.replies).filter(([, schema]) => typeof schema !== 'string');

  const check = (request: FastifyRequest) => {
    request.svc.params = readParams(route, request.params as Record<string, string>);
    if (route.raw) return;
    pipeline.admitPhone(request.svc, request.body);
    const query = readQuery(querySchema, request.query as Record<string, unknown>);
    request.query = query;
    const { keyPrincipal, devicePrincipal, isPhone } = request.svc;
    if ((keyPrincipal || devicePrincipal) && takesSession(route) && query.environment !== undefined)
      invalid(
        'query.environment',
        'is only for the dashboard: an API key or a device belongs to one environment',
      );
    if (hasBody && request.body === undefined) request.body = {};
    const issues: Issue[] = [
      ...textIssues(query),
      ...checkQuery(query),
      ...(hasBody ? (isPhone ? checkPhoneBody : checkBody)(request.body) : []),
    ];
    if (issues.length > 0) fail('invalid_request', { details: issues });
    pipeline.judge(request.svc, route, request);
  };

  server.route({
    method: methodsOf(route),
    url: route.path,
    bodyLimit: route.takesTemplate ? TEMPLATE_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES,
    schema: { response: Object.fromEntries(replies) },
    ...(route.compress && { onSend: compressReply }),
    onRequest: (request, reply) => {
      if (neverStored(route)) void reply.header('cache-control', 'no-store');
      void reply.headers(deprecationHeaders(route, deps.config));
      return runFor(request.svc, () => pipeline.admit(request.svc, route, request, reply));
    },
    preHandler: (request, _reply, done) => {
      const proceed = () => {
        check(request);
        done();
      };
      const turn = pipeline.resume(request.svc, route);
      if (turn === undefined) return proceed();
      turn.then(proceed).catch(done);
    },
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      runFor(request.svc, () => handle(request, reply)),
  });
  deps.log.trace({ method: route.method, path: route.path }, 'route');

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const context = pipeline.context(request.svc, route, request, reply);
    void reply.code(status);
    if (typeof media === 'string') void reply.type(media);
    const body = await pipeline.run(route, context, reply);
    if (body instanceof RawReply && (body.onlyReads || !context.isHead)) {
      await sendRaw(body, request, reply);
      void reply.code(reply.raw.statusCode);
      await pipeline.close(request.svc, reply);
      return reply;
    }
    if (body instanceof JsonText) void reply.type('application/json; charset=utf-8');
    const payload =
      body instanceof JsonText
        ? body.text
        : body instanceof StaticText
          ? body.prepare(request, reply)
          : context.isHead
            ? await withoutContent(body)
            : isAsyncIterable(body)
              ? await streamOf(body, deps.log, request.id)
              : body;
    await pipeline.close(request.svc, reply);
    return payload instanceof EventStream ? sendStream(deps, payload, request, reply) : payload;
  }
}

const methodsOf = ({ method, preflight }: Route) => [
  method,
  ...(method === 'GET' ? ['HEAD'] : []),
  ...(preflight ? ['OPTIONS'] : []),
];

/** What HEAD returns of a response that is produced while it is sent: nothing, and nothing of it begins. */
async function withoutContent(body: unknown): Promise<unknown> {
  if (body instanceof EventStream) body.onEnd();
  else if (isAsyncIterable(body)) await body[Symbol.asyncIterator]().return?.();
  else if (!(body instanceof RawReply)) return body;
  // Text would have a length, and the framework would serialize null.
  return Readable.from([]);
}

/** Response headers that pages of other origins may read, besides those that browsers always allow. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'idempotent-replayed',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-svc-tenant',
  'x-svc-plan',
];

const EMPTY = { type: 'object', properties: {}, additionalProperties: false } as unknown as TSchema;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A path parameter must be a canonical UUID, or have the form that its route declares. Any other form returns that record's 404
 * [http/ids].
 */
function readParams(route: Route, params: Record<string, string>): Record<string, string> {
  const { params: codes = {}, forms = {} } = route.schemas ?? {};
  const read = (name: string, value: string) => {
    const form = forms[name];
    if (form === undefined && UUID.test(value)) return value.toLowerCase();
    return form?.pattern.test(value) ? value : fail(codes[name] ?? 'not_found');
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, read(name, value)]));
}

function textIssues(query: Record<string, unknown>): Issue[] {
  return Object.entries(query)
    .filter(([name, value]) => !isCleanText(name) || (typeof value === 'string' && !isCleanText(value)))
    .map(() => ({ path: 'query', message: 'must not hold NUL or a lone surrogate' }));
}
