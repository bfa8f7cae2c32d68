import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ChainClient, createChainClient } from '@svc/chain/client';
import { deploy } from '@svc/chain/deploy';
import { type Anvil, gasOf, KEYS, startAnvil } from '../../../../chain/test/support/anvil.js';

/** What the way to the chain does with a request. `slow` answers once the weather has changed. */
export type Weather =
  | 'fair'
  | 'slow'
  | 'down'
  | 'too many requests'
  | 'garbage'
  | 'answers lost after the send'
  | 'transactions swallowed';

/** A local chain with the contracts on it, under an id of its own, behind a way that can be disturbed. */
export interface TestChain {
  readonly anvil: Anvil;
  readonly client: ChainClient;
  readonly settings: Parameters<typeof createChainClient>[0];
  weather: Weather;
  /** What the node says a transaction takes; it then refuses one that brings less. */
  gas: bigint | undefined;
  /** Resolves with the next request that asks for that; without a name, with the next one. */
  isAsked(method?: string): Promise<void>;
  /** Keeps back the next request of that method, or its answer; whoever asks waits until the way is closed. */
  holdNext(method: string, what: 'request' | 'answer'): Promise<void>;
  killNode(): Promise<void>;
  /** An empty chain at the same address, with the contracts on it again. */
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
    // So that a reorganisation does not reach the contracts.
    await anvil.rpc.mine({ blocks: 4 });
    return deployment;
  };
  const { contracts } = await deployed();
  const way = await openWay(anvil.url);
  const settings = {
    rpcUrl: `${way.url}/key-in-the-path`,
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
    get weather() {
      return way.weather;
    },
    set weather(weather) {
      way.change(weather);
    },
    get gas() {
      return way.gas.needed;
    },
    set gas(needed) {
      way.gas.needed = needed;
    },
    isAsked: way.isAsked,
    holdNext: way.holdNext,
    killNode: () => anvil.stop(),
    async restartNode() {
      await anvil.stop();
      anvil = await startAnvil(args, anvil.port);
      await deployed();
    },
    async close() {
      way.close();
      await anvil.stop();
    },
  };
}

type Hold = { readonly method: string; readonly what: 'request' | 'answer'; readonly held: () => void };

/** Stands between a client and the node. */
async function openWay(node: string) {
  let weather: Weather = 'fair';
  let waiting: (() => void)[] = [];
  let listeners: { readonly method: string | undefined; readonly heard: () => void }[] = [];
  let hold: Hold | undefined;
  const gas: { needed: bigint | undefined } = { needed: undefined };

  const forward = (body: string) =>
    fetch(node, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      .then((reply) => reply.text())
      .catch(() => undefined);

  async function answer(body: string, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { method, id, params } = JSON.parse(body) as {
      method: string;
      id: number;
      params: string[];
    };
    const isSend = method === 'eth_sendRawTransaction';
    for (const listener of listeners) if ((listener.method ?? method) === method) listener.heard();
    listeners = listeners.filter((listener) => (listener.method ?? method) !== method);
    const held = hold?.method === method ? hold : undefined;
    if (held) hold = undefined;
    if (held?.what === 'request') return held.held();
    while (weather === 'slow') await new Promise<void>((resolve) => waiting.push(resolve));
    if (weather === 'down') return request.socket.destroy();
    if (weather === 'too many requests') return response.writeHead(429).end('slow down');
    if (weather === 'garbage') return response.end('<html>');
    if (weather === 'transactions swallowed' && isSend)
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${'1'.repeat(64)}` }));
    if (gas.needed !== undefined && method === 'eth_estimateGas')
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${gas.needed.toString(16)}` }));
    if (gas.needed !== undefined && isSend && gasOf(params[0] ?? '').gas < gas.needed)
      return response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'intrinsic gas too low' } }),
      );
    const reply = await forward(body);
    if (held) return held.held();
    if (reply === undefined || (weather === 'answers lost after the send' && isSend))
      return request.socket.destroy();
    return response.end(reply);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(Buffer.concat(chunks).toString(), request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const change = (next: Weather) => {
    weather = next;
    const late = waiting;
    waiting = [];
    for (const go of late) go();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get weather() {
      return weather;
    },
    change,
    gas,
    isAsked: (method?: string) => new Promise<void>((heard) => listeners.push({ method, heard })),
    holdNext: (method: string, what: Hold['what']) =>
      new Promise<void>((held) => {
        hold = { method, what, held };
      }),
    close() {
      change('down');
      server.closeAllConnections();
      server.close();
    },
  };
}
