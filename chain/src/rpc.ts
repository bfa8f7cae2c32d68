import {
  createPublicClient,
  type HttpTransport,
  http,
  type PublicClient,
  ResponseBodyTooLargeError,
  TimeoutError,
} from 'viem';

/** The longest answer that is asked for is a block with the hashes of its transactions: some hundred kilobytes. */
const MOST_BYTES = 4_000_000;

/**
 * The one way to an RPC: nothing is tried twice, no redirect is followed, and `limitMs` is for the whole answer. The library's
 * own limit ends with the headers: whoever sends the rest drop by drop would be waited for without end.
 */
export const rpcAt = (url: string, limitMs: number): HttpTransport =>
  http(url, {
    timeout: 0,
    retryCount: 0,
    fetchFn: (_, init) => fetchWhole(url, { ...init, redirect: 'error' }, limitMs),
  });

/** Reads from an RPC. A contract's answer may send a client to other addresses (ERC-3668): this one goes nowhere. */
export const readerAt = (url: string, limitMs: number): PublicClient =>
  createPublicClient({ transport: rpcAt(url, limitMs), cacheTime: 0, ccipRead: false, pollingInterval: 500 });

/** The answer with all of its body; in every other case its connection is given up. */
async function fetchWhole(url: string, init: RequestInit, limitMs: number): Promise<Response> {
  const giveUp = new AbortController();
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const read = async () => {
    const { body: stream, status, headers } = await fetch(url, { ...init, signal: giveUp.signal });
    body = stream?.getReader();
    const pieces: Uint8Array[] = [];
    for (let size = 0; body !== undefined; ) {
      const { done, value } = await body.read();
      if (done) break;
      size += value.length;
      if (size > MOST_BYTES) throw new ResponseBodyTooLargeError({ maxSize: MOST_BYTES, size });
      pieces.push(value);
    }
    return new Response(Buffer.concat(pieces), { status, headers });
  };
  // The signal alone would not do: once there are headers, Node may collect what ties it to the body.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError({ body: {}, url: '' })), limitMs);
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
    giveUp.abort();
    body?.cancel().catch(() => {});
  }
}
