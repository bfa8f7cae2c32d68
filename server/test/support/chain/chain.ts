import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ChainClient, createChainClient } from '@svc/chain/client';
import { deploy } from '@svc/chain/deploy';
import { type Anvil, gasOf, KEYS, startAnvil } from '../../../../chain/test/support/anvil.js';

/** What the proxy to the node does with a request. `slow` delays the response until the fault changes. */
export type ChainFault =
  | 'none'
  | 'slow'
  | 'down'
  | 'too many requests'
  | 'garbage'
  | 'replies lost after the send'
  | 'transactions dropped';

/** A local blockchain with the contracts and its own chain id, behind a proxy that can inject faults. */
export interface TestChain {
  readonly anvil: Anvil;
  readonly client: ChainClient;
  readonly settings: Parameters<typeof createChainClient>[0];
  fault: ChainFault;
  /** The gas that the node estimates for a transaction. It rejects a transaction with less. */
  gas: bigint | undefined;
  /** Resolves at the next request of that method, or of any method. */
  nextRequest(method?: string): Promise<void>;
  /** Holds the next request of that method, or its response, until the proxy is closed. */
  holdNext(method: string, what: 'request' | 'response'): Promise<void>;
  killNode(): Promise<void>;
  /** Restarts with an empty blockchain at the same address, with the contracts deployed again. */
  restartNode(): Promise<void>;
  close(): Promise<void>;
}

let chains = 0;

export async function startChain(): Promise<TestChain> {
  chains += 1;
  const chainId = 700_000 + (process.pid % 1_000) * 100 + chains;
  const args = ['--chain-id', String(chainId)];
  let anvil = await startAnvil(args);
  const deployed = async () => {
    const deployment = await deploy({ rpcUrl: anvil.url, privateKey: KEYS.relayer });
    // Keeps the contracts out of reach of a reorganisation.
    await anvil.rpc.mine({ blocks: 4 });
    return deployment;
  };
  const { contracts } = await deployed();
  const proxy = await openProxy(anvil.url);
  const settings = {
    rpcUrl: `${proxy.url}/key-in-the-path`,
    chainId,
    privateKey: KEYS.relayer,
    contracts,
  };
  return {
    settings,
    client: createChainClient(settings),
    get anvil() {
      return anvil;
    },
    get fault() {
      return proxy.fault;
    },
    set fault(fault) {
      proxy.change(fault);
    },
    get gas() {
      return proxy.gas.needed;
    },
    set gas(needed) {
      proxy.gas.needed = needed;
    },
    nextRequest: proxy.nextRequest,
    holdNext: proxy.holdNext,
    killNode: () => anvil.stop(),
    async restartNode() {
      await anvil.stop();
      anvil = await startAnvil(args, anvil.port);
      await deployed();
    },
    async close() {
      proxy.close();
      await anvil.stop();
    },
  };
}

type Hold = { readonly method: string; readonly what: 'request' | 'response'; readonly onHeld: () => void };

/** A proxy between a client and the node. */
async function openProxy(node: string) {
  let fault: ChainFault = 'none';
  let waiting: (() => void)[] = [];
  let listeners: { readonly method: string | undefined; readonly onRequest: () => void }[] = [];
  let hold: Hold | undefined;
  const gas: { needed: bigint | undefined } = { needed: undefined };

  const forward = (body: string) =>
    fetch(node, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      .then((reply) => reply.text())
      .catch(() => undefined);

  async function respond(body: string, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { method, id, params } = JSON.parse(body) as {
      method: string;
      id: number;
      params: string[];
    };
    const isSend = method === 'eth_sendRawTransaction';
    for (const listener of listeners) if ((listener.method ?? method) === method) listener.onRequest();
    listeners = listeners.filter((listener) => (listener.method ?? method) !== method);
    const held = hold?.method === method ? hold : undefined;
    if (held) hold = undefined;
    if (held?.what === 'request') return held.onHeld();
    while (fault === 'slow') await new Promise<void>((resolve) => waiting.push(resolve));
    if (fault === 'down') return request.socket.destroy();
    if (fault === 'too many requests') return response.writeHead(429).end('slow down');
    if (fault === 'garbage') return response.end('<html>');
    if (fault === 'transactions dropped' && isSend)
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${'1'.repeat(64)}` }));
    if (gas.needed !== undefined && method === 'eth_estimateGas')
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${gas.needed.toString(16)}` }));
    if (gas.needed !== undefined && isSend && gasOf(params[0] ?? '').gas < gas.needed)
      return response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'intrinsic gas too low' } }),
      );
    const reply = await forward(body);
    if (held) return held.onHeld();
    if (reply === undefined || (fault === 'replies lost after the send' && isSend))
      return request.socket.destroy();
    return response.end(reply);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void respond(Buffer.concat(chunks).toString(), request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const change = (next: ChainFault) => {
    fault = next;
    const released = waiting;
    waiting = [];
    for (const resume of released) resume();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get fault() {
      return fault;
    },
    change,
    gas,
    nextRequest: (method?: string) => new Promise<void>((onRequest) => listeners.push({ method, onRequest })),
    holdNext: (method: string, what: Hold['what']) =>
      new Promise<void>((onHeld) => {
        hold = { method, what, onHeld };
      }),
    close() {
      change('down');
      server.closeAllConnections();
      server.close();
    },
  };
}
