import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Responds instead of a node. `undefined` forwards the request to the node. */
export type Lie = (
  request: { readonly method: string; readonly params: readonly unknown[] },
  response: ServerResponse,
) => { readonly result: unknown } | { readonly error: unknown } | 'handled' | undefined;

export interface LyingRpc {
  readonly url: string;
  /** The number of connections opened so far. */
  readonly connections: () => number;
  close(): void;
}

/** An RPC that can return something else than its node. */
export async function startLyingRpc(lie: Lie, node?: string): Promise<LyingRpc> {
  let connections = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const call = JSON.parse(body);
    const result = lie(call, response);
    if (result === 'handled') return;
    const headers = { 'content-type': 'application/json' };
    response.writeHead(200, headers);
    if (result !== undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...result }));
    else response.end(await (await fetch(node as string, { method: 'POST', body, headers })).text());
  };
  const server = createServer((request, response) => void respond(request, response));
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/key-in-the-path`,
    connections: () => connections,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
