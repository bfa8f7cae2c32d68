import { ERRORS, type ErrorRecord } from '@svc/server/model/errors';
import { Failure, type FailureKind, UsageError } from './failure.js';
import { plain } from './terminal.js';
import { VERSION } from './version.js';

const ANSWER_MS = 30_000;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Call {
  /** An API key or a console token. */
  readonly as?: string | undefined;
  /** The access token of a person's session. */
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** For an answer that goes on: how long it may. */
  readonly timeoutMs?: number;
}

/** What the service said, refusals included. */
export interface Answer {
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: callers read what the contract says is there
  readonly body: any;
  readonly requestId: string | undefined;
  /** The body as it came. */
  readonly text: string;
}

/** A JSON client of one server. */
export interface Client {
  readonly baseUrl: string;
  /** The answer, whatever it is. @throws Failure when no service gave one */
  ask(method: Method, path: string, call?: Call): Promise<Answer>;
  /** The body of a 2xx. @throws Failure for a refusal as well */
  call<T>(method: Method, path: string, call?: Call): Promise<T>;
  /** The body of a 2xx that is no JSON, to be read as it comes. */
  download(path: string, call?: Call): Promise<ReadableStream<Uint8Array>>;
}

/** An origin: what comes after it is ours to say. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      'The base URL must begin with http:// or https://, such as http://localhost:3000. Set BASE_URL or --base-url.',
    );
  if (url.pathname !== '/' || url.search + url.hash + url.username !== '')
    throw new UsageError(
      `The base URL must be an origin without a path or a login: ${url.origin}. Set BASE_URL or --base-url.`,
    );
  return url.origin;
}

export function createClient(baseUrl: string, answerMs = ANSWER_MS): Client {
  const send = async (
    method: Method,
    path: string,
    { as, session, headers, body, timeoutMs = answerMs }: Call = {},
  ) => {
    // Not AbortSignal.timeout: that one lets the process end while a connection that broke early is still waited for.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), timeoutMs);
    const init: RequestInit = {
      method,
      // A key is never carried on to where somebody else points.
      redirect: 'manual',
      signal: late.signal,
      headers: {
        ...(as && { authorization: `Bearer ${as}` }),
        ...(session && { 'x-session-token': session }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const reply = await fetch(new URL(path, baseUrl), init)
      .catch((error: unknown) => {
        throw unreachable(baseUrl, error);
      })
      .finally(() => timer.unref());
    if (reply.status >= 300 && reply.status < 400) {
      const location = reply.headers.get('location') ?? '';
      const to = URL.canParse(location, baseUrl) && new URL(location, baseUrl).origin;
      throw new Failure(
        'unreachable',
        `${baseUrl} sends its callers on${to ? ` to ${to}` : ''}. Set BASE_URL to where the service itself answers.`,
      );
    }
    return reply;
  };

  const ask: Client['ask'] = async (method, path, call) => {
    const reply = await send(method, path, call);
    return answerIn(method, path, reply);
  };

  const answerIn = async (method: Method, path: string, reply: Response): Promise<Answer> => {
    const answer = await readAnswer(reply).catch((error: unknown) => {
      throw unreachable(baseUrl, error);
    });
    if (answer === undefined) throw new Failure('unreachable', notTheService(baseUrl, reply));
    return { method, path, status: reply.status, headers: reply.headers, ...answer };
  };

  const client: Client = {
    baseUrl,
    ask,
    async call<T>(method: Method, path: string, call?: Call) {
      const answer = await ask(method, path, call);
      if (answer.status >= 400) throw await refusalOf(client, answer);
      return answer.body as T;
    },
    async download(path, call) {
      const reply = await send('GET', path, call);
      if (reply.ok && reply.body !== null && reply.headers.has('x-request-id')) return reply.body;
      if (reply.ok) throw new Failure('unreachable', notTheService(baseUrl, reply));
      throw await refusalOf(client, await answerIn('GET', path, reply));
    },
  };
  return client;
}

/** Undefined when it is not the service that answered. */
async function readAnswer(reply: Response): Promise<Pick<Answer, 'body' | 'requestId' | 'text'> | undefined> {
  const requestId = reply.headers.get('x-request-id') ?? undefined;
  const text = await reply.text();
  try {
    const body = JSON.parse(text);
    const isOurs = requestId !== undefined && (reply.ok || typeof body?.error === 'string');
    return isOurs ? { body, requestId, text } : undefined;
  } catch {
    return undefined;
  }
}

function notTheService(baseUrl: string, { status }: Response): string {
  return [502, 503, 504].includes(status)
    ? `What stands in front of the service at ${baseUrl} answered ${status}: a proxy that does not reach it. Try again, or ask whoever runs it.`
    : `Something answers at ${baseUrl} (status ${status}), and it is not this service. Check BASE_URL.`;
}

const START = 'Start the server with `npm start` or `svc serve`, or set BASE_URL to where it answers.';

/** By the code that Node gives the cause; what we do not know is told as it is. */
const CAUSES: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/^ECONNREFUSED$/, (host) => `Nothing listens at ${host}. ${START}`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, (host) => `There is no host of the name in ${host}. Check BASE_URL.`],
  [
    /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|TimeoutError)$/,
    (host) => `${host} does not answer in time. Check BASE_URL, the network, and that the server runs.`,
  ],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|EPROTO|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/,
    (host) => `${host} does not speak TLS. Set BASE_URL to http:// instead of https://.`,
  ],
  [
    /^HPE_/,
    (host) =>
      `What answers at ${host} does not speak HTTP. Check BASE_URL: a server with TLS needs https://.`,
  ],
  [
    /CERT|^UNABLE_TO_|SELF_SIGNED/,
    (host) =>
      `The certificate of ${host} is not trusted. Give Node the authority with NODE_EXTRA_CA_CERTS, or check BASE_URL.`,
  ],
  [
    /^(ECONNRESET|UND_ERR_SOCKET|EPIPE)$/,
    (host) => `${host} broke the connection off. Try again; a proxy in between may cut it.`,
  ],
];

function unreachable(baseUrl: string, error: unknown): Failure {
  const { name, cause } = error as Error;
  const { code = name, message = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  // Several addresses, several causes: they agree, or the first is as good as any.
  const [first] = ((cause as AggregateError | undefined)?.errors ?? []) as NodeJS.ErrnoException[];
  const reason = first?.code ?? code;
  const known = CAUSES.find(([pattern]) => pattern.test(reason));
  const said = known ? known[1](baseUrl) : `${baseUrl} cannot be reached: ${message || reason}. ${START}`;
  const failure = new Failure('unreachable', said);
  failure.cause = reason;
  return failure;
}

const KIND_OF_STATUS: Readonly<Record<number, FailureKind>> = { 429: 'later', 503: 'later' };
const CREDENTIAL = new Set([
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scopes',
  'tenant_inactive',
  'invalid_credentials',
  'invalid_console_token',
]);

/** A refusal as a sentence: what was asked, what was answered, what to do. */
export async function refusalOf(client: Client, answer: Answer, next?: string): Promise<Failure> {
  const { method, path, status, headers, body, requestId } = answer;
  const error = String(body?.error);
  const refusal = { status, error, requestId };
  if (error === 'not_found' || error === 'method_not_allowed')
    return new Failure('unreachable', await otherVersion(client, `${method} ${pathOnly(path)}`), refusal);
  const kind = CREDENTIAL.has(error) ? 'credential' : (KIND_OF_STATUS[status] ?? 'refused');
  const seconds = headers.get('retry-after');
  const message = String(body?.message ?? '');
  const issues: string[] = (body?.details ?? []).map(
    (issue: { path: string; message: string }) => `${issue.path} ${issue.message}.`,
  );
  const parts = [
    `${method} ${pathOnly(path)} answered ${status} ${plain(error)}: ${plain(message)}`,
    // The message already names the first.
    ...issues.filter((issue) => !message.includes(issue)).map(plain),
    ...(seconds === null ? [] : [`Try again in ${seconds} s.`]),
    next ?? nextStep(error, issues.length > 0 || seconds !== null),
    requestId && `(request ${plain(requestId)})`,
  ];
  return new Failure(kind, parts.filter(Boolean).join(' '), refusal);
}

/** What to do about a code. Listed fields and a time to wait already say what the general step would. */
function nextStep(error: string, isSaid: boolean): string | undefined {
  const record = (ERRORS as Readonly<Record<string, ErrorRecord>>)[error];
  return record?.cli ?? (isSaid ? undefined : record?.next);
}

const pathOnly = (path: string) => path.split('?', 1)[0];

/** The service is there and does not know what every version since this one does. */
export async function otherVersion(client: Client, what: string): Promise<string> {
  const { body } = await client.ask('GET', '/api/health');
  const version = typeof body?.version === 'string' ? plain(body.version) : 'an unknown version';
  return version === VERSION
    ? `The server at ${client.baseUrl} does not know ${what}. Is it this service, or a proxy that lets only some paths through?`
    : `The server at ${client.baseUrl} is version ${version} and does not know ${what}, which this command line (${VERSION}) needs. Update the server, or use the command line of its version.`;
}
