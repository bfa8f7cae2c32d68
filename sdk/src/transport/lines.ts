/** More than any line that the service sends: an event of the audit chain is below 32 KiB. */
const MOST_CHARACTERS = 262_144;

/**
 * The lines of a streamed answer, without their ends: LF, CR or CRLF, as event streams have them. What follows the last
 * end is dropped, for it was cut off. `heard` is called for everything that comes.
 * @throws RangeError for a line that never ends
 */
export async function* readLines(
  response: Response,
  heard: () => void = () => {},
): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard();
      rest += decoder.decode(value, { stream: true });
      // A CR at the end may be half of a CRLF.
      const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      const lines = whole.split(/\r\n|\n|\r/);
      rest = (lines.pop() as string) + rest.slice(whole.length);
      yield* lines;
      if (rest.length > MOST_CHARACTERS) throw new RangeError('a line of the stream is too long');
    }
  } finally {
    // Not waited for: a connection that hangs would keep us.
    reader.cancel().catch(() => {});
  }
}
