/** The platform's gzip: Node, browsers and edge runtimes have the same streams for it. */

export function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(new CompressionStream('gzip'), bytes, Number.POSITIVE_INFINITY);
}

/** @throws RangeError beyond `mostBytes`, before more is held; TypeError for what is no gzip */
export function gunzip(bytes: Uint8Array<ArrayBuffer>, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return through(new DecompressionStream('gzip'), bytes, mostBytes);
}

async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = stream.writable.getWriter();
  // What fails here fails in the reader as well, and is thrown from there.
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => {});
  const reader = stream.readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > mostBytes) {
      reader.cancel().catch(() => {});
      throw new RangeError(`it unpacks to more than ${mostBytes} bytes`);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
