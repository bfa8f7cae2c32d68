/** A line is too long, or not UTF-8. */
export class LineError extends Error {
  override readonly name = 'LineError';
}

/** Lines that follow each other. */
export interface Lines {
  /** The number of the first of them. */
  readonly first: number;
  readonly texts: readonly string[];
}

/**
 * The lines of a stream of bytes, all of a chunk together. Holds a line of at most `maxBytes` beside the chunk, so memory use is
 * constant for any file. The last line may lack its end. A byte order mark and CRLF, which programs add that copy text, belong to no line.
 * @throws LineError for a line that is too long or not UTF-8, after those before it
 */
export async function* readBlocks(bytes: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Lines> {
  let first = 1;
  let rest: Buffer[] = [];
  let length = 0;
  const hold = (piece: Buffer) => {
    rest = [...rest, piece];
    length += piece.length;
    if (length > maxBytes) throw tooLong(first, maxBytes);
  };
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(LINE_BREAK);
    if (end !== -1) {
      const { texts, error } = decode(Buffer.concat([...rest, chunk.subarray(0, end)]), first, maxBytes);
      yield { first, texts };
      if (error !== undefined) throw error;
      first += texts.length;
      rest = [];
      length = 0;
    }
    if (end + 1 < chunk.length) hold(chunk.subarray(end + 1));
  }
  if (length === 0) return;
  const { texts, error } = decode(Buffer.concat(rest), first, maxBytes);
  yield { first, texts };
  if (error !== undefined) throw error;
}

/** The same, one line after another. */
export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<{ number: number; text: string }> {
  for await (const { first, texts } of readBlocks(bytes, maxBytes))
    for (const [at, text] of texts.entries()) yield { number: first + at, text };
}

const LINE_BREAK = 10;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const tooLong = (number: number, maxBytes: number) =>
  new LineError(`line ${number} is longer than ${maxBytes} bytes`);

/** The lines of a block, up to the first that is none. */
function decode(block: Buffer, first: number, maxBytes: number): { texts: string[]; error?: LineError } {
  if (block.length <= maxBytes)
    try {
      return { texts: utf8.decode(block).split('\n').map(bare(first)) };
    } catch {
      // Some line is not UTF-8. The others are still read.
    }
  const texts: string[] = [];
  for (let from = 0; from <= block.length; ) {
    const number = first + texts.length;
    const found = block.indexOf(LINE_BREAK, from);
    const line = block.subarray(from, found === -1 ? block.length : found);
    if (line.length > maxBytes) return { texts, error: tooLong(number, maxBytes) };
    try {
      texts.push(bare(number)(utf8.decode(line), 0));
    } catch {
      return { texts, error: new LineError(`line ${number} is not UTF-8`) };
    }
    from += line.length + 1;
  }
  return { texts };
}

/** Without what belongs to no line. */
const bare =
  (first: number) =>
  (line: string, at: number): string => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    return first + at === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  };
