// A small load balancer for tests. It queries /api/health/ready of each node and distributes requests to the nodes that return 200.
//
// It sends a request to another node only if the first one can't have seen it: each request has its own connection, and a rejected
// connection carried nothing. Bodies and responses are streamed.
import { createServer, request } from 'node:http';

const CHECK_MS = 200;
const CHECK_TIMEOUT_MS = 1_000;
/** Of one hop (RFC 9110 7.6.1), or the balancer's own to say. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'],
]);

/**
 * @typedef {object} Balancer
 * @property {number} port
 * @property {(port: number) => boolean} isReady what the last check of that node said
 * @property {() => Promise<void>} close
 */

/**
 * Listens on 127.0.0.1 and serves from the nodes on these ports of it.
 * @param {{ port: number, nodes: readonly number[] }} options
 * @returns {Promise<Balancer>}
 */
export async function startBalancer({ port, nodes }) {
  const ready = new Map(nodes.map((node) => [node, false]));
  let turn = 0;
  let closed = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  async function check() {
    await Promise.all(nodes.map(async (node) => ready.set(node, await isReady(node))));
    if (!closed) timer = setTimeout(check, CHECK_MS);
  }

  /** The nodes to try: those that are ready, beginning with another one each time. */
  const candidates = () => {
    const able = nodes.filter((node) => ready.get(node));
    turn += 1;
    return able.map((_, at) => able[(turn + at) % able.length]);
  };

  const server = createServer((incoming, reply) => pass(incoming, reply, candidates()));
  server.on('clientError', (_, socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'),
  );
  await check();
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
  });
  return {
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
    isReady: (node) => ready.get(node) === true,
    async close() {
      closed = true;
      clearTimeout(timer);
      const done = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await done;
    },
  };
}

/** @returns {Promise<boolean>} */
function isReady(/** @type {number} */ node) {
  return new Promise((resolve) => {
    const sent = request({ port: node, host: '127.0.0.1', path: '/api/health/ready', agent: false });
    sent.setTimeout(CHECK_TIMEOUT_MS, () => sent.destroy());
    sent.on('error', () => resolve(false)).on('close', () => resolve(false));
    sent.on('response', (reply) => {
      resolve(reply.statusCode === 200);
      reply.resume();
    });
    sent.end();
  });
}

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} reply
 * @param {number[]} nodes to try, in order
 */
function pass(incoming, reply, [node, ...others]) {
  if (node === undefined) return refuse(incoming, reply, 503, 'No node is ready.');
  const sent = request({
    port: node,
    host: '127.0.0.1',
    agent: false,
    method: incoming.method,
    path: incoming.url,
    headers: [
      ...forwarded(incoming.rawHeaders),
      'X-Forwarded-For',
      incoming.socket.remoteAddress ?? '',
      'Connection',
      'close',
    ],
  });
  let connected = false;
  const leave = () => sent.destroy();
  sent.on('socket', (socket) =>
    socket.once('connect', () => {
      connected = true;
      incoming.pipe(sent);
    }),
  );
  reply.once('close', leave);
  sent.on('error', () => {
    if (reply.destroyed) return;
    if (!connected) {
      reply.off('close', leave);
      pass(incoming, reply, others);
    } else if (reply.headersSent) reply.destroy();
    // The node may have done what it was asked: nobody but the client can know whether to ask again.
    else refuse(incoming, reply, 502, 'The node did not answer.');
  });
  sent.on('response', (answer) => {
    reply.writeHead(answer.statusCode ?? 502, forwarded(answer.rawHeaders));
    reply.flushHeaders();
    answer.on('error', () => reply.destroy());
    answer.pipe(reply);
  });
}

/** Headers as they came, in order and repeated where they were, without those that end at each hop. */
function forwarded(/** @type {string[]} */ rawHeaders) {
  /** @type {string[][]} */
  const pairs = [];
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push(rawHeaders.slice(at, at + 2));
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()));
  return pairs
    .filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
    .flat();
}

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} reply
 * @param {number} status
 * @param {string} message
 */
function refuse(incoming, reply, status, message) {
  incoming.resume();
  reply.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(status === 503 && { 'retry-after': '1' }),
  });
  reply.end(JSON.stringify({ error: status === 503 ? 'service_unavailable' : 'bad_gateway', message }));
}
