/** Longer than any line that the service sends. An event of the audit chain is below 32 KiB. */
const MAX_CHARACTERS = 262_144;

/**
 * The lines of a streamed response, without line ends, which are LF, CR or CRLF as in event streams. Drops an incomplete last
 * line. Calls `onChunk` for each received chunk.
 * @throws RangeError for a line that is too long
 */
export async function* readLines(
  response: Response,
  onChunk: () => void = () => {},
): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onChunk();
      rest += decoder.decode(value, { stream: true });
      // A CR at the end may be half of a CRLF.
      const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      const lines = whole.split(/\r\n|\n|\r/);
      rest = (lines.pop() as string) + rest.slice(whole.length);
      yield* lines;
      if (rest.length > MAX_CHARACTERS) throw new RangeError('a line of the stream is too long');
    }
  } finally {
    // Not awaited, because a hanging connection would block.
    reader.cancel().catch(() => {});
  }
}
