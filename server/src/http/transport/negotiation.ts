import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The smallest of these encodings that the client accepts; undefined for none. */
export function encodingOf(accepted = '', has: (encoding: Encoding) => boolean): Encoding | undefined {
  const entries = accepted.split(',').filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry));
  const names = entries.map((entry) => entry.trim().split(';', 1)[0]);
  return ENCODINGS.find((encoding) => names.includes(encoding) && has(encoding));
}

/** The quality of a media type that the client names itself; undefined if only a wildcard or nothing covers it. */
function qualityOf(accepted: string, type: string): number | undefined {
  for (const entry of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    if (name === type) return Number(parameters.find((part) => /^q=/.test(part))?.slice(2) ?? 1) || 0;
  }
  return undefined;
}

/** Whether the client names HTML and likes it better than JSON, as a browser does that opens an address. */
export const prefersHtml = (accepted = ''): boolean =>
  (qualityOf(accepted, 'text/html') ?? 0) > (qualityOf(accepted, 'application/json') ?? 0);

/** Adds a request header to `Vary`, and keeps those that are there. */
export function varyBy(reply: FastifyReply, name: string): void {
  const names = String(reply.getHeader('vary') ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  if (!names.some((entry) => entry.toLowerCase() === name))
    void reply.header('vary', [...names, name].join(', '));
}

/** A strong ETag: a hash of the bytes. */
export const etagOf = (bytes: Buffer): string => `"${hash('sha256', bytes, 'base64url')}"`;

/** Whether the client has this version already. A proxy may have made the tag weak. */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag) ?? false;

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
