import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CA_PEM, CERTIFICATE_PEM, KEY_PEM } from '../../../test/support/outbound/certificates.js';
import {
  respondWith,
  startProxy,
  startReceiver,
  stopReceivers,
} from '../../../test/support/outbound/receivers.js';
import { namedTimers } from '../../../test/support/outbound/timers.js';
import { createOutbound } from './outbound.js';

afterEach(stopReceivers);

const PUBLIC = '93.184.215.14';
const CONNECT_MS = 3_000;
const REQUEST_MS = 15_000;
const REQUEST = { headers: { 'webhook-id': 'evt_1' }, body: '{}' };
const TLS = { key: KEY_PEM, cert: CERTIFICATE_PEM };
const ok = respondWith('HTTP/1.1 200 OK', 'Content-Length: 0');

/** Requests to a public address through this proxy. */
function through(port: number, { userInfo = '', address = PUBLIC } = {}) {
  const clock = namedTimers();
  const outbound = createOutbound({
    settings: {
      allowHttp: true,
      allowCidrs: [],
      denyCidrs: [],
      proxy: `http://${userInfo}127.0.0.1:${port}`,
    },
    timers: clock.timers,
    resolve: async () => [address],
    ca: CA_PEM,
  });
  return { clock, post: (url: string) => outbound.post(url, REQUEST) };
}

describe('a request through WEBHOOK_PROXY', () => {
  it('uses a tunnel to the judged address, and TLS in it is for the name', async () => {
    const receiver = await startReceiver(ok, { tls: TLS });
    const proxy = await startProxy(receiver.port);
    const { post, clock } = through(proxy.port);
    expect(await post('https://hooks.example.com/hook')).toEqual({ status: 200, retryAfter: undefined });
    expect(await post('https://other.example.com/hook')).toMatchObject({ error: 'tls' });
    await Promise.all([proxy.closed(), receiver.closed()]);
    expect(proxy.texts[0]).toMatch(`CONNECT ${PUBLIC}:443 HTTP/1.1\r\nhost: ${PUBLIC}:443\r\n`);
    expect(proxy.texts[0]).not.toContain('evt_1');
    expect(proxy.texts[0]?.toLowerCase()).not.toContain('proxy-authorization');
    expect(receiver.texts[0]).toMatch(
      /^POST \/hook HTTP\/1.1\r\nwebhook-id: evt_1\r\nhost: hooks.example.com\r\n/,
    );
    expect(clock.pending.size).toBe(0);
  });

  it('uses a tunnel without TLS, too', async () => {
    const receiver = await startReceiver(ok);
    const proxy = await startProxy(receiver.port);
    const { post, clock } = through(proxy.port);
    expect(await post('http://hooks.example.com:8080/hook')).toEqual({ status: 200, retryAfter: undefined });
    await Promise.all([proxy.closed(), receiver.closed()]);
    expect(proxy.texts[0]).toMatch(`CONNECT ${PUBLIC}:8080 HTTP/1.1\r\n`);
    expect(receiver.texts[0]).toMatch(/^POST \/hook HTTP\/1.1\r\n/);
    expect(clock.pending.size).toBe(0);
  });

  it('sends the user info of the proxy to the proxy only', async () => {
    const receiver = await startReceiver(ok);
    const proxy = await startProxy(receiver.port);
    expect(
      await through(proxy.port, { userInfo: 'us%20er:p%40ss@' }).post('http://a.example/'),
    ).toMatchObject({
      status: 200,
    });
    const expected = `proxy-authorization: Basic ${Buffer.from('us er:p@ss').toString('base64')}\r\n`;
    expect(proxy.texts[0]).toContain(expected);
    expect(receiver.texts[0]).not.toContain('Basic');
  });

  it('never reaches the proxy if the address is bad', async () => {
    const proxy = await startProxy(undefined);
    for (const address of ['127.0.0.1', '10.0.0.1', '::1', '169.254.169.254'])
      expect(await through(proxy.port, { address }).post('https://a.example/')).toEqual({
        error: 'connect',
        reason: `refused address ${address}`,
      });
    expect(await through(proxy.port).post('https://127.0.0.1/')).toMatchObject({ error: 'connect' });
    expect(proxy.sockets).toHaveLength(0);
  });

  it.each([
    ['returns 403', respondWith('HTTP/1.1 403 Forbidden')],
    ['returns 407', respondWith('HTTP/1.1 407 x', 'Proxy-Authenticate: Basic')],
    ['returns a redirection', respondWith('HTTP/1.1 302 x', 'Location: http://127.0.0.1/')],
    ['closes', (socket) => void socket.end()],
    ['resets the connection', (socket) => void socket.resetAndDestroy()],
    ['is no proxy', (socket) => void socket.end('hello\r\n')],
    [
      'sends the response of a receiver',
      (socket) => void socket.end('HTTP/1.1 200 x\r\n\r\nHTTP/1.1 200 x\r\n\r\n'),
    ],
  ] as [string, Parameters<typeof startReceiver>[0]][])(
    'fails with connect if the proxy %s',
    async (_, respond) => {
      const proxy = await startReceiver(respond);
      const { post, clock } = through(proxy.port);
      for (const url of ['https://a.example/', 'http://a.example/'])
        expect(await post(url)).toMatchObject({ error: 'connect' });
      await proxy.closed();
      expect(clock.pending.size).toBe(0);
    },
  );

  it('fails with connect if no proxy listens', async () => {
    const proxy = await startProxy(undefined);
    proxy.stop();
    expect(await through(proxy.port).post('https://a.example/')).toMatchObject({ error: 'connect' });
  });

  it('ends after three seconds if the proxy never answers', async () => {
    let expire = () => {};
    const proxy = await startReceiver(() => expire());
    const { post, clock } = through(proxy.port);
    expire = () => clock.expire(CONNECT_MS);
    expect(await post('https://a.example/')).toMatchObject({ error: 'timeout' });
    await proxy.closed();
    expect(clock.pending.size).toBe(0);
  });

  it('ends after fifteen seconds if the receiver never answers, and closes the tunnel', async () => {
    let expire = () => {};
    const receiver = await startReceiver(() => expire(), { tls: TLS });
    const proxy = await startProxy(receiver.port);
    const { post, clock } = through(proxy.port);
    expire = () => clock.expire(REQUEST_MS);
    expect(await post('https://hooks.example.com/')).toMatchObject({ error: 'timeout' });
    await Promise.all([proxy.closed(), receiver.closed()]);
    expect(clock.pending.size).toBe(0);
  });
});

describe('the environment of the process', () => {
  /** Sends a request with the built service in a process of its own. */
  async function postIn(env: Record<string, string>, url: string): Promise<unknown> {
    const built = (name: string) => new URL(`../../../dist/base/${name}.js`, import.meta.url).href;
    const program = `
      import { createOutbound } from '${built('outbound/outbound')}';
      import { systemTimers } from '${built('clock')}';
      const settings = { allowHttp: true, allowCidrs: ['127.0.0.1'] };
      const outbound = createOutbound({ settings, timers: systemTimers, resolve: async () => ['127.0.0.1'] });
      console.log(JSON.stringify(await outbound.post('${url}', { headers: {}, body: '{}' })));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(child, 'close');
    return JSON.parse(output);
  }

  it('adds certificate authorities, but turns neither verification off nor a proxy on', async () => {
    const receiver = await startReceiver(ok, { tls: TLS });
    const plain = await startReceiver(ok);
    const proxy = await startProxy(undefined);
    const url = `https://hooks.example.com:${receiver.port}/`;
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const proxies = {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxyUrl,
      HTTPS_PROXY: proxyUrl,
      ALL_PROXY: proxyUrl,
      http_proxy: proxyUrl,
      https_proxy: proxyUrl,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const folder = mkdtempSync(join(tmpdir(), 'svc-outbound-'));
    try {
      const file = join(folder, 'ca.pem');
      writeFileSync(file, CA_PEM);
      const [unknown, known, http] = await Promise.all([
        postIn(proxies, url),
        postIn({ ...proxies, NODE_EXTRA_CA_CERTS: file }, url),
        postIn(proxies, `http://hooks.example.com:${plain.port}/`),
      ]);
      expect(unknown).toMatchObject({ error: 'tls' });
      expect(known).toEqual({ status: 200 });
      expect(http).toEqual({ status: 200 });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(proxy.sockets).toHaveLength(0);
  });
});
