// A closed loop of clients over kept-alive connections: each sends its next request when its last was answered.
import { Agent, request } from 'node:http';

/** One request over the agent; resolves to its status once the body was read. */
function send(agent, baseUrl, { method = 'POST', path, headers, body }) {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(
      new URL(path, baseUrl),
      {
        agent,
        method,
        headers: {
          ...headers,
          ...(payload && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        },
      },
      (reply) => {
        reply
          .resume()
          .on('end', () => resolve(reply.statusCode))
          .on('error', reject);
      },
    );
    sent.on('error', reject).end(payload);
  });
}

/**
 * Loads a server for some seconds. `next(client, n)` makes a client's n-th request, with the status that it must get, or
 * nothing when that client is done.
 * @returns requests a second and latencies in ms of those that were answered as they must be
 */
export async function load(baseUrl, { connections, seconds, next }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const until = started + seconds * 1000;
  const latencies = [];
  const client = async (id) => {
    for (let n = 0; performance.now() < until; n++) {
      const asked = next(id, n);
      if (asked === undefined) return;
      const { expected = 200, counted = true, ...wanted } = asked;
      const at = performance.now();
      const status = await send(agent, baseUrl, wanted);
      if (status !== expected) throw new Error(`${wanted.path} answered ${status}, and not ${expected}`);
      if (counted) latencies.push(performance.now() - at);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, id) => client(id)));
  } finally {
    agent.destroy();
  }
  const taken = (performance.now() - started) / 1000;
  latencies.sort((left, right) => left - right);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return { perSecond: latencies.length / taken, p50: at(0.5), p99: at(0.99), count: latencies.length };
}
