import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostileFiles } from '../../zk/test/support/hostile-circuit.js';
import { sha256Of } from '../../zk/test/support/support.js';

/** A service that publishes its own circuit and key to learn the secrets of people who prove with them. */
export interface HostileService {
  readonly url: string;
  close(): Promise<void>;
}

/** @param replies other responses, by method and path */
export async function hostileService(
  replies: Readonly<Record<string, object>> = {},
): Promise<HostileService> {
  const files = await hostileFiles();
  const path = (kind: 'wasm' | 'zkey') =>
    `/zk/identity_proof.${kind}?v=${sha256Of(files[kind]).slice(0, 16)}`;
  const responses: Readonly<Record<string, object>> = {
    'GET /v1/auth/zkp/circuit-info': {
      circuit: 'identity_proof',
      circuitVersion: '1.2',
      wasmPath: path('wasm'),
      zkeyPath: path('zkey'),
      setup: { kind: 'ceremony', contributors: 57 },
    },
    [`GET ${path('wasm')}`]: files.wasm,
    [`GET ${path('zkey')}`]: files.zkey,
    ...replies,
  };
  const server = createServer(({ method, url }, response) => {
    const reply = responses[`${method} ${url}`];
    const isFile = reply instanceof Uint8Array;
    response.writeHead(reply === undefined ? 404 : 200, {
      'content-type': isFile ? 'application/octet-stream' : 'application/json',
      'x-request-id': '019e1b2c-0000-7000-8000-000000000001',
    });
    response.end(isFile ? reply : JSON.stringify(reply ?? { error: 'not_found', message: 'Not found.' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
