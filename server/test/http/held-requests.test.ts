import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPairing } from '../support/pairing.js';
import { type Account, type Service, sessionHeaders, startService } from '../support/service.js';

let service: Service;
let port: number;
beforeAll(async () => {
  service = await startService();
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (service.app.http.server.address() as AddressInfo).port;
});
afterAll(() => service.close());

/** Sends all of a request except its last byte. `finish` sends that byte and returns the status. */
async function hold(
  path: string,
  credential: string | Record<string, string>,
  body: object,
): Promise<{ finish: () => Promise<number> }> {
  const headers = typeof credential === 'string' ? { Authorization: `Bearer ${credential}` } : credential;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = JSON.stringify(body);
  const socket: Socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const admitted = new Promise<void>((resolve) => {
    const count = service.logged.length;
    // The credential has been checked by the time the next request on the same event loop is finished.
    void service.call('GET', '/api/health/live').then(() => {
      expect(service.logged.length).toBeGreaterThan(count);
      resolve();
    });
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text.slice(0, -1)}`,
  );
  await admitted;
  return {
    async finish() {
      socket.write(text.slice(-1));
      let reply = '';
      socket.on('data', (chunk) => {
        reply += String(chunk);
      });
      await once(socket, 'close');
      return Number(reply.split(' ')[1]);
    },
  };
}

describe('a request whose body is delayed', () => {
  it('writes nothing if its key is revoked before the body is complete [keys/judged-twice]', async () => {
    const account = await service.signUp();
    const key = await service.createKey(account, 'live');
    const held = await hold('/v1/devices', key, { name: 'late' });
    const keys = await service.call('GET', '/api/console/keys', { as: account.token });
    const { id } = keys.body.keys.find((item: { prefix: string }) => item.prefix === key.slice(0, 16));
    await service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
    expect(await held.finish()).toBe(401);
    const { body } = await service.call('GET', '/v1/devices', { as: account.key });
    expect(body.devices).toEqual([]);
  });

  it('creates no key, password or webhook if its console token or session ends before the body is complete', async () => {
    const account = await service.signUp();
    const next = 'another horse 8 battery staple';
    const makeKey = await hold('/api/console/keys', account.token, { name: 'late', environment: 'live' });
    const makePassword = await hold('/api/console/password', account.token, {
      currentPassword: account.password,
      newPassword: next,
    });
    const webhook = { url: 'https://example.com/hooks', events: ['*'] };
    const makeWebhook = await hold('/v1/webhooks', await sessionHeaders(service.app, account.token), webhook);
    await service.call('POST', '/api/console/logout', { as: account.token });
    const held = [makeKey, makePassword, makeWebhook];
    expect(await Promise.all(held.map(({ finish }) => finish()))).toEqual([401, 401, 401]);
    expect(await logIn(account, next)).toBe(401);
    expect(await logIn(account, account.password)).toBe(200);
  });
});

const logIn = async (account: Account, password: string) =>
  (
    await service.call('POST', '/api/console/login', {
      body: { email: account.email, password },
      address: '10.9.9.9',
    })
  ).status;

describe('concurrent password changes', () => {
  it('succeed once, and the winner’s password is the one that works [keys/judged-twice]', async () => {
    const account = await service.signUp();
    const passwords = [1, 2, 3].map((n) => `new horse ${n} battery staple`);
    const replies = await Promise.all(
      passwords.map((newPassword) =>
        service.call('POST', '/api/console/password', {
          as: account.token,
          body: { currentPassword: account.password, newPassword },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const winner = passwords[replies.findIndex(({ status }) => status === 200)] as string;
    expect(await logIn(account, winner)).toBe(200);
  });
});

describe('a client that sends requests and never reads', () => {
  it('is disconnected long before its responses fill the memory, while others are served [http/unread-responses]', {
    tags: ['ci'],
  }, async () => {
    const sockets = await Promise.all(
      [1, 2, 3].map(async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.on('error', () => {});
        socket.pause();
        socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1500));
        return socket;
      }),
    );
    const before = process.memoryUsage().rss;
    expect((await service.call('GET', '/api/health/live')).status).toBe(200);
    await Promise.all(
      sockets.map(async (socket) => {
        socket.resume();
        if (!socket.closed) await once(socket, 'close');
      }),
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });
});

describe('a connection without traffic for 30 seconds', () => {
  /** A paused client, and the server's side of its connection. */
  async function connection(text = '') {
    const accepted = once(service.app.http.server, 'connection');
    const client = connect(port, '127.0.0.1').pause();
    const [socket] = (await accepted) as [Socket];
    client.on('error', () => {});
    client.write(text);
    return { client, socket };
  }
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it('reaches the socket timeout', () => {
    expect(service.app.http.server.timeout).toBe(30_000);
  });

  it('is closed if its client does not read the responses', async () => {
    // More than fits the buffers of both sides.
    const { client, socket } = await connection(get('/openapi.json').repeat(24));
    await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0));
    socket.emit('timeout');
    expect(socket.destroyed).toBe(true);
    client.destroy();
  });

  it('is closed if it has no request', async () => {
    const { client, socket } = await connection();
    socket.emit('timeout');
    expect(socket.destroyed).toBe(true);
    client.destroy();
  });

  it('stays open while its request is processed, and while a stream is idle', async () => {
    const account = await service.signUp();
    const pairing = await openPairing(service, account.key);
    const { client, socket } = await connection(
      get(pairing.streamUrl).replace(
        '\r\n\r\n',
        `\r\nX-API-Key: ${account.key}\r\nCookie: ${pairing.cookie}\r\n\r\n`,
      ),
    );
    await vi.waitFor(() => expect(service.app.deps.streams.size).toBe(1));
    await vi.waitFor(() => expect(socket.writableLength).toBe(0));
    socket.emit('timeout');
    expect(socket.destroyed).toBe(false);
    client.destroy();
    await vi.waitFor(() => expect(service.app.deps.streams.size).toBe(0));
  });
});
