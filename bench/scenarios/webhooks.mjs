// Webhooks over one node and one PostgreSQL. The time from the commit of a write to its arrival at a receiver, alone and beside 1,000
// receivers that never answer; how many events a second are delivered from a backlog; and what ten webhooks cost the writes of
// their account. Receivers are on the loopback address, in a thread of this process. Needs a build.
// BENCH_EVENTS=<n> single events, BENCH_BACKLOG=<n> events of the backlog, BENCH_DEAD=<n> dead receivers, BENCH_SECONDS=<n> of each load.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { median, pause, percentiles, row, size, withService } from '../harness.mjs';
import { open } from '../load.mjs';
import { bearer, call, signUp } from '../servers.mjs';

const EVENTS = size('EVENTS', 300);
const BACKLOG = size('BACKLOG', 10_000);
const DEAD = size('DEAD', 1_000);
const SECONDS = size('SECONDS', 6);
const PAUSE_MS = 30;
const CLIENTS = 16;
const DEAD_PER_ACCOUNT = 50;
/** Dead receivers have failed once by then, so they are known to be dead. */
const SETTLING_MS = 20_000;

const now = () => performance.timeOrigin + performance.now();

/** Listens in a thread: `/good` accepts, `/dead` never answers. Keeps the time at which each event arrived first. */
async function receive() {
  let arrived = new Map();
  const server = createServer((request, response) => {
    if (request.url === '/dead') return void request.resume();
    request.resume().on('end', () => {
      const id = request.headers['webhook-id'];
      if (!arrived.has(id)) arrived.set(id, now());
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 1;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  parentPort.on('message', (asked) => {
    if (asked === 'count') parentPort.postMessage(arrived.size);
    if (asked === 'take') {
      parentPort.postMessage(arrived);
      arrived = new Map();
    }
  });
  parentPort.postMessage(server.address().port);
}

async function measure(baseUrl) {
  const worker = new Worker(new URL(import.meta.url));
  const [port] = await once(worker, 'message');
  const ask = async (what) => {
    worker.postMessage(what);
    return (await once(worker, 'message'))[0];
  };
  const url = (path) => `http://127.0.0.1:${port}${path}`;

  async function makeAccount() {
    const { token } = await signUp(baseUrl);
    const scopes = ['events:read', 'webhooks:write', 'devices:write'];
    const body = { name: 'Bench', environment: 'live', scopes };
    const { apiKey } = await call(baseUrl, 'POST', '/api/console/keys', bearer(token), body);
    return bearer(apiKey.key);
  }
  const createHook = async (headers, body) =>
    (await call(baseUrl, 'POST', '/v1/webhooks', headers, { events: ['device.*'], ...body })).webhook;
  const remove = (headers, { id }) => call(baseUrl, 'DELETE', `/v1/webhooks/${id}`, headers);
  const head = async (headers) => {
    for (let after = 0; ; ) {
      const { next } = await call(baseUrl, 'GET', `/v1/events?after=${after}&types=tenant.created`, headers);
      if (next === after) return after;
      after = next;
    }
  };

  /** From the response of each write to the arrival of its event. */
  async function latency() {
    const headers = await makeAccount();
    await createHook(headers, { url: url('/good') });
    // A receiver that never accepted anything waits behind others of its kind.
    await ask('take');
    await call(baseUrl, 'POST', '/v1/devices', headers, { name: 'Gate' });
    await drain(1);
    await pause(500);
    const start = await head(headers);
    await ask('take');
    const client = await open(baseUrl);
    const respondedAt = [];
    for (let n = 0; n < EVENTS; n++) {
      const status = await client.send({ path: '/v1/devices', headers, body: { name: `Gate ${n}` } });
      if (status !== 201) throw new Error(`A write returned ${status}.`);
      respondedAt.push(now());
      await pause(PAUSE_MS);
    }
    client.close();
    await pause(1_000);
    const arrived = await ask('take');
    const ids = [];
    for (let after = start; ids.length < EVENTS; ) {
      const page = await call(baseUrl, 'GET', `/v1/events?after=${after}&types=device.created`, headers);
      ids.push(...page.events.map(({ id }) => `evt_${id}`));
      after = page.next;
    }
    const times = ids.map((id, at) => Math.max(0, (arrived.get(id) ?? Number.NaN) - respondedAt[at]));
    const missing = times.filter(Number.isNaN).length;
    if (missing > 0) throw new Error(`${missing} events did not arrive.`);
    return percentiles(times);
  }

  /** Writes of several clients. Returns how many a second. */
  async function write(headers, seconds) {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => open(baseUrl)));
    const end = performance.now() + seconds * 1_000;
    let written = 0;
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < end) {
          const status = await client.send({ path: '/v1/devices', headers, body: { name: 'Gate' } });
          if (status !== 201) throw new Error(`A write returned ${status}.`);
          written++;
        }
        client.close();
      }),
    );
    return written / seconds;
  }

  async function drain(expected) {
    const began = performance.now();
    while ((await ask('count')) < expected) await pause(50);
    return expected / ((performance.now() - began) / 1_000);
  }

  /** Events a second from a backlog, to one webhook. */
  async function backlog(headers, since) {
    await ask('take');
    const hook = await createHook(headers, { url: url('/good'), since });
    const rate = await drain(BACKLOG);
    await remove(headers, hook);
    return rate;
  }

  const headers = await makeAccount();
  await write(headers, 2);
  const start = await head(headers);
  while ((await head(headers)) < start + BACKLOG) await write(headers, 1);
  await backlog(headers, start);
  const rate = await backlog(headers, start);

  /** Writes with and without ten webhooks, in turns. */
  async function compare(events) {
    const rates = { without: [], with: [] };
    for (let round = 0; round < 4; round++) {
      rates.without.push(await write(headers, SECONDS));
      const hooks = [];
      for (let n = 0; n < 10; n++) hooks.push(await createHook(headers, { url: url('/good'), events }));
      await pause(1_500);
      rates.with.push(await write(headers, SECONDS));
      for (const hook of hooks) await remove(headers, hook);
      await pause(2_500);
    }
    return { without: median(rates.without), with: median(rates.with) };
  }
  const idle = await compare(['identity.revoked']);
  const busy = await compare(['device.*']);

  const alone = await latency();
  for (let n = 0; n < DEAD / DEAD_PER_ACCOUNT; n++) {
    const account = await makeAccount();
    for (let m = 0; m < DEAD_PER_ACCOUNT; m++) await createHook(account, { url: url('/dead') });
    await call(baseUrl, 'POST', '/v1/devices', account, { name: 'Gate' });
  }
  await pause(SETTLING_MS);
  const crowded = await latency();
  return { rate, idle, busy, alone, crowded };
}

if (isMainThread) {
  const settings = {
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  };
  const { rate, idle, busy, alone, crowded } = await withService(measure, settings);
  const faster = (what, ours, yardstick, theirs) => row(what, ours, yardstick, theirs, theirs / ours);
  console.log(`Webhooks: ${EVENTS} single events, a backlog of ${BACKLOG}, ${DEAD} dead receivers`);
  console.table([
    faster('response of a write to arrival, p50, ms', alone.p50, 'promised', 150),
    faster('the same, p99, ms', alone.p99, 'promised', 150),
    faster('the same beside dead receivers, p50, ms', crowded.p50, 'alone', alone.p50),
    faster('the same beside dead receivers, p99, ms', crowded.p99, 'alone', alone.p99),
    row('deliveries a second from a backlog', rate, 'promised', 2_000, rate / 2_000),
    row(
      'writes/s, 10 webhooks select none of them',
      idle.with,
      'no webhook',
      idle.without,
      idle.with / idle.without,
    ),
    row(
      'writes/s, 10 webhooks get all of them',
      busy.with,
      'no webhook',
      busy.without,
      busy.with / busy.without,
    ),
  ]);
  process.exit(0);
} else await receive();
