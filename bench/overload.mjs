// Three times as many requests as a node can serve, over more than 2,000 connections, from one account, beside a second account that
// sends a few. First each alone. The requests verify proofs. With BENCH_REQUESTS=records, half of them record a verification and half
// list them, which costs a node a fraction of that. Measures what is served, what is rejected with 503, how long both take, and whether
// every acknowledged write is stored. Needs a build. BENCH_SECONDS=<n> of overload, BENCH_CONNECTIONS=<n>.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { load, open } from './load.mjs';
import { enroll, makePeople, verification } from './people.mjs';
import { call, SERVICE, withServer } from './servers.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 2_200);
const TIMES = 3;
const ALONE_SECONDS = 10;
/** The connections with which bench/http.mjs and bench/records.mjs measure capacity. */
const CAPACITY_CONNECTIONS = 64;
/** The time between two requests of the quiet account. */
const QUIET_PAUSE_MS = 50;
/** A client that has no response until then gives up. */
const PATIENCE_MS = 10_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const requestsOf = {
  proofs: (subject) => ({ ...verification(subject), expected: 200 }),
  records: ({ headers }, n) =>
    n % 2 === 0
      ? { path: '/v1/verifications', headers, body: { method: 'manual', result: 'pass' }, expected: 201 }
      : { method: 'GET', path: '/v1/verifications?limit=10', headers, expected: 200 },
};
const requestOf = requestsOf[process.env.BENCH_REQUESTS ?? 'proofs'];
const isServed = (status) => status === 200 || status === 201;

function summary(times) {
  times.sort((left, right) => left - right);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { count: times.length, p50: at(0.5), p99: at(0.99) };
}

/** One request after another. Returns the times of the served ones, and how many were not. */
async function quiet(baseUrl, subject, seconds) {
  const client = await open(baseUrl);
  const until = performance.now() + seconds * 1000;
  const times = [];
  let created = 0;
  let failed = 0;
  for (let n = 0; performance.now() < until; n++) {
    const sent = performance.now();
    const request = requestOf(subject, n);
    const status = await client.send(request);
    if (isServed(status)) times.push(performance.now() - sent);
    else failed += 1;
    if (isServed(status) && request.method !== 'GET') created += 1;
    await pause(QUIET_PAUSE_MS);
  }
  client.close();
  return { ...summary(times), failed, created };
}

async function watchHealth(baseUrl, seconds) {
  const client = await open(baseUrl);
  const until = performance.now() + seconds * 1000;
  const times = [];
  let failed = 0;
  while (performance.now() < until) {
    const sent = performance.now();
    const status = await client.send({ method: 'GET', path: '/api/health', headers: {} });
    times.push(performance.now() - sent);
    if (status !== 200) failed += 1;
    await pause(200);
  }
  client.close();
  return { ...summary(times), failed };
}

/** A process of its own: requests at a fixed rate, whether or not earlier ones have a response. Times count from when a request was due. */
async function flood({ baseUrl, subject, perSecond, connections, seconds }) {
  const free = [];
  while (free.length < connections)
    free.push(...(await Promise.all(Array.from({ length: 50 }, () => open(baseUrl)))));
  process.send('open');
  const due = [];
  const counts = { sent: 0, gaveUp: 0, failed: 0 };
  const served = [];
  const rejected = [];
  let pending = 0;
  let n = 0;
  const send = async (connection, at) => {
    pending += 1;
    try {
      const status = await connection.send(requestOf(subject, n++));
      const time = performance.now() - at;
      if (time > PATIENCE_MS) counts.gaveUp += 1;
      else if (status === 503) rejected.push(time);
      else if (isServed(status)) served.push(time);
      else counts.failed += 1;
      free.push(connection);
    } catch {
      counts.failed += 1;
    }
    pending -= 1;
  };
  const sendDue = () => {
    while (due.length > 0 && free.length > 0) {
      const at = due.shift();
      if (performance.now() - at > PATIENCE_MS) counts.gaveUp += 1;
      else void send(free.shift(), at);
    }
  };
  const started = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - started) {
    for (; counts.sent < (elapsed * perSecond) / 1000; counts.sent++)
      due.push(started + (counts.sent * 1000) / perSecond);
    sendDue();
    await pause(5);
  }
  const taken = (performance.now() - started) / 1000;
  const servedPerSecond = served.length / taken;
  const ends = performance.now() + PATIENCE_MS;
  while ((pending > 0 || due.length > 0) && performance.now() < ends) {
    sendDue();
    await pause(5);
  }
  process.send({
    ...counts,
    unanswered: pending,
    servedPerSecond,
    served: summary(served),
    rejected: summary(rejected),
  });
}

if (process.argv[2] === 'flood') {
  await flood(JSON.parse(process.argv[3]));
  process.exit(0);
}

const people = await makePeople(2);
const postgres = await openPostgres({ embedded: false });
try {
  await withServer(postgres, SERVICE, async (baseUrl, _pid, databaseUrl) => {
    const [calm, busy] = [await enroll(baseUrl, people[0]), await enroll(baseUrl, people[1])];
    const capacity = () =>
      load(baseUrl, {
        connections: CAPACITY_CONNECTIONS,
        seconds: ALONE_SECONDS,
        next: (_id, n) => requestOf(busy, n),
      });
    await capacity();
    const alone = await quiet(baseUrl, calm, ALONE_SECONDS);
    const most = await capacity();
    const perSecond = TIMES * most.perSecond;
    const settings = { baseUrl, subject: busy, perSecond, connections: CONNECTIONS, seconds: SECONDS };
    const flooding = fork(fileURLToPath(import.meta.url), ['flood', JSON.stringify(settings)]);
    await once(flooding, 'message');
    const ended = once(flooding, 'message');
    await pause(1_000);
    const health = watchHealth(baseUrl, SECONDS - 2);
    const beside = await quiet(baseUrl, calm, SECONDS - 2);
    const [flooded] = await ended;
    const { p99: healthP99, failed: healthFailed } = await health;
    const after = await quiet(baseUrl, calm, ALONE_SECONDS);
    const again = await capacity();
    const chains = await call(baseUrl, 'GET', '/api/admin/audit-integrity', {
      'x-api-key': SERVICE.settings.ADMIN_API_KEY,
    });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const stored = await client.query('select count(*)::int as n from verifications where tenant_id = $1', [
      calm.tenantId,
    ]);
    await client.end();
    const ms = (value) => value.toFixed(0);
    console.log(
      `${TIMES} times the capacity of ${ms(most.perSecond)} a second for ${SECONDS} s over ${CONNECTIONS} connections: ${flooded.sent} requests, ${flooded.served.count} served, ${flooded.rejected.count} rejected with 503, ${flooded.failed} failed, ${flooded.gaveUp} gave up after ${PATIENCE_MS / 1000} s, ${flooded.unanswered} without a response.`,
    );
    console.table([
      {
        what: 'served a second / capacity',
        value: `${ms(flooded.servedPerSecond)} / ${ms(most.perSecond)}`,
        ratio: (flooded.servedPerSecond / most.perSecond).toFixed(2),
        promised: '0.9 or more',
      },
      {
        what: 'served, p50 and p99, ms',
        value: `${ms(flooded.served.p50)}, ${ms(flooded.served.p99)}`,
        promised: '2500',
      },
      {
        what: 'rejected, p50 and p99, ms',
        value: `${ms(flooded.rejected.p50)}, ${ms(flooded.rejected.p99)}`,
      },
      {
        what: 'quiet account, p50, ms, alone and beside',
        value: `${ms(alone.p50)}, ${ms(beside.p50)}`,
        ratio: (beside.p50 / alone.p50).toFixed(2),
      },
      {
        what: 'quiet account, p99, ms, alone and beside',
        value: `${ms(alone.p99)}, ${ms(beside.p99)}`,
        ratio: (beside.p99 / alone.p99).toFixed(2),
        promised: '2 or less',
      },
      { what: 'quiet account, served and rejected', value: `${beside.count}, ${beside.failed}` },
      { what: 'GET /api/health, p99, ms, and failed', value: `${ms(healthP99)}, ${healthFailed}` },
      {
        what: 'capacity afterwards',
        value: ms(again.perSecond),
        ratio: (again.perSecond / most.perSecond).toFixed(2),
      },
    ]);
    console.log(
      `Quiet account: ${alone.created + beside.created + after.created} acknowledged, ${stored.rows[0].n} stored. Audit chains: ${chains.status}.`,
    );
  });
} finally {
  await postgres.close();
}
process.exit(0);
