// A closed loop of clients, each with its own keep-alive connection: each sends its next request after the response to the last
// one. It speaks plain HTTP/1.1 over sockets, because its own cost is taken from the server's share of the machine, and most from
// the faster server's.
import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** One connection. `send` resolves to the status when the whole response has been read. */
export async function open(baseUrl) {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let waiting;
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf(HEAD_END);
    if (end < 0 || waiting === undefined) return;
    const head = received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) return waiting.reject(new Error(`a response without a length: ${head}`));
    if (received.length < end + HEAD_END.length + Number(length)) return;
    const { resolve } = waiting;
    waiting = undefined;
    received = Buffer.alloc(0);
    resolve(Number(head.slice(9, 12)));
  });
  const lost = (error) => waiting?.reject(error ?? new Error('The server closed a connection.'));
  socket.on('error', lost).on('close', () => lost());
  return {
    send({ method = 'POST', path, headers, body }) {
      const payload = body === undefined ? '' : JSON.stringify(body);
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      if (payload)
        fields.push(`content-type: application/json\r\ncontent-length: ${Buffer.byteLength(payload)}\r\n`);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${fields.join('')}\r\n${payload}`);
      });
    },
    close: () => socket.destroy(),
  };
}

/**
 * Loads a server for some seconds. `next(client, n)` returns a client's n-th request, with the expected status, or nothing if that
 * client is done. `pauseMs` is the pause between two requests.
 * @returns requests per second and latencies in ms of the responses with the expected status
 */
export async function load(baseUrl, { connections, seconds, next, pauseMs = 0 }) {
  const started = performance.now();
  const until = started + seconds * 1000;
  const latencies = [];
  const client = async (id) => {
    const connection = await open(baseUrl);
    try {
      for (let n = 0; performance.now() < until; n++) {
        const request = next(id, n);
        if (request === undefined) return;
        const { expected = 200, counted = true, ...wanted } = request;
        const at = performance.now();
        const status = await connection.send(wanted);
        if (status !== expected) throw new Error(`${wanted.path} returned ${status} instead of ${expected}`);
        if (counted) latencies.push(performance.now() - at);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, id) => client(id)));
  const taken = (performance.now() - started) / 1000;
  latencies.sort((left, right) => left - right);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return { perSecond: latencies.length / taken, p50: at(0.5), p99: at(0.99), count: latencies.length };
}
