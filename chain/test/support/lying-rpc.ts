import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Answers in place of a node; `undefined`: the node is asked after all. */
export type Lie = (
  request: { readonly method: string; readonly params: readonly unknown[] },
  response: ServerResponse,
) => { readonly result: unknown } | { readonly error: unknown } | 'handled' | undefined;

export interface LyingRpc {
  readonly url: string;
  /** How many connections were opened, ever. */
  readonly connections: () => number;
  close(): void;
}

/** An RPC that says something else than its node, when it likes. */
export async function startLyingRpc(lie: Lie, node?: string): Promise<LyingRpc> {
  let connections = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const asked = JSON.parse(body);
    const said = lie(asked, response);
    if (said === 'handled') return;
    const headers = { 'content-type': 'application/json' };
    response.writeHead(200, headers);
    if (said !== undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...said }));
    else response.end(await (await fetch(node as string, { method: 'POST', body, headers })).text());
  };
  const server = createServer((request, response) => void answer(request, response));
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
