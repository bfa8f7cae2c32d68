import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  respondWith,
  socketsCreated,
  startProxy,
  startReceiver,
  stopReceivers,
} from '../../../test/support/outbound/receivers.js';
import { namedTimers } from '../../../test/support/outbound/timers.js';
import { createOutbound, type OutboundSettings } from './outbound.js';
import type { ResolveHost } from './resolve.js';

afterEach(stopReceivers);

const REQUEST = { headers: {}, body: '{}' };
const PUBLIC = '93.184.215.14';

const outbound = (resolve: ResolveHost, settings: Partial<OutboundSettings> = {}) =>
  createOutbound({
    settings: { allowHttp: true, allowCidrs: [], denyCidrs: [], proxy: undefined, ...settings },
    timers: namedTimers().timers,
    resolve,
  });

/** Each look-up returns the next list. */
function answers(...lists: readonly string[][]) {
  const asked: string[] = [];
  const resolve: ResolveHost = async (host) => {
    asked.push(host);
    return lists[asked.length - 1] ?? [];
  };
  return { asked, resolve };
}

const refusedAddress = (address: string) => ({ error: 'connect', reason: `refused address ${address}` });

describe('a name', () => {
  it.each([
    ['127.0.0.1'],
    ['0.0.0.0'],
    ['10.0.0.1'],
    ['100.64.0.1'],
    ['169.254.169.254'],
    ['172.16.0.1'],
    ['192.168.0.1'],
    ['198.18.0.1'],
    ['255.255.255.255'],
    ['::1'],
    ['::'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::1'],
    ['fd00::1'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['ff02::1'],
    ['127.1'],
    ['localhost'],
    [''],
  ])('of the address %j is like a closed port, and nothing connects', async (address) => {
    const { resolve } = answers([address]);
    const created = await socketsCreated(async () =>
      expect(await outbound(resolve).post('https://a.example/', REQUEST)).toEqual(refusedAddress(address)),
    );
    expect(created).toBe(0);
  });

  it('with one bad address among good ones is not connected to', async () => {
    for (const list of [
      [PUBLIC, '127.0.0.1'],
      ['127.0.0.1', PUBLIC],
      [PUBLIC, '2606:4700:4700::1111', '::1'],
      [...Array.from({ length: 100 }, () => PUBLIC), '127.0.0.1'],
    ]) {
      const { resolve } = answers(list);
      const created = await socketsCreated(async () =>
        expect(await outbound(resolve).post('https://a.example/', REQUEST)).toMatchObject({
          error: 'connect',
        }),
      );
      expect(created).toBe(0);
    }
  });

  it('is looked up once a request, so a second answer never reaches the loopback address', async () => {
    const inside = await startReceiver(respondWith('HTTP/1.1 200 OK'));
    const proxy = await startProxy(undefined);
    const { asked, resolve } = answers([PUBLIC], ['127.0.0.1']);
    const { post } = outbound(resolve, { proxy: `http://127.0.0.1:${proxy.port}` });
    const url = `http://rebind.example:${inside.port}/`;
    expect(await post(url, REQUEST)).toEqual({ error: 'connect', reason: 'the proxy returned 502' });
    expect(asked).toHaveLength(1);
    expect(await post(url, REQUEST)).toEqual(refusedAddress('127.0.0.1'));
    expect(asked).toHaveLength(2);
    expect(proxy.texts).toEqual([expect.stringMatching(`^CONNECT ${PUBLIC}:${inside.port} HTTP/1.1\r\n`)]);
    expect(inside.sockets).toHaveLength(0);
  });

  it('is reached at the judged address, although another look-up would fail', async () => {
    const receiver = await startReceiver(respondWith('HTTP/1.1 204 x'));
    const { resolve } = answers(['127.0.0.1']);
    const { post } = outbound(resolve, { allowCidrs: ['127.0.0.1'] });
    expect(await post(`http://no-such-name.example.:${receiver.port}/`, REQUEST)).toMatchObject({
      status: 204,
    });
    expect(receiver.texts[0]).toMatch(`\r\nhost: no-such-name.example:${receiver.port}\r\n`);
  });

  it('is reached by IPv4 unless it has IPv6 only', async () => {
    const proxy = await startProxy(undefined);
    const { resolve } = answers(
      ['2606:4700:4700::1111', PUBLIC],
      ['2606:4700:4700::1111'],
      ['::ffff:8.8.8.8'],
    );
    const { post } = outbound(resolve, { proxy: `http://127.0.0.1:${proxy.port}` });
    for (const _ of [1, 2, 3]) await post('https://a.example/', REQUEST);
    expect(proxy.texts.map((text) => text.split(' ')[1])).toEqual([
      `${PUBLIC}:443`,
      '[2606:4700:4700::1111]:443',
      '8.8.8.8:443',
    ]);
  });

  it('without an address fails with dns', async () => {
    const failing: ResolveHost = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await outbound(failing).post('https://a.example/', REQUEST)).toEqual({
      error: 'dns',
      reason: 'ENOTFOUND',
    });
    expect(await outbound(answers([]).resolve).post('https://a.example/', REQUEST)).toMatchObject({
      error: 'dns',
    });
  });

  it.each(['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'a.b.localhost.', 'LocalHost'])(
    'such as %s is the loopback address, and no name server is asked',
    async (host) => {
      const receiver = await startReceiver(respondWith('HTTP/1.1 200 OK'));
      const { asked, resolve } = answers([PUBLIC]);
      const url = `http://${host}:${receiver.port}/`;
      const created = await socketsCreated(async () =>
        expect(await outbound(resolve).post(url, REQUEST)).toEqual(refusedAddress('127.0.0.1')),
      );
      expect(created).toBe(0);
      const open = outbound(resolve, { allowCidrs: ['127.0.0.0/8'] });
      const opened = await socketsCreated(async () =>
        expect(await open.post(url, REQUEST)).toMatchObject({ status: 200 }),
      );
      expect(opened).toBe(1);
      expect(asked).toEqual([]);
    },
  );
});

describe('any address that is not allowed', () => {
  it('is never connected to, as a literal or by a name', async () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    const literal = fc.oneof(
      bytes(4).map((value) => value.join('.')),
      fc
        .constantFrom('10.', '127.', '0.', '240.')
        .chain((start) => bytes(3).map((rest) => `${start}${rest.join('.')}`)),
      bytes(16).map((value) => ipv6(value)),
      bytes(4).map((value) => `::ffff:${value.join('.')}`),
      bytes(4).map((value) => `64:ff9b::${value.join('.')}`),
    );
    await fc.assert(
      fc.asyncProperty(literal, async (address) => {
        const { refuse, post } = outbound(async () => [address]);
        const url = `http://${address.includes(':') ? `[${address}]` : address}:8080/`;
        // A public address is somebody else's.
        if (refuse(url) === undefined) return;
        const created = await socketsCreated(async () => {
          expect(await post(url, REQUEST)).toMatchObject({ error: 'connect' });
          expect(await post('http://a.example:8080/', REQUEST)).toEqual(refusedAddress(address));
        });
        expect(created).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});

const ipv6 = (bytes: Uint8Array) =>
  Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] as number) << 8) | (bytes[index * 2 + 1] as number)).toString(16),
  ).join(':');
