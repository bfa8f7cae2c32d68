import { patiently } from '@svc/zk/patiently';
import {
  createPublicClient,
  type HttpTransport,
  http,
  type PublicClient,
  ResponseBodyTooLargeError,
  TimeoutError,
} from 'viem';

/** The longest expected response is a block with the hashes of its transactions, a few hundred kilobytes. */
const MAX_RESPONSE_BYTES = 4_000_000;

/**
 * Transport for all RPC requests, without retries and redirects. `timeoutMs` covers the whole response. The library's own
 * timeout ends with the headers, so an RPC that sends the body slowly could delay us forever.
 */
export const rpcTransport = (url: string, timeoutMs: number): HttpTransport =>
  http(url, {
    timeout: 0,
    retryCount: 0,
    fetchFn: (_, init) => fetchWhole(url, { ...init, redirect: 'error' }, timeoutMs),
  });

/** A client that reads from an RPC. It doesn't follow off-chain lookups, which a contract could request (ERC-3668). */
export const createRpcClient = (url: string, timeoutMs: number): PublicClient =>
  createPublicClient({
    transport: rpcTransport(url, timeoutMs),
    cacheTime: 0,
    ccipRead: false,
    pollingInterval: 500,
  });

/** Fetches a response with its whole body, and always closes the connection if that fails. */
async function fetchWhole(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  const controller = new AbortController();
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const read = async () => {
    const { body: stream, status, headers } = await fetch(url, { ...init, signal: controller.signal });
    body = stream?.getReader();
    const pieces: Uint8Array[] = [];
    for (let size = 0; body !== undefined; ) {
      const { done, value } = await body.read();
      if (done) break;
      size += value.length;
      if (size > MAX_RESPONSE_BYTES)
        throw new ResponseBodyTooLargeError({ maxSize: MAX_RESPONSE_BYTES, size });
      pieces.push(value);
    }
    return new Response(Buffer.concat(pieces), { status, headers });
  };
  // The signal alone is not enough: after the headers, Node may garbage-collect the link between signal and body.
  let cancel = () => {};
  const timeout = new Promise<never>((_, reject) => {
    cancel = patiently(timeoutMs, () => reject(new TimeoutError({ body: {}, url: '' })));
  });
  try {
    return await Promise.race([read(), timeout]);
  } finally {
    cancel();
    controller.abort();
    body?.cancel().catch(() => {});
  }
}
