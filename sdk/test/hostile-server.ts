import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request as received. */
export interface RawRequest {
  /** `POST /v1/devices`. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server that sends any bytes and cuts connections, as a test decides. */
export interface HostileServer {
  readonly url: string;
  /** All requests received so far. */
  readonly requests: readonly RawRequest[];
  close(): Promise<void>;
}

/** Called for each request; `count` starts at 1. */
type Behaviour = (socket: Socket, request: RawRequest, count: number) => void;

export async function hostileServer(behave: Behaviour): Promise<HostileServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
      for (let request = next(); request !== undefined; request = next()) {
        requests.push(request);
        behave(socket, request, requests.length);
      }
    });
    const next = (): RawRequest | undefined => {
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      const [line = '', ...fields] = text.slice(0, end).split('\r\n');
      const headers = Object.fromEntries(
        fields.map((field) => [
          field.slice(0, field.indexOf(':')).toLowerCase(),
          field.slice(field.indexOf(':') + 2),
        ]),
      );
      const length = Number(headers['content-length'] ?? 0);
      if (text.length < end + 4 + length) return undefined;
      const body = text.slice(end + 4, end + 4 + length);
      text = text.slice(end + 4 + length);
      return { line: line.replace(/ HTTP.*/, ''), headers, body };
    };
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a complete response. The connection stays open. */
export function respond(
  socket: Socket,
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = Object.entries({
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${text}`);
}

/** The body of an error response of the service. */
export const errorBody = (error: string, more: object = {}) => ({
  error,
  message: `The message of ${error}.`,
  docs: `/docs/errors#${error}`,
  requestId: '019e1b2c-0000-7000-8000-000000000001',
  ...more,
});

/** Sends the head of an event stream. `chunk` sends its content. */
export function beginStream(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n');
}

export function chunk(socket: Socket, text: string): void {
  socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}
