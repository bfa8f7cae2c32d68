import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The result of a handler of a raw route: what reads the request and writes the response itself. */
export class RawReply {
  readonly run: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Whether it only reads. Nothing else runs for HEAD. */
  readonly onlyReads: boolean;

  constructor(run: RawReply['run'], onlyReads = false) {
    this.run = run;
    this.onlyReads = onlyReads;
  }
}

/** Runs it with the headers that were set so far. Resolves when the response has been written. */
export async function sendRaw(raw: RawReply, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const headers = Object.entries(reply.getHeaders());
  void reply.hijack();
  for (const [name, value] of headers) if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.removeHeader('content-type');
  await raw.run(request.raw, reply.raw);
}
