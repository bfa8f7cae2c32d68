// Writes on a Citus cluster of a coordinator and two workers, compared with plain PostgreSQL in one run, in turns: 32 connections,
// one account and many. All servers are started for this run, on this machine, with the same settings. Needs a build and a PostgreSQL
// with the extension Citus. Then an account with a million rows on both. BENCH_SECONDS=<n> for each measurement, BENCH_ROUNDS=<n>,
// BENCH_ROWS=<n> for the large account.
import { findCitus, joinMachines, makeCluster, runOn } from '../../scripts/testing/citus.mjs';
import { operate } from '../../server/dist/bin/operate.js';
import { listEvents, median, postEvent, size } from '../harness.mjs';
import { load } from '../load.mjs';
import { ADMIN, bearer, call, SECRET, SERVICE, signUp, startServer } from '../servers.mjs';
import { grow } from './grow.mjs';

const SECONDS = size('SECONDS', 8);
const ROUNDS = size('ROUNDS', 3);
const ROWS = size('ROWS', 1_000_000);
const CONNECTIONS = 32;
const ACCOUNTS = 32;
const DATABASE = 'svc_bench';

if (findCitus() === undefined) {
  console.error('!! NOT MEASURED: no PostgreSQL on this machine has the extension Citus.');
  process.exit(0);
}

/** The database on each of these machines; the first is the one that the service uses. */
async function createDatabase(machines) {
  const urls = machines.map(({ url }) => Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href);
  for (const { url } of machines)
    await runOn(url, 'set citus.enable_create_database_propagation to off', `create database ${DATABASE}`);
  if (machines.length > 1) await joinMachines(urls[0], urls.slice(1));
  return urls[0];
}

async function svc(url, command) {
  const reply = await operate({ DATABASE_URL: url, SVC_SECRET: SECRET }, { command, input: {} });
  if (!reply.ok) throw new Error(reply.error);
}

async function serve(name, url) {
  const server = await startServer({ ...SERVICE, name }, url);
  const keys = [];
  for (let n = 0; n < ACCOUNTS; n++) keys.push(bearer((await signUp(server.baseUrl)).apiKey.key));
  return { ...server, name, url, keys };
}

const measure = ({ baseUrl }, next) => load(baseUrl, { connections: CONNECTIONS, seconds: SECONDS, next });
const write = (server, accounts) => measure(server, (id) => postEvent(server.keys[id % accounts]));

/** Writes, lists and an integrity check of an account whose tables have `ROWS` rows. */
async function measureLarge(server) {
  const { apiKey, tenant } = await signUp(server.baseUrl);
  const headers = bearer(apiKey.key);
  await grow(server.url, tenant.id, ROWS);
  const list = (query) => measure(server, () => listEvents(headers, query));
  await list('');
  const rates = {
    'GET /v1/verifications?limit=50': (await list('')).perSecond,
    'GET /v1/verifications?limit=50&result=pass': (await list('&result=pass')).perSecond,
    'POST /v1/verifications': (await measure(server, () => postEvent(headers))).perSecond,
  };
  const started = performance.now();
  const admin = { 'x-api-key': ADMIN };
  const { status, checked } = await call(
    server.baseUrl,
    'GET',
    `/api/admin/audit-integrity?tenantId=${tenant.id}`,
    admin,
  );
  if (status !== 'pass') throw new Error(`The audit chain of the ${server.name} server is not intact.`);
  return { ...rates, 'audit integrity, rows': (checked * 1_000) / (performance.now() - started) };
}

// As in production, every commit waits for the disk.
const cluster = await makeCluster({ settings: { fsync: 'on' } });
try {
  const single = await cluster.addMachine();
  const url = await createDatabase(cluster.machines.filter((machine) => machine !== single));
  await svc(url, 'migrate');
  await svc(url, 'scale citus apply');
  const servers = [await serve('plain', await createDatabase([single])), await serve('citus', url)];
  try {
    for (const accounts of [1, ACCOUNTS]) {
      for (const server of servers) await write(server, accounts);
      const rates = { plain: [], citus: [] };
      const waits = { plain: [], citus: [] };
      for (let round = 0; round < ROUNDS; round++)
        for (const server of servers) {
          const { perSecond, p99 } = await write(server, accounts);
          rates[server.name].push(perSecond);
          waits[server.name].push(p99);
        }
      const [plain, citus] = [median(rates.plain), median(rates.citus)];
      console.log(
        `POST /v1/verifications, ${accounts} account${accounts > 1 ? 's' : ''}: plain ${plain.toFixed(0)}/s (p99 ${median(waits.plain).toFixed(0)} ms), ` +
          `citus ${citus.toFixed(0)}/s (p99 ${median(waits.citus).toFixed(0)} ms): ${(citus / plain).toFixed(2)} times`,
      );
    }
    const [plain, citus] = [await measureLarge(servers[0]), await measureLarge(servers[1])];
    for (const [what, rate] of Object.entries(plain))
      console.log(
        `${what}, ${ROWS} rows: plain ${rate.toFixed(0)}/s, citus ${citus[what].toFixed(0)}/s: ${(citus[what] / rate).toFixed(2)} times`,
      );
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
} finally {
  await cluster.remove();
}
