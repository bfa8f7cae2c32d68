// Writes on a Citus cluster of a coordinator and two workers, compared with plain PostgreSQL in one run, in turns: 32 connections,
// one account and many. All servers are started for this run, on this machine, with the same settings. Needs a build and a PostgreSQL
// with the extension Citus. BENCH_SECONDS=<n> for each measurement, BENCH_ROUNDS=<n>.
import { findCitus, joinMachines, makeCluster, runOn } from '../scripts/testing/citus.mjs';
import { operate } from '../server/dist/bin/operate.js';
import { load } from './load.mjs';
import { bearer, SECRET, SERVICE, signUp, startServer } from './servers.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
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
  return { ...server, name, keys };
}

const write = ({ baseUrl, keys }, accounts) =>
  load(baseUrl, {
    connections: CONNECTIONS,
    seconds: SECONDS,
    next: (id) => ({
      path: '/v1/verifications',
      headers: keys[id % accounts],
      body: { method: 'manual', result: 'pass' },
      expected: 201,
    }),
  });

const median = (values) => values.toSorted((left, right) => left - right)[values.length >> 1];

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
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
} finally {
  await cluster.remove();
}
