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
  prepare({ headers }: FastifyRequest, reply: FastifyReply): Buffer | null {
    const encoding = encodingOf(headers['accept-encoding'], () => true);
    const { bytes, etag } = this.#forms[encoding ?? 'identity'];
    void reply.headers({
      etag,
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
      ...(encoding && { 'content-encoding': encoding }),
    });
    if (!isUnchanged(headers['if-none-match'], etag)) return bytes;
    void reply.code(304);
    return null;
  }
}
