const NEWLINE = 0x0a;

/** A line is longer than the format allows. */
export class LongLineError extends Error {
  override readonly name = 'LongLineError';
  readonly number: number;
  constructor(number: number) {
    super(`line ${number} is too long`);
    this.number = number;
  }
}

/**
 * The lines of a file, each ended by a newline; a last one without it is left out. Only line feeds end a line: JSON may contain the
 * other separators of Unicode. A byte order mark belongs to none. @throws LongLineError
 */
export async function* splitLines(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
      number += 1;
      const text = rest.toString('utf8', start, end);
      yield { number, text: number === 1 ? text.replace(/^\uFEFF/, '') : text };
      start = end + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > maxBytes) throw new LongLineError(number + 1);
  }
}
