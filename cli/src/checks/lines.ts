/** A line is too long, or not UTF-8. */
export class LineError extends Error {
  override readonly name = 'LineError';
}

/**
 * The lines of a stream of bytes. Holds one line at a time, of at most `maxBytes`, so memory use is constant for any
 * file. The last line may lack its end. A byte order mark and CRLF, which programs add that copy text, belong to no line.
 * @throws LineError for a line that is too long or not UTF-8
 */
export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<{ number: number; text: string }> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let number = 0;
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes) throw new LineError(`line ${number + 1} is longer than ${maxBytes} bytes`);
    pieces.push(piece);
  };
  const take = () => {
    number += 1;
    const line = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    try {
      const text = utf8.decode(line).replace(/\r$/, '');
      return { number, text: number === 1 ? text.replace(/^\uFEFF/, '') : text };
    } catch {
      throw new LineError(`line ${number} is not UTF-8`);
    }
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length > 0) yield take();
}
