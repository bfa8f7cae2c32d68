import { Readable } from 'node:stream';
import type { Log } from '../../base/log.js';

/** A reply in pieces: text that is made while it is sent. */
export const isAsyncIterable = (body: unknown): body is AsyncIterable<string> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body && !(body instanceof Readable);

/**
 * The pieces as a stream that asks for the next one only when the client has taken the one before. The first is made
 * here: what fails at once is still answered with its own status. What fails later breaks the connection off, so that
 * half an answer never looks like a whole one.
 */
export async function streamOf(
  pieces: AsyncIterable<string>,
  log: Log,
  requestId: string,
): Promise<Readable> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const pull = async () => {
    try {
      return await iterator.next();
    } catch (err) {
      log.error({ requestId, err }, 'an answer broke off');
      throw err;
    }
  };
  async function* all(): AsyncGenerator<string> {
    try {
      for (let next = first; !next.done; next = await pull()) yield next.value;
    } finally {
      // The client may have left: whoever makes the pieces is told to stop.
      await iterator.return?.();
    }
  }
  return Readable.from(all());
}
