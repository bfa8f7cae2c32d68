import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.js';
import type { EventStream } from './sse.js';

/**
 * Sends events until the stream ends. The headers are sent immediately, bypassing the framework, which would wait for a
 * body. They forbid proxies to buffer or store the response. The connection ends with the stream.
 */
export function sendStream(
  { streams, log }: Pick<Deps, 'streams' | 'log'>,
  stream: EventStream,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  void reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' });
  void reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.flushHeaders();
  streams
    .run(stream, reply.raw)
    .catch((err: unknown) => log.warn({ requestId: request.id, err }, 'event stream aborted'));
  return reply;
}
