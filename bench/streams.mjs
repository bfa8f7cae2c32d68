// Event streams over two nodes, one PostgreSQL and one Redis: 1,000 desktops wait on both nodes while phones submit proofs, each to
// the other node than its desktop's. Measures the time from a submit to the desktop's event, the memory of a stream, and whether all
// of it is released. Then the same desktops show moving codes: the share of a core that these cost. Needs a build, and REDIS_URL or a `redis-server` on the PATH.
// BENCH_STREAMS=<n> open streams, BENCH_PAIRINGS=<n> submits.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { boundSignal, didHash, pairingBind } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { open } from './load.mjs';
import { openRedis } from './redis.mjs';
import { bearer, call, freePort, SERVICE, signUp, startServer, withDatabase } from './servers.mjs';

const STREAMS = Number(process.env.BENCH_STREAMS ?? 1_000);
const PAIRINGS = Number(process.env.BENCH_PAIRINGS ?? 200);
/** Submits before the measurement. */
const WARM = 20;
const ACCOUNTS = 4;
/** The time between two submits. */
const PAUSE_MS = 100;
/** Concurrent requests that open sessions and streams. */
const AT_ONCE = 16;
const RELEASED_WITHIN_MS = 10_000;
/** Several slots of a moving code. */
const WAITING_MS = 40_000;
const SESSIONS = '/v1/proof-pairing/sessions';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));

/** Calls `create(n)` for each number below `count`, several at a time, and returns the results. */
async function many(count, create) {
  const created = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next++;
      created[n] = await create(n);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return created;
}

/** A node with its metrics, and its memory after a garbage collection. */
async function startNode(databaseUrl, redisUrl) {
  const metricsPort = await freePort();
  const settings = { ...SERVICE.settings, REDIS_URL: redisUrl, METRICS_PORT: String(metricsPort) };
  const probe = fileURLToPath(new URL('collect.mjs', import.meta.url));
  const flags = ['--expose-gc', '--import', probe];
  const { baseUrl, server, close } = await startServer({ ...SERVICE, settings, flags }, databaseUrl);
  return {
    baseUrl,
    close,
    async gauge(name) {
      const reply = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await reply.text())?.[1]);
    },
    async memory() {
      const respondedAt = once(server, 'message');
      server.send('collect');
      const [{ rss, heapUsed }] = await respondedAt;
      return { rss, heap: heapUsed };
    },
  };
}

/** The totals of both nodes. */
async function memoryOf(nodes) {
  const all = await Promise.all(nodes.map(({ memory }) => memory()));
  const sum = (of) => all.reduce((total, one) => total + one[of], 0);
  return { rss: sum('rss'), heap: sum('heap') };
}

const streamsOf = async (nodes) => {
  const open = await Promise.all(nodes.map(({ gauge }) => gauge('svc_streams_open')));
  return open.reduce((sum, one) => sum + one, 0);
};

/** An account with a person who has a phone. */
async function makeAccount({ baseUrl }) {
  const { tenant, apiKey } = await signUp(baseUrl);
  const headers = bearer(apiKey.key);
  const phone = createIdentity();
  await call(baseUrl, 'POST', '/v1/identity/register', headers, {
    did: phone.did,
    commitment: phone.commitment,
  });
  return { tenantId: tenant.id, headers, phone };
}

async function openSession({ baseUrl }, { headers }, asked = {}) {
  const reply = await fetch(new URL(SESSIONS, baseUrl), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  if (reply.status !== 201) throw new Error(`Opening a session returned ${reply.status}.`);
  const [cookie] = reply.headers.get('set-cookie').split(';');
  const { session } = await reply.json();
  return { id: session.id, nonce: session.nonce, headers: { ...headers, cookie } };
}

/** Opens a stream on its own connection. Resolves when the first event has arrived. */
async function watch({ baseUrl }, { id, headers }) {
  const sent = request(new URL(`${SESSIONS}/${id}/stream`, baseUrl), { headers, agent: false }).end();
  const [reply] = await once(sent, 'response');
  if (reply.statusCode !== 200) throw new Error(`A stream returned ${reply.statusCode}.`);
  sent.on('error', () => {});
  reply.on('error', () => {});
  let text = '';
  let began;
  let bound;
  const created = new Promise((resolve) => {
    began = resolve;
  });
  /** Resolves with the time of the bind event. */
  const boundAt = new Promise((resolve) => {
    bound = resolve;
  });
  reply.setEncoding('utf8').on('data', (piece) => {
    text += piece;
    if (text.includes('event: session_bound\n')) bound(performance.now());
    else if (text.includes('event: session_created\n')) began();
  });
  reply.on('end', () => {
    began();
    bound(undefined);
  });
  await created;
  return { boundAt, leave: () => reply.destroy() };
}

const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
async function prove({ tenantId, phone }, { id, nonce }) {
  const { did, biometricSecret, salt } = phone;
  const bind = pairingBind({ tenantId, environment: 'live', sessionId: id, nonce });
  const proof = await prover.prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });
  return { did, ...proof };
}

/** Sessions with the proofs that will bind them. */
async function prepare(nodes, accounts, count) {
  const pairings = await many(count, async (n) => {
    const [at, account] = [n % nodes.length, accounts[n % ACCOUNTS]];
    return { at, account, session: await openSession(nodes[at], account) };
  });
  for (const pairing of pairings) pairing.body = await prove(pairing.account, pairing.session);
  return pairings;
}

/** One pairing after another: the times of its submit, of the response, and of the event at the desktop on the other node. */
async function submitAll(nodes, pairings) {
  const phones = await Promise.all(nodes.map(({ baseUrl }) => open(baseUrl)));
  const times = [];
  for (const { at, account, session, body } of pairings) {
    const desktop = await watch(nodes[at], session);
    await pause(PAUSE_MS);
    const phone = phones[(at + 1) % nodes.length];
    const sent = performance.now();
    const path = `${SESSIONS}/${session.id}/submit`;
    const status = await phone.send({ path, headers: account.headers, body });
    const respondedAt = performance.now();
    if (status !== 200) throw new Error(`A submit returned ${status}.`);
    const boundAt = await desktop.boundAt;
    if (boundAt === undefined) throw new Error('A stream ended without its event.');
    times.push({ total: boundAt - sent, afterResponse: Math.max(0, boundAt - respondedAt) });
  }
  for (const phone of phones) phone.close();
  return {
    total: percentiles(times.map(({ total }) => total)),
    afterResponse: percentiles(times.map(({ afterResponse }) => afterResponse)),
  };
}

/** The processor time of the nodes while their desktops wait, as a share of one core. */
async function costOfWaiting(nodes, accounts, asked) {
  const waiting = await many(STREAMS, (n) =>
    openSession(nodes[n % nodes.length], accounts[n % ACCOUNTS], asked),
  );
  const desktops = await many(STREAMS, (n) => watch(nodes[n % nodes.length], waiting[n]));
  await pause(2_000);
  const used = async () =>
    (await Promise.all(nodes.map(({ gauge }) => gauge('process_cpu_seconds_total')))).reduce(
      (a, b) => a + b,
      0,
    );
  const before = await used();
  await pause(WAITING_MS);
  const share = ((await used()) - before) / (WAITING_MS / 1000);
  for (const { leave } of desktops) leave();
  return share * 100;
}

function percentiles(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}

async function measure(nodes) {
  const accounts = [];
  for (let n = 0; n < ACCOUNTS; n++) accounts.push(await makeAccount(nodes[0]));
  await submitAll(nodes, await prepare(nodes, accounts, WARM));
  const alone = await submitAll(nodes, await prepare(nodes, accounts, PAIRINGS));

  const pairings = await prepare(nodes, accounts, PAIRINGS);
  const waiting = await many(STREAMS, (n) => openSession(nodes[n % nodes.length], accounts[n % ACCOUNTS]));
  const before = await memoryOf(nodes);
  const desktops = await many(STREAMS, (n) => watch(nodes[n % nodes.length], waiting[n]));
  const opened = await memoryOf(nodes);
  const crowded = await submitAll(nodes, pairings);
  const stillOpen = await streamsOf(nodes);
  if (stillOpen !== STREAMS) throw new Error(`${stillOpen} streams are open instead of ${STREAMS}.`);
  for (const { gauge } of nodes)
    if ((await gauge('svc_redis_up')) !== 1) throw new Error('Redis was lost during the measurement.');

  for (const { leave } of desktops) leave();
  const left = performance.now();
  while ((await streamsOf(nodes)) > 0) {
    if (performance.now() - left > RELEASED_WITHIN_MS)
      throw new Error('Streams stay open after their clients left.');
    await pause(50);
  }
  const after = await memoryOf(nodes);
  const still = await costOfWaiting(nodes, accounts, {});
  const moving = await costOfWaiting(nodes, accounts, { rotate: true });
  return { alone, crowded, before, opened, after, still, moving };
}

const postgres = await openPostgres({ embedded: false });
const redis = await openRedis();
try {
  const { alone, crowded, before, opened, after, still, moving } = await withDatabase(
    postgres,
    'streams',
    async (databaseUrl) => {
      const nodes = [];
      try {
        for (const _ of ['one', 'two']) nodes.push(await startNode(databaseUrl, redis.url));
        return await measure(nodes);
      } finally {
        await Promise.all(nodes.map(({ close }) => close()));
      }
    },
  );
  const row = (what, ours, yardstick, theirs) => ({
    what,
    ours: ours.toFixed(1),
    yardstick,
    theirs: theirs.toFixed(1),
    ratio: (theirs / ours).toFixed(2),
  });
  console.log(`Pairing across two nodes, ${STREAMS} streams open, ${PAIRINGS} submits`);
  console.table([
    row(
      'submit sent to event at the desktop, p50, ms',
      crowded.total.p50,
      'without the streams',
      alone.total.p50,
    ),
    row('the same, p99, ms', crowded.total.p99, 'without the streams', alone.total.p99),
    row('the same, p99, ms', crowded.total.p99, 'promised', 50),
    row(
      'response of the submit to event, p99, ms',
      crowded.afterResponse.p99,
      'without the streams',
      alone.afterResponse.p99,
    ),
    row('moving codes, % of a core', moving, 'codes that stay', still),
    row('what moving adds, % of a core', moving - still, 'promised', 3),
    row('resident memory a stream, kB', (opened.rss - before.rss) / STREAMS / 1000, 'promised', 50),
  ]);
  const heap = (bytes) => `${((bytes - before.heap) / 1e6).toFixed(1)} MB`;
  console.log(
    `Heap above what it was before: ${heap(opened.heap)} with the streams, ${heap(after.heap)} once all have left.`,
  );
} finally {
  redis.close();
  await postgres.close();
}
process.exit(0);
