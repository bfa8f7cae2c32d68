import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Svc } from '@svc/sdk';
import { createIdentity } from '@svc/sdk/prover';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  enrolledAt,
  type ListeningService,
  listeningService,
  sdkProver,
} from '../../server/test/support/sdk.js';
import type { Account } from '../../server/test/support/service.js';

let service: ListeningService;
let account: Account;
let proxy: Server;
/** The proxy's open connections. */
const open = new Set<Socket>();
let onStream: (socket: Socket) => void;
beforeAll(async () => {
  service = await listeningService();
  account = await service.signUp({ plan: 'enterprise' });
  proxy = createServer((socket) => {
    open.add(socket);
    const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket
      .on('error', () => {})
      .on('close', () => {
        open.delete(socket);
        upstream.destroy();
      });
    upstream.on('error', () => {}).on('close', () => socket.destroy());
    upstream.on('data', (piece: Buffer) => {
      socket.write(piece);
      if (piece.includes('session_created')) onStream(socket);
    });
    socket.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  proxy.close();
  await service.close();
});

describe('behind a proxy that cuts streams', () => {
  it.each([
    ['once', 1],
    ['always', Number.POSITIVE_INFINITY],
  ])('%s, a desktop still signs in', async (_, cuts) => {
    const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const svc = new Svc({ baseUrl, apiKey: account.key });
    const identity = createIdentity();
    await svc.identity.register(identity);
    let streams = 0;
    let cutOff = () => {};
    const cut = new Promise<void>((resolve) => {
      cutOff = resolve;
    });
    onStream = (socket) => {
      streams += 1;
      if (streams > cuts) return;
      socket.destroy();
      cutOff();
    };
    const desktop = await svc.pairing.signIn({
      match: 'off',
      async onCode({ qrPayload }) {
        await cut;
        const at = enrolledAt(service, account);
        const { sessionId, ...proof } = await (await sdkProver()).provePairing(identity, qrPayload, at);
        await svc.pairing.submitProof(sessionId, proof);
      },
    });
    expect(desktop.did).toBe(identity.did);
  });
});
