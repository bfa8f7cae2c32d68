import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CA_PEM,
  CERTIFICATE_PEM,
  EXPIRED_PEM,
  KEY_PEM,
  SELF_SIGNED_PEM,
} from '../../../test/support/outbound/certificates.js';
import { respondWith, startReceiver, stopReceivers } from '../../../test/support/outbound/receivers.js';
import { namedTimers } from '../../../test/support/outbound/timers.js';
import { createOutbound } from './outbound.js';

afterEach(stopReceivers);

const CONNECT_MS = 3_000;
const REQUEST = { headers: {}, body: '{}' };
const TLS: TlsOptions = { key: KEY_PEM, cert: CERTIFICATE_PEM };
const ok = respondWith('HTTP/1.1 200 OK', 'Content-Length: 0');

function client() {
  const clock = namedTimers();
  const outbound = createOutbound({
    settings: { allowHttp: false, allowCidrs: ['127.0.0.1'], denyCidrs: [], proxy: undefined },
    timers: clock.timers,
    resolve: async () => ['127.0.0.1'],
    ca: CA_PEM,
  });
  return {
    clock,
    post: (host: string, port: number) => outbound.post(`https://${host}:${port}/hook`, REQUEST),
  };
}

describe('a connection with TLS', () => {
  it('names its host to the receiver, and not an address', async () => {
    const names: string[] = [];
    const { port, texts, closed } = await startReceiver(ok, {
      tls: {
        ...TLS,
        SNICallback: (name, done) => done(null, void names.push(name)),
        ALPNProtocols: ['h2', 'http/1.1'],
      },
    });
    const { post, clock } = client();
    for (const host of ['hooks.example.com', 'HOOKS.example.com.', 'localhost', '127.0.0.1'])
      expect(await post(host, port)).toEqual({ status: 200, retryAfter: undefined });
    await closed();
    expect(names).toEqual(['hooks.example.com', 'hooks.example.com', 'localhost']);
    expect(texts[1]).toMatch(`\r\nhost: hooks.example.com:${port}\r\n`);
    expect(clock.pending.size).toBe(0);
  });

  it('ends without an error at the receiver', async () => {
    const errors: Error[] = [];
    let isClosedByNotify = false;
    const { port, closed } = await startReceiver(
      (socket) => {
        socket.on('error', (error) => void errors.push(error));
        socket.on('end', () => {
          isClosedByNotify = true;
        });
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      },
      { tls: TLS },
    );
    expect(await client().post('hooks.example.com', port)).toMatchObject({ status: 200 });
    await closed();
    expect(errors).toEqual([]);
    expect(isClosedByNotify).toBe(true);
  });

  it.each([
    ['a certificate that it signed itself', { ...TLS, cert: SELF_SIGNED_PEM }, 'hooks.example.com'],
    ['an expired certificate', { ...TLS, cert: EXPIRED_PEM }, 'hooks.example.com'],
    ['a certificate for another name', TLS, 'other.example.com'],
    ['a certificate for another address', { ...TLS, cert: SELF_SIGNED_PEM }, '127.0.0.1'],
    [
      'only an old protocol',
      { ...TLS, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' },
      'hooks.example.com',
    ],
    ['no certificate', { ciphers: 'ALL' }, 'hooks.example.com'],
    [
      'a request for a certificate of ours',
      { ...TLS, requestCert: true, rejectUnauthorized: true },
      'hooks.example.com',
    ],
  ] as [string, TlsOptions, string][])('fails with tls if the receiver has %s', async (_, tls, host) => {
    const { port, texts, closed } = await startReceiver(ok, { tls });
    const { post, clock } = client();
    expect(await post(host, port)).toMatchObject({ error: 'tls' });
    await closed();
    expect(texts.join('')).not.toContain('POST');
    expect(clock.pending.size).toBe(0);
  });

  it('fails with tls if the receiver sends plain text', async () => {
    const { port, closed } = await startReceiver(respondWith('HTTP/1.1 400 Bad Request'));
    expect(await client().post('hooks.example.com', port)).toMatchObject({ error: 'tls' });
    await closed();
  });

  it('fails with connect if the receiver closes or resets it during the handshake', async () => {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const { port, closed } = await startReceiver((socket) => void socket[end]());
      expect(await client().post('hooks.example.com', port)).toMatchObject({ error: 'connect' });
      await closed();
    }
  });

  it('ends after three seconds if the receiver never answers the handshake', async () => {
    const { post, clock } = client();
    const { port, closed } = await startReceiver(() => clock.expire(CONNECT_MS));
    expect(await post('hooks.example.com', port)).toEqual({
      error: 'timeout',
      reason: 'no connection within 3000 ms',
    });
    await closed();
    expect(clock.pending.size).toBe(0);
  });

  it('keeps a long reason short', async () => {
    const { port } = await startReceiver(ok, { tls: TLS });
    const result = await client().post(`${'a.'.repeat(100)}example.com`, port);
    expect(result).toMatchObject({ error: 'tls' });
    expect('reason' in result && result.reason.length).toBeLessThanOrEqual(300);
  });
});
