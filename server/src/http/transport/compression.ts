import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingOf, varyBy } from './accept.js';

/** Compressing less costs more time than it saves bytes. */
const MIN_LENGTH = 1024;
/** At this quality, brotli is as fast as gzip and its output is smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * An `onSend` hook that compresses the JSON of a successful response, on the thread pool. Streams and bytes pass unchanged. It is
 * only added to routes with `compress`, because the size of a compressed response can reveal a secret next to text that an
 * attacker chose (BREACH).
 */
export function compressReply(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  varyBy(reply, 'accept-encoding');
  const isLong = typeof payload === 'string' && payload.length >= MIN_LENGTH && reply.statusCode === 200;
  const encoding = isLong ? encodingOf(headers['accept-encoding'], () => true) : undefined;
  if (encoding === undefined) {
    done(null, payload);
    return;
  }
  const finish = (error: Error | null, bytes: Buffer) => {
    if (error === null) void reply.header('content-encoding', encoding);
    done(error, bytes);
  };
  if (encoding === 'br') brotliCompress(payload as string, BROTLI, finish);
  else gzip(payload as string, finish);
}
