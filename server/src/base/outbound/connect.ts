import { request } from 'node:http';
import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { codeOf, messageOf, OutboundFailure } from './failure.js';

export interface Destination {
  /** The judged address. The connection goes there, whatever the name resolves to by then. */
  readonly address: string;
  readonly port: number;
  /** The name or address that the certificate must be for. Undefined: no TLS. */
  readonly certifiedHost: string | undefined;
}

/** Opens a connection. Calls `keep` with each socket that it creates, so that the caller can destroy it at any time. */
export type Connect = (to: Destination, keep: (socket: Socket) => void) => Promise<Socket>;

/** Errors of the connection. Any other error of a handshake is one of TLS. */
const TCP_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

export function createConnect(options: {
  readonly proxy: string | undefined;
  /** Certificate authorities instead of those of the system. For tests. */
  readonly ca?: string;
}): Connect {
  const proxy = options.proxy === undefined ? undefined : new URL(options.proxy);
  let context: SecureContext | undefined;

  const startTls = async (socket: Socket, { address, certifiedHost = '' }: Destination, keep: Keep) => {
    // Reading the certificate authorities takes long, so all connections share them.
    context ??= createSecureContext({ minVersion: 'TLSv1.2', ...(options.ca && { ca: options.ca }) });
    const secured = connectTls({
      socket,
      host: address,
      secureContext: context,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      // The extension must not hold an address. The certificate is then compared with `host`.
      ...(isIP(certifiedHost) === 0 && { servername: certifiedHost }),
    });
    keep(secured);
    try {
      await opened(secured, 'secureConnect');
    } catch (error) {
      throw new OutboundFailure(TCP_CODES.has(codeOf(error)) ? 'connect' : 'tls', messageOf(error));
    }
    return secured;
  };

  return async (to, keep) => {
    const socket = connectTcp(
      proxy
        ? { host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(proxy.port || 80) }
        : { host: to.address, port: to.port, autoSelectFamily: false },
    );
    keep(socket);
    await opened(socket, 'connect');
    if (proxy) await openTunnel(socket, proxy, to);
    return to.certifiedHost === undefined ? socket : startTls(socket, to, keep);
  };
}

type Keep = Parameters<Connect>[1];

/** Asks the proxy for a tunnel to the judged address. */
function openTunnel(socket: Socket, proxy: URL, { address, port }: Destination): Promise<void> {
  const path = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return new Promise((resolve, reject) => {
    const call = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path,
      headers: {
        host: path,
        ...(credentials !== ':' && {
          'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
    });
    call.once('connect', ({ statusCode = 0 }, _, head) => {
      if (statusCode < 200 || statusCode > 299) reject(new Error(`the proxy returned ${statusCode}`));
      else if (head.length > 0) reject(new Error('the proxy sent data before the request'));
      else resolve();
    });
    call.once('error', reject);
    call.once('close', () => reject(new Error('the proxy closed the connection')));
    call.end();
  });
}
