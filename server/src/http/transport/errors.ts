import type { FastifyError, FastifyReply } from 'fastify';
import { envelope, Failure } from '../../base/errors.js';
import type { Log } from '../../base/telemetry/log.js';
import { DatabaseUnavailableError } from '../../db/db.js';
import type { ErrorCode } from '../../model/errors.js';

const RETRY_AFTER_SECONDS = 2;

/** Errors of fastify and Node, as our error codes. */
const FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  /** The client disconnected before its body ended. */
  ECONNRESET: 'invalid_request',
};

/** Converts every error to a `Failure`. Unexpected errors become 500 and are logged in full. */
export function toFailure(error: unknown, log: Log, requestId: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof DatabaseUnavailableError) {
    log.error({ requestId, err: error.cause ?? error }, 'database unavailable');
    return new Failure('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const code = FRAMEWORK[(error as FastifyError | undefined)?.code ?? ''];
  if (code !== undefined) return new Failure(code);
  log.error({ requestId, err: error }, 'unexpected error');
  return new Failure('internal_error');
}

/** Sends the envelope with its status and Retry-After. */
export function sendFailure(
  reply: FastifyReply,
  failure: Failure,
  {
    status,
    requestId,
    docsOrigin,
  }: { readonly status: number; readonly requestId: string; readonly docsOrigin: string },
): FastifyReply {
  if (status === 429 || status === 503) {
    void reply.header('retry-after', String(failure.options.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(envelope(failure, requestId, docsOrigin));
}

/** The bytes of a response to a request that is not valid HTTP. They are sent on the socket, which is then closed. */
export function rawError(requestId: string, message: string, docsOrigin: string): string {
  const body = JSON.stringify(envelope(new Failure('invalid_request', { message }), requestId, docsOrigin));
  return [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
