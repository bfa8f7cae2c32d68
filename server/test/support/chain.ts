import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ChainClient, createChainClient } from '@svc/chain/client';
import { deploy } from '@svc/chain/deploy';
import { type Anvil, KEYS, startAnvil } from '../../../chain/test/support/anvil.js';

/** What the way to the chain does with a request. */
export type Weather =
  | 'fair'
  | 'down'
  | 'too many requests'
  | 'garbage'
  | 'answers lost after the send'
  | 'transactions swallowed';

export interface TestChain {
  readonly anvil: Anvil;
  readonly client: ChainClient;
  readonly settings: Parameters<typeof createChainClient>[0];
  weather: Weather;
  close(): Promise<void>;
}

let chains = 0;

/** A local chain with the contracts on it, under an id of its own, behind a way that can be disturbed. */
export async function startChain(args: readonly string[] = []): Promise<TestChain> {
  chains += 1;
  const chainId = 700_000 + (process.pid % 1_000) * 100 + chains;
  const anvil = await startAnvil(['--chain-id', String(chainId), ...args]);
  const { contracts } = await deploy({ rpcUrl: anvil.url, privateKey: KEYS.relayer });
  const way = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const answerNow = async () => {
      const body = Buffer.concat(chunks).toString();
      const isSend = body.includes('eth_sendRawTransaction');
      const { weather } = chain;
      if (weather === 'down') return request.socket.destroy();
      if (weather === 'too many requests') return response.writeHead(429).end('slow down');
      if (weather === 'garbage') return response.end('<html>');
      if (weather === 'transactions swallowed' && isSend) {
        const { id } = JSON.parse(body);
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${'1'.repeat(64)}` }));
      }
      const answer = await fetch(anvil.url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
        .then((reply) => reply.text())
        .catch(() => undefined);
      if (answer === undefined || (weather === 'answers lost after the send' && isSend))
        return request.socket.destroy();
      return response.end(answer);
    };
    request.on('end', () => void answerNow());
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const { port } = way.address() as { port: number };
  const settings = {
    rpcUrl: `http://127.0.0.1:${port}/key-in-the-path`,
    chainId,
    privateKey: KEYS.relayer,
    contracts,
  };
  const chain: TestChain = {
    anvil,
    settings,
    client: createChainClient(settings),
    weather: 'fair',
    async close() {
      way.closeAllConnections();
      way.close();
      await anvil.stop();
    },
  };
  return chain;
}
