import { Readable } from 'node:stream';
import type { Log } from '../../base/telemetry/log.js';

/** A streamed response: text or bytes that are produced while they are sent. */
export const isAsyncIterable = (body: unknown): body is AsyncIterable<string | Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body && !(body instanceof Readable);

/**
 * Requests the next piece only when the client has read the previous one. The first piece is produced here, so that an
 * immediate failure still gets its own status. A later failure aborts the connection, so that a partial response never
 * looks complete.
 */
export async function streamOf(
  pieces: AsyncIterable<string | Uint8Array>,
  log: Log,
  requestId: string,
): Promise<Readable> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const pull = async () => {
    try {
      return await iterator.next();
    } catch (err) {
      log.error({ requestId, err }, 'response aborted');
      throw err;
    }
  };
  async function* all(): AsyncGenerator<string | Uint8Array> {
    try {
      for (let next = first; !next.done; next = await pull()) yield next.value;
    } finally {
      // The client may have disconnected, so let the producer stop.
      await iterator.return?.();
    }
  }
  return Readable.from(all());
}
