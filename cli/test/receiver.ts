import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An HTTP server that receives deliveries. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** The delivery with this number, which may still have to come. The first one is 1. */
  delivery(number: number): Promise<Received>;
  close(): Promise<void>;
}

/** @param statusOf the status of each response; undefined cuts the connection. Default: 204 */
export async function startReceiver(
  statusOf: (number: number) => number | undefined = () => 204,
): Promise<Receiver> {
  const received: Received[] = [];
  const respond = (request: IncomingMessage, response: ServerResponse, body: string) => {
    received.push({ headers: request.headers, body });
    const status = statusOf(received.length);
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status, { location: '/elsewhere' }).end();
    server.emit('received');
  };
  const server = createServer((request, response) => {
    // A request that was cut is not received.
    text(request).then(
      (body) => respond(request, response, body),
      () => {},
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    async delivery(number) {
      while (received.length < number) await once(server, 'received');
      return received[number - 1] as Received;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
