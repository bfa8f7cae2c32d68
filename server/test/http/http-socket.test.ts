import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let port: number;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (service.app.http.server.address() as AddressInfo).port;
});
afterAll(() => service.close());

interface Exchange {
  readonly text: string;
  readonly statuses: number[];
  /** Whether the server ended the connection by itself. */
  readonly closed: boolean;
}

/** Sends the bytes as they are, and reads until the server closes the connection or sends nothing for `silence` ms. */
function exchange(bytes: string | Buffer, silence = 5_000): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses, closed });
    };
    let timer = setTimeout(() => done(false), silence);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(() => done(false), silence);
    });
    socket.on('end', () => done(true));
    socket.on('error', () => done(true));
    socket.write(bytes);
  });
}

const created = async () => {
  const reply = await service.call('GET', '/v1/devices?limit=100', { as: account.key });
  return reply.body.devices.length as number;
};

const isRequest = (line: string) => JSON.parse(line).endpoint !== undefined;

const BODY = '{"name":"Smuggled"}';
/** A request to create a device with these header lines, which include their line ends. */
const post = (lines: string, body = BODY) =>
  `POST /v1/devices HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\nContent-Type: application/json\r\n${lines}\r\n${body}`;
const CHUNKED = `13\r\n${BODY}\r\n0\r\n\r\n`;
const NEXT = `GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n`;
/** The same request with `Connection: close`, so that the test need not wait for silence. */
const closing = (bytes: string) => bytes.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n');

describe('an ambiguous or malformed request', () => {
  const cases: Record<string, () => string> = {
    'both Content-Length and Transfer-Encoding': () =>
      post('Content-Length: 19\r\nTransfer-Encoding: chunked\r\n', CHUNKED),
    'Transfer-Encoding and then Content-Length': () =>
      post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', CHUNKED),
    'two different Transfer-Encodings': () =>
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n', CHUNKED),
    'an unknown Transfer-Encoding': () => post('Transfer-Encoding: xchunked\r\n', CHUNKED),
    'chunked before another coding': () => post('Transfer-Encoding: chunked, identity\r\n', CHUNKED),
    'another coding before chunked': () => post('Transfer-Encoding: gzip, chunked\r\n', CHUNKED),
    'chunked named twice': () => post('Transfer-Encoding: chunked, chunked\r\n', CHUNKED),
    'two Transfer-Encodings that are both chunked': () =>
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', CHUNKED),
    'two Hosts': () => `GET /api/health/live HTTP/1.1\r\nHost: x\r\nHost: evil.test\r\n\r\n`,
    'the same Host twice': () => post('Host: x\r\nContent-Length: 19\r\n'),
    'two Hosts and an invalid path': () => `GET /api/%e0%a4 HTTP/1.1\r\nHost: x\r\nHost: evil.test\r\n\r\n`,
    'two different Content-Lengths': () => post('Content-Length: 19\r\nContent-Length: 5\r\n'),
    'two equal Content-Lengths': () => post('Content-Length: 19\r\nContent-Length: 19\r\n'),
    'a Content-Length list': () => post('Content-Length: 19, 19\r\n'),
    'a signed Content-Length': () => post('Content-Length: +19\r\n'),
    'a negative Content-Length': () => post('Content-Length: -1\r\n'),
    'a hexadecimal Content-Length': () => post('Content-Length: 0x13\r\n'),
    'a space before the colon': () => post('Content-Length : 19\r\n'),
    'a folded header': () => post('X-Folded: a\r\n b\r\nContent-Length: 19\r\n'),
    'a bare CR in a header': () => post('X-Bare: a\rContent-Length: 5\r\nContent-Length: 19\r\n'),
    'a bare LF after a header': () => post('X-Bare: a\nContent-Length: 19\r\n'),
    'bare LF throughout': () => post('Content-Length: 19\r\n').replaceAll('\r\n', '\n'),
    'a NUL in a header': () => post('X-Nul: a\0b\r\nContent-Length: 19\r\n'),
    'a header without a name': () => post(': x\r\nContent-Length: 19\r\n'),
    'a header without a colon': () => post('X-Nothing\r\nContent-Length: 19\r\n'),
    'a chunk size that is not a number': () =>
      post('Transfer-Encoding: chunked\r\n', `zz\r\n${BODY}\r\n0\r\n\r\n`),
    'a chunk longer than its size': () => post('Transfer-Encoding: chunked\r\n', `5\r\n${BODY}\r\n0\r\n\r\n`),
    'a chunk ended by a bare LF': () => post('Transfer-Encoding: chunked\r\n', `13\n${BODY}\n0\n\n`),
    'an unknown HTTP version': () => `GET /api/health HTTP/9.9\r\nHost: x\r\n\r\n`,
    'no HTTP version': () => `GET /api/health\r\n\r\n`,
    'a space in the target': () => `GET /api/hea lth HTTP/1.1\r\nHost: x\r\n\r\n`,
    'a TLS handshake instead of HTTP': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'headers beyond 16 KiB': () =>
      `GET /api/health HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(17_000)}\r\n\r\n`,
  };

  it.each(Object.entries(cases))(
    'with %s returns one 400 in the error envelope, closes the connection and changes nothing [http/headers] [http/single-headers]',
    async (_, make) => {
      const before = await created();
      const { text, statuses, closed } = await exchange(make() + NEXT);
      expect(statuses, text).toEqual([400]);
      expect(closed).toBe(true);
      expect(text.toLowerCase()).toContain('connection: close');
      expect(text).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
      expect(text).toContain('"error":"invalid_request"');
      expect(await created()).toBe(before);
    },
  );

  it('makes later requests on the same connection fail with 400', async () => {
    const from = service.logged.length;
    const next = post(`Content-Length: ${BODY.length}\r\n`);
    for (const make of [cases['two Hosts'], cases['another coding before chunked']])
      await exchange(`${make?.()}${next}${next}`);
    await vi.waitFor(() => expect(service.logged.slice(from).filter(isRequest)).toHaveLength(6));
    for (const line of service.logged.slice(from).filter(isRequest))
      expect(JSON.parse(line).status).toBe(400);
  });

  it('is distinguished from well-formed requests, which get one response each on one connection', async () => {
    const length = `Content-Length: ${BODY.length}\r\n`;
    const bytes = post(length) + NEXT + post('Transfer-Encoding: chunked\r\n', CHUNKED) + closing(NEXT);
    const { statuses } = await exchange(bytes);
    expect(statuses).toEqual([201, 200, 201, 200]);
  });
});

describe('a request on a raw connection', () => {
  it.each([
    ['no Host', 'GET /api/health/live HTTP/1.1\r\n\r\n', 400],
    ['an unknown expectation', 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n', 200],
    ['the absolute form', 'GET http://evil.test/api/health/live HTTP/1.1\r\nHost: x\r\n\r\n', 200],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['dots in the path', 'GET /v1/../api/health/live HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['encoded dots', 'GET /zk/%2e%2e/%2e%2e/package.json HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['an encoded slash', 'GET /api%2fhealth%2flive HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a broken percent sign', 'GET /api/%e0%a4 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    [
      'an upgrade',
      'GET /api/health/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
      200,
    ],
    ['an unknown method', 'BREW /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['PROPFIND', 'PROPFIND /v1/devices HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ])('with %s gets one response with a request id', async (_, bytes, status) => {
    const { text, statuses } = await exchange(closing(bytes));
    expect(statuses, text).toEqual([status]);
    expect(text).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
    expect(text).not.toContain('evil.test');
  });

  it('with a body over the limit returns 413 payload_too_large, with and without Content-Length', async () => {
    const announced = await exchange(post('Connection: close\r\nContent-Length: 65537\r\n', 'x'));
    expect(announced.statuses).toEqual([413]);
    const chunk = 'a'.repeat(0x4000);
    const chunks = `4000\r\n${chunk}\r\n`.repeat(5);
    const before = await created();
    const streamed = await exchange(
      post('Connection: close\r\nTransfer-Encoding: chunked\r\n', `${chunks}0\r\n\r\n`),
    );
    expect(streamed.statuses).toEqual([413]);
    expect(streamed.text).toContain('"error":"payload_too_large"');
    expect(await created()).toBe(before);
  });

  it('with a body still incomplete after 30 seconds is closed within another five [http/slow-requests]', async () => {
    const slow = await startService();
    const { server } = slow.app.http;
    const timing = server as typeof server & { connectionsCheckingInterval: number };
    expect(timing.requestTimeout + timing.connectionsCheckingInterval).toBeLessThanOrEqual(35_000);
    // The same timeouts, a hundred times shorter.
    timing.requestTimeout /= 100;
    timing.headersTimeout /= 100;
    timing.connectionsCheckingInterval /= 100;
    await slow.app.http.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.write(post('Content-Length: 5000\r\n', '{'));
    // Never idle and never complete.
    const drip = setInterval(() => socket.write(' '), 20);
    await once(socket, 'close');
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.toLowerCase()).toContain('connection: close');
    await slow.close();
  });

  it('that never begins on a connection leaves it without a response, as browsers open some in advance', async () => {
    const own = await startService();
    const { server } = own.app.http;
    const timing = server as typeof server & { connectionsCheckingInterval: number };
    // The same timeouts, a hundred times shorter.
    timing.headersTimeout /= 100;
    timing.requestTimeout /= 100;
    timing.connectionsCheckingInterval /= 100;
    await own.app.http.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    await once(socket, 'close');
    expect(text).toBe('');
    await own.close();
  });

  it('is not logged as an error when the client disconnects during its body', async () => {
    const from = service.logged.length;
    const { server } = service.app.http;
    const accepted = once(server, 'connection');
    const requested = once(server, 'request');
    const socket = connect(port, '127.0.0.1');
    socket.write(post('Content-Length: 500\r\n', '{"name":'));
    const [theirs] = (await accepted) as [Socket];
    await requested;
    const disconnected = once(theirs, 'close');
    socket.destroy();
    await disconnected;
    // By the end of another exchange, the server has noticed the disconnect.
    await exchange(closing(NEXT));
    const errors = service.logged.slice(from).filter((line) => JSON.parse(line).level === 'error');
    expect(errors).toEqual([]);
  });

  it('may repeat one key in both headers; two keys or a repeated header return 401 invalid_api_key [http/headers] [http/single-headers]', async () => {
    const other = await service.createKey(account, 'test');
    const get = (...lines: string[]) =>
      exchange(
        `GET /v1/devices?limit=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`,
      );
    const bearer = (key: string) => `Authorization: Bearer ${key}`;
    const plain = (key: string) => `X-API-Key: ${key}`;
    const passing = [[bearer(account.key)], [plain(account.key)], [bearer(account.key), plain(account.key)]];
    for (const lines of passing) expect((await get(...lines)).statuses).toEqual([200]);
    for (const lines of [
      [plain(account.key), plain(other)],
      [plain(account.key), plain(account.key)],
      [bearer(account.key), bearer(other)],
      [bearer(account.key), plain(other)],
      [plain(other), bearer(account.key)],
      [plain(`${account.key}, ${other}`)],
      [plain(''), bearer(account.key)],
      ['Authorization: Basic eDp5', plain(account.key)],
    ]) {
      const { statuses, text } = await get(...lines);
      expect(statuses, lines.join(' and ').replaceAll(/[0-9a-f]{48}/g, '…')).toEqual([401]);
      expect(text).toContain('"error":"invalid_api_key"');
    }
  });
});
