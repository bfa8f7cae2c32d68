import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { quietTurn } from '../base/concurrency/quiet-turn.js';
import type { Metrics } from '../base/telemetry/metrics.js';

const HEADERS_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 16;
/** For a response that is being sent while the process ends. */
const LAST_MS = 500;

/**
 * Serves only the metrics, on a separate port. They reveal how the service is used, so they are never served on the port
 * that clients reach.
 */
export async function serveMetrics(
  metrics: Metrics,
  address: { readonly port: number; readonly host: string },
): Promise<{ close(): Promise<void> }> {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: HEADERS_TIMEOUT_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (request, reply) => void respond(metrics, request, reply));
  server.listen(address);
  await once(server, 'listening');
  return {
    async close() {
      await quietTurn(server);
      setTimeout(() => server.closeAllConnections(), LAST_MS).unref();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function respond(metrics: Metrics, { method, url }: IncomingMessage, reply: ServerResponse) {
  if (url !== '/metrics') return reply.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD') return reply.writeHead(405, { allow: 'GET, HEAD' }).end();
  try {
    const text = await metrics.read();
    return reply
      .writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
      .end(text);
  } catch {
    return reply.writeHead(500).end();
  }
}
