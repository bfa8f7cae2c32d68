import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encodingOf, varyBy } from './accept.js';
import { isUnchanged } from './entity-tags.js';

/** A strong ETag: a hash of the bytes. */
export const etagOf = (bytes: Buffer): string => `"${hash('sha256', bytes, 'base64url')}"`;

interface Form {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A text that is the same for every caller. It is compressed once and sent in an encoding that the client accepts. */
export class StaticText {
  readonly #forms: Readonly<Record<Encoding | 'identity', Form>>;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const form = (own: Buffer): Form => ({ bytes: own, etag: etagOf(own) });
    this.#forms = {
      identity: form(bytes),
      gzip: form(gzipSync(bytes)),
      br: form(brotliCompressSync(bytes, { params: quality })),
    };
  }

  /** Sets the response headers and returns the body; none, with status 304, if the client has this version already. */
  prepare(request: FastifyRequest, reply: FastifyReply): Buffer | null {
    const { bytes, etag } = this.#negotiate(request, reply);
    void reply.headers({ etag, 'cache-control': 'no-cache' });
    if (!isUnchanged(request.headers['if-none-match'], etag)) return bytes;
    void reply.code(304);
    return null;
  }

  /** As `prepare`, for an error, which is always sent whole. */
  prepareError(request: FastifyRequest, reply: FastifyReply): Buffer {
    void reply.header('cache-control', 'no-cache');
    return this.#negotiate(request, reply).bytes;
  }

  #negotiate({ headers }: FastifyRequest, reply: FastifyReply): Form {
    const encoding = encodingOf(headers['accept-encoding'], () => true);
    varyBy(reply, 'accept-encoding');
    if (encoding !== undefined) void reply.header('content-encoding', encoding);
    return this.#forms[encoding ?? 'identity'];
  }
}
