import { afterEach, describe, expect, it } from 'vitest';
import { respondWith, startReceiver, stopReceivers } from '../../../test/support/outbound/receivers.js';
import { deferred, namedTimers } from '../../../test/support/outbound/timers.js';
import { createOutbound } from './outbound.js';

afterEach(stopReceivers);

const BODY_MS = 1_000;
const REQUEST_MS = 15_000;
const SETTINGS = { allowHttp: true, allowCidrs: ['127.0.0.1'], denyCidrs: [], proxy: undefined };
const REQUEST = { headers: { 'content-type': 'application/json' }, body: '{}' };
const OK = 'HTTP/1.1 200 OK\r\n';

/** A receiver, and requests to it with timers of their own. */
async function start(...parameters: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...parameters);
  const clock = namedTimers();
  const outbound = createOutbound({ settings: SETTINGS, timers: clock.timers });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  return { ...receiver, clock, outbound, url, post: () => outbound.post(url, REQUEST) };
}

describe('a request', () => {
  it('is a POST with its headers and body, over a connection of its own', async () => {
    const { outbound, url, port, texts, sockets, closed, clock } = await start((socket) =>
      socket.write(`${OK}Content-Length: 2\r\nRetry-After: 120\r\n\r\nok`),
    );
    const request = {
      headers: { 'Webhook-Id': 'evt_1', Host: 'other', Connection: 'keep-alive' },
      body: '{"ä":1}',
    };
    for (const _ of [1, 2])
      expect(await outbound.post(`${url}?a=1&b=%20#part`, request)).toEqual({
        status: 200,
        retryAfter: '120',
      });
    await closed();
    expect(sockets).toHaveLength(2);
    const [head, body] = (texts[0] as string).split('\r\n\r\n');
    expect(head?.split('\r\n').map((line, index) => (index === 0 ? line : line.toLowerCase()))).toEqual([
      'POST /hook?a=1&b=%20 HTTP/1.1',
      'webhook-id: evt_1',
      `host: 127.0.0.1:${port}`,
      'connection: close',
      'content-length: 8',
    ]);
    expect(Buffer.from(body as string, 'latin1').toString()).toBe('{"ä":1}');
    expect(clock.pending.size).toBe(0);
  });

  it.each([200, 204, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503, 599])(
    'returns the status %d, and follows no redirection',
    async (status) => {
      const other = await startReceiver(respondWith('HTTP/1.1 200 OK'));
      const { post, closed } = await start(
        respondWith(`HTTP/1.1 ${status} x`, `Location: http://127.0.0.1:${other.port}/`),
      );
      expect(await post()).toEqual({ status, retryAfter: undefined });
      await closed();
      expect(other.sockets).toHaveLength(0);
    },
  );

  it('lets a receiver finish a body of up to 4 KiB, and closes the connection in an orderly way', async () => {
    let hadError: unknown;
    const { post, closed } = await start((socket) => {
      socket.on('error', (error) => {
        hadError = error;
      });
      socket.write(`${OK}Content-Length: 3000\r\n\r\n${'x'.repeat(1_000)}`);
      setImmediate(() => socket.write('x'.repeat(2_000)));
    });
    expect(await post()).toEqual({ status: 200, retryAfter: undefined });
    await closed();
    expect(hadError).toBeUndefined();
  });

  it('skips informational responses', async () => {
    const { post } = await start((socket) =>
      socket.end(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nRetry-After: 1\r\n\r\nHTTP/1.1 503 x\r\nRetry-After: 7\r\n\r\n`,
      ),
    );
    expect(await post()).toEqual({ status: 503, retryAfter: '7' });
  });

  it('reads little of an endless body, and returns its status', async () => {
    let sent = 0;
    const { post, closed } = await start((socket) => {
      socket.write(`${OK}Content-Length: 1000000000\r\n\r\n`);
      const piece = Buffer.alloc(65_536);
      const more = () => {
        while (!socket.destroyed && sent < 1e9) {
          sent += piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on('drain', more);
      more();
    });
    expect(await post()).toEqual({ status: 200, retryAfter: undefined });
    await closed();
    expect(sent).toBeLessThan(2e7);
  });

  it('reads no endless chunk, chunk extension or trailer', async () => {
    for (const body of ['fffffff\r\n', '1;', '1\r\nx\r\n0\r\nX: ']) {
      const { post, closed } = await start((socket) =>
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n${body}${'x'.repeat(100_000)}`),
      );
      expect(await post()).toMatchObject({ status: 200 });
      await closed();
    }
  });

  it.each([
    ['one long line', `${OK}X: ${'x'.repeat(5_000)}\r\n\r\n`],
    ['many lines', `${OK}${'X: x\r\n'.repeat(2_000)}\r\n`],
    ['a long line that never ends', `${OK}X: ${'x'.repeat(100_000)}`],
    ['a long reason', `HTTP/1.1 200 ${'x'.repeat(5_000)}\r\n\r\n`],
    ['endless informational responses', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)],
    ['endless blank lines', '\r\n'.repeat(10_000)],
  ])('fails with too_large after a head with %s', async (_, response) => {
    const { post, closed, clock } = await start((socket) => socket.write(response));
    expect(await post()).toMatchObject({ error: 'too_large' });
    await closed();
    expect(clock.pending.size).toBe(0);
  });

  it('waits a second for a body that dribbles, and then returns the status', async () => {
    const { post, closed, clock } = await start((socket) =>
      socket.write(`${OK}Content-Length: 100\r\nRetry-After: 5\r\n\r\nx`),
    );
    const result = post();
    await clock.started(BODY_MS);
    clock.expire(BODY_MS);
    expect(await result).toEqual({ status: 200, retryAfter: '5' });
    await closed();
    expect(clock.pending.size).toBe(0);
  });

  it.each([
    ['nothing', ''],
    ['a part of its head', 'HTTP/1.1 200 OK\r\nX: '],
    ['only informational responses', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('ends after 15 seconds if the receiver sends %s', async (_, response) => {
    const reached = deferred<void>();
    const { post, closed, clock } = await start((socket) => {
      if (response) socket.write(response);
      reached.resolve();
    });
    const result = post();
    await reached.promise;
    clock.expire(REQUEST_MS);
    expect(await result).toEqual({ error: 'timeout', reason: 'no response within 15000 ms' });
    await closed();
    expect(clock.pending.size).toBe(0);
  });

  it.each([
    ['closes', (socket) => socket.end()],
    ['closes in its head', (socket) => socket.end('HTTP/1.1 200 OK\r\nX')],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['is not HTTP/1', (socket) => socket.end('HTTP/2 200\r\n\r\n')],
    ['sends two lengths', (socket) => socket.end(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`)],
    ['sends no status', (socket) => socket.end('HTTP/1.1 OK\r\n\r\n')],
    [
      'changes the protocol',
      (socket) => socket.end('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
  ] as [string, Parameters<typeof startReceiver>[0]][])(
    'fails with connect if the receiver %s',
    async (_, respond) => {
      const { post, closed, clock } = await start(respond);
      expect(await post()).toMatchObject({ error: 'connect' });
      await closed();
      expect(clock.pending.size).toBe(0);
    },
  );

  it('returns the status if the receiver closes or resets the connection in the body', async () => {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const { post, clock } = await start((socket) =>
        socket.write(
          `${OK}Content-Length: 100\r\n\r\nx`,
          () => void clock.started(BODY_MS).then(() => socket[end]()),
        ),
      );
      expect(await post()).toMatchObject({ status: 200 });
    }
  });

  it('fails with connect if no program listens', async () => {
    const { post, stop } = await start(respondWith('HTTP/1.1 200 OK'));
    stop();
    expect(await post()).toMatchObject({ error: 'connect' });
  });

  it('never throws, not even for a header that cannot be sent', async () => {
    const { outbound, url, clock } = await start(respondWith('HTTP/1.1 200 OK'));
    expect(await outbound.post(url, { headers: { 'a b': 'x' }, body: '' })).toMatchObject({
      error: 'connect',
    });
    expect(await outbound.post(url, { headers: { a: 'x\r\nb: y' }, body: '' })).toMatchObject({
      error: 'connect',
    });
    expect(await outbound.post('', REQUEST)).toMatchObject({ error: 'connect' });
    expect(clock.pending.size).toBe(0);
  });
});
