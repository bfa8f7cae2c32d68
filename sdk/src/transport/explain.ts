import { readAddress } from '../codecs/address.js';
import { CONTRACT_VERSION } from '../generated/api.js';
import { type ErrorCode, NEXT_STEPS } from '../generated/errors.js';
import { SvcError, type SvcErrorCode, type SvcErrorFacts } from './errors.js';
import { maskKey, type Settings } from './options.js';

/** Converts failures into errors that name the cause and the next step. */

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/;
/** The maximum difference between a proof's time and the service's. */
const SKEW_MS = 300_000;

/** The innermost system error code of a failed fetch. Platforms nest it differently. */
function systemCode(error: unknown): string {
  let code = '';
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { code: own, cause, errors } = at as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof own === 'string') code = own;
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return code;
}

/** `fetch` itself failed, without any response. */
export function explainFetch(settings: Settings, operation: string, cause: unknown): SvcError {
  const { baseUrl } = settings;
  const code = systemCode(cause);
  const { hostname, protocol } = readAddress(baseUrl) ?? {};
  const unreachable = (text: string) => new SvcError('unreachable', text, { operation, cause });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return unreachable(
      `The host name ${hostname} cannot be resolved. Check the spelling in baseUrl and this machine's network.`,
    );
  if (code === 'ECONNREFUSED')
    return unreachable(
      `Nothing is listening at ${baseUrl}. Check that the service is running and that baseUrl has the right port.`,
    );
  if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT/.test(code))
    return unreachable(`The host of ${baseUrl} cannot be reached. Check baseUrl, firewalls and proxies.`);
  if (/CERT_(NOT_YET_VALID|HAS_EXPIRED)/.test(code))
    return unreachable(
      `The certificate of ${baseUrl} has expired or is not valid yet. This machine's time is ${new Date(settings.timing.now()).toISOString()}. ` +
        'If that is wrong, set the clock. Otherwise renew the certificate.',
    );
  if (CERTIFICATE.test(code))
    return unreachable(
      `This machine does not trust the certificate of ${baseUrl} (${code}). Check the host name in baseUrl. For a private certificate authority, set NODE_EXTRA_CA_CERTS.`,
    );
  if (/SSL|EPROTO/.test(code) && protocol === 'https:')
    return unreachable(
      `The server at ${baseUrl} does not speak TLS. Check the port, or use http: for a server on your own machine.`,
    );
  if (/^HPE_/.test(code))
    return new SvcError(
      'not_this_service',
      `The server at ${baseUrl} does not speak HTTP. Check the scheme and the port in baseUrl.`,
      {
        operation,
        cause,
      },
    );
  if (/ECONNRESET|EPIPE|UND_ERR_SOCKET/.test(code)) return explainCut(settings, operation, cause);
  return unreachable(
    `${baseUrl} could not be reached${code === '' ? '' : ` (${code})`}. Check baseUrl and the network. ` +
      'In a browser, also check that CORS_ORIGINS of the service contains the origin of this page.',
  );
}

/** The effect of a request without a response. */
const outcomeOf = (operation: string): string =>
  operation.startsWith('GET ')
    ? 'The request changes nothing, so you can send it again.'
    : 'The request may have taken effect. Check before you send it again.';

export const explainCut = ({ baseUrl }: Settings, operation: string, cause: unknown): SvcError =>
  new SvcError(
    'connection_cut',
    `The connection to ${baseUrl} broke before the response to ${operation} was complete. ${outcomeOf(operation)} ` +
      'If this repeats, check the port in baseUrl and the proxies between this machine and the service.',
    { operation, cause },
  );

export const explainTimeout = (
  { baseUrl, timeoutMs }: Settings,
  operation: string,
  ms = timeoutMs,
): SvcError =>
  new SvcError(
    'timed_out',
    `${baseUrl} sent no complete response to ${operation} within ${ms} ms. ${outcomeOf(operation)} If the network is slow, raise timeoutMs.`,
    { operation },
  );

/** The relevant parts of a response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A response that is not from the service, but a redirect, a proxy's page or another program. */
export function explainForeignResponse(
  settings: Settings,
  operation: string,
  { status, headers, text }: RawResponse,
): SvcError {
  const { baseUrl } = settings;
  const facts = { operation, status, retryAfterSeconds: retryAfter(headers, settings.timing.now()) };
  const type = headers.get('content-type')?.split(';', 1)[0] ?? 'no content type';
  const location = headers.get('location');
  if ((status >= 300 && status < 400) || status === 0)
    return new SvcError(
      'not_this_service',
      `${baseUrl} redirects${location === null ? '' : ` to ${originOf(location, baseUrl)}`}, and redirects are not followed. Set baseUrl to the address of the service itself.`,
      facts,
    );
  if ([502, 503, 504].includes(status))
    return new SvcError(
      'gateway_failed',
      `A proxy in front of ${baseUrl} returned ${status} (${type}): it gets no response from the service. Try again shortly. ` +
        'If it keeps failing, check the proxy and the service’s /api/health.',
      facts,
    );
  return new SvcError(
    'not_this_service',
    `The server at ${baseUrl} is not this service: it returned ${status}, ${type}${text === '' ? ', empty' : ''}. Check baseUrl. It is everything before /v1.`,
    facts,
  );
}

function originOf(location: string, base: string): string {
  try {
    return new URL(location, base).origin;
  } catch {
    return 'an invalid address';
  }
}

/** The body of every error response of the service. */
interface Envelope {
  readonly error: SvcErrorCode;
  readonly message: string;
  readonly requestId?: string;
  readonly docs?: string;
  readonly details?: SvcErrorFacts['details'];
  readonly hosted_url?: string;
}

export function isEnvelope(body: unknown): body is Envelope {
  const { error, message } = (body ?? {}) as Partial<Record<keyof Envelope, unknown>>;
  return typeof error === 'string' && typeof message === 'string';
}

/** What else is known about an error response. */
export interface Circumstances {
  readonly operation: string;
  readonly credential: 'key' | 'console' | 'none';
  readonly body: unknown;
  /** The server's time in Unix milliseconds, by its Date header. */
  readonly serverTime: number | undefined;
  /** The server's version, looked up when it does not know the operation. */
  readonly serverVersion: string | undefined;
}

/** An error of the service, with what the client knows about its cause. */
export function explainServiceError(
  settings: Settings,
  response: RawResponse,
  envelope: Envelope,
  about: Circumstances,
): SvcError {
  const isUnknown = envelope.error === 'not_found' || envelope.error === 'method_not_allowed';
  const retryAfterSeconds = retryAfter(response.headers, settings.timing.now());
  const requestId = envelope.requestId ?? response.headers.get('x-request-id') ?? undefined;
  const summary = isUnknown ? unknownOperation(settings, about) : envelope.message;
  const issues = envelope.details?.map(({ path, message }) => `${path} ${message}.`) ?? [];
  // The service's own message already names the first.
  const details = issues
    .filter((issue) => !summary.includes(issue))
    .map((issue) => ` ${issue}`)
    .join('');
  const context = contextOf(settings, envelope.error, about, retryAfterSeconds);
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return new SvcError(
    isUnknown ? 'server_too_old' : envelope.error,
    `${summary}${details}${context}${request}`,
    {
      operation: about.operation,
      serverMessage: envelope.message,
      status: response.status,
      requestId,
      retryAfterSeconds,
      details: envelope.details,
      hostedUrl: envelope.hosted_url,
      docs: envelope.docs?.startsWith('/') ? settings.baseUrl + envelope.docs : envelope.docs,
      next: isUnknown ? undefined : nextStepOf(envelope.error),
    },
  );
}

/** A newer server may return codes that the table lacks. */
const nextStepOf = (code: string): string | undefined =>
  Object.hasOwn(NEXT_STEPS, code) ? NEXT_STEPS[code as ErrorCode] : undefined;

function unknownOperation({ baseUrl }: Settings, { operation, serverVersion }: Circumstances): string {
  const server = serverVersion === undefined ? 'The server' : `The server (version ${serverVersion})`;
  return (
    `${server} at ${baseUrl} does not support ${operation}. This SDK is for version ${CONTRACT_VERSION}. ` +
    "Upgrade the server, or use the SDK of the server's version."
  );
}

/** What only the client knows about an error. General advice is in NEXT_STEPS. */
function contextOf(
  { baseUrl, apiKey, environment }: Settings,
  code: SvcErrorCode,
  { operation, credential, body, serverTime }: Circumstances,
  retryAfterSeconds: number | undefined,
): string {
  const key = apiKey === undefined ? 'none' : maskKey(apiKey);
  switch (code) {
    case 'invalid_api_key':
      return ` The key ${key} was sent to ${baseUrl}. Check that it was created there and is still active. The console lists all keys.`;
    case 'insufficient_scopes':
      return ` The request was sent with ${key}.`;
    case 'invalid_console_token':
      return ' Use svc.console.logIn.';
    case 'rate_limit_exceeded':
    case 'monthly_quota_exceeded':
    case 'service_unavailable':
      return retryAfterSeconds === undefined ? '' : ` Retry in ${retryAfterSeconds} s.`;
    case 'verification_failed':
      return operation === 'POST /v1/identity/verify' ? verificationHint(body, serverTime, environment) : '';
    default:
      // The record may be in the other environment, which the response doesn't reveal.
      return credential === 'key' && /_not_found$/.test(code) && environment !== undefined
        ? ` The key ${key} can only access the environment '${environment}'.`
        : '';
  }
}

function verificationHint(
  body: unknown,
  serverTime: number | undefined,
  environment: string | undefined,
): string {
  const { timestamp } = (body ?? {}) as { timestamp?: number | string };
  const claimed = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  const skew = claimed === undefined || serverTime === undefined ? 0 : claimed - serverTime;
  // The Date header counts whole seconds.
  if (Math.abs(skew) > SKEW_MS - 1000)
    return (
      ` Its timestamp is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'ahead of' : 'behind'} the server's clock, and at most 300 s are allowed. ` +
      'Use the timestamp of svc.identity.createNonce(), or set the clock.'
    );
  return (
    ' The service does not reveal the cause. Check that the DID is registered' +
    `${environment === undefined ? '' : ` in '${environment}'`}, that the nonce is fresh, and that the proof is bound to this account and nonce.`
  );
}

/** Retry-After in seconds, from either of its two forms. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
