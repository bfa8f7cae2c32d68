// Lists with and without a read replica: lists per second and the CPU time of the primary server, first without writes and then
// with writes to the same accounts. Starts a PostgreSQL server and a standby. Needs a build. BENCH_SECONDS=<n> for each measurement.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { makePostgres } from '../../scripts/testing/test-databases.mjs';
import { migrate, readMigrations } from '../../server/dist/db/migrate.js';
import { openPostgres } from '../../server/dist/db/pg.js';
import { listEvents, postEvent, size } from '../harness.mjs';
import { load } from '../load.mjs';
import { bearer, SERVICE, signUp, startServer } from '../servers.mjs';

const SECONDS = size('SECONDS', 10);
const WARM_SECONDS = 3;
const CONNECTIONS = 32;
const WRITERS = 4;
const ACCOUNTS = 32;
const EVENTS = 2_000;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK']));

/** CPU seconds that a server and its processes, also those that ended, have used. */
function cpuSeconds({ data }) {
  const parent = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0];
  const children = execFileSync('ps', ['--ppid', parent, '-o', 'pid='], { encoding: 'utf8' }).split('\n');
  const ticksOf = (pid) => {
    let stat;
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      // It has just ended, so its parent, which is read last, counts it.
      return 0;
    }
    const fields = stat.split(') ')[1].split(' ');
    return [11, 12, ...(pid === parent ? [13, 14] : [])].reduce((sum, at) => sum + Number(fields[at]), 0);
  };
  const pids = [...children.map((pid) => pid.trim()).filter(Boolean), parent];
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS_PER_SECOND;
}

async function fillAccounts(url, tenantIds) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const tenantId of tenantIds)
    await client.query(
      `insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
       select $1::uuid, 'live', gen_random_uuid(), 'manual', 'pass', now() - n * interval '1 s', now() - n * interval '1 s'
       from generate_series(1, $2) as n`,
      [tenantId, EVENTS],
    );
  await client.query('vacuum analyze');
  await client.end();
}

/** Lists by all connections, and writes by a few more to the same accounts. */
async function measure({ baseUrl, keys, primary, seconds, writers }) {
  const headersOf = (id) => keys[id % ACCOUNTS];
  const lists = (id) => listEvents(headersOf(id));
  const writes = (id, n) => postEvent(headersOf(id * 7 + n));
  const before = cpuSeconds(primary);
  const [read] = await Promise.all([
    load(baseUrl, { connections: CONNECTIONS, seconds, next: lists }),
    ...(writers > 0 ? [load(baseUrl, { connections: writers, seconds, next: writes, pauseMs: 20 })] : []),
  ]);
  return { ...read, cpuMs: ((cpuSeconds(primary) - before) * 1_000) / read.count };
}

/** Which server served the reads, and why, in per cent, from the metrics. */
async function readSources(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = ['replica', 'behind', 'unavailable'].map((source) => [
    source,
    Number(new RegExp(`^svc_replica_reads_total{source="${source}"} (\\d+)`, 'm').exec(text)?.[1] ?? 0),
  ]);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries(counts.map(([source, count]) => [source, Math.round((count / all) * 100)]));
}

const primary = await makePostgres();
await primary.start();
const db = openPostgres({ url: primary.url });
await migrate(db, await readMigrations(new URL('../../server/migrations/', import.meta.url)));
await db.close();
await primary.stop('SIGINT');
const standby = await makePostgres({ standbyOf: primary });
await Promise.all([primary.start(), standby.start()]);
try {
  let keys;
  const results = [];
  for (const [index, readUrl] of ['', standby.url, '', standby.url].entries()) {
    const metricsPort = 20_000 + Math.floor(Math.random() * 20_000);
    const settings = { ...SERVICE.settings, DATABASE_READ_URL: readUrl, METRICS_PORT: String(metricsPort) };
    const { baseUrl, close } = await startServer({ ...SERVICE, settings }, primary.url);
    try {
      if (keys === undefined) {
        const accounts = [];
        for (let count = 0; count < ACCOUNTS; count++) accounts.push(await signUp(baseUrl));
        keys = accounts.map(({ apiKey }) => bearer(apiKey.key));
        await fillAccounts(
          primary.url,
          accounts.map(({ tenant }) => tenant.id),
        );
      }
      for (const writers of [0, WRITERS]) {
        await measure({ baseUrl, keys, primary, seconds: WARM_SECONDS, writers });
        const result = await measure({ baseUrl, keys, primary, seconds: SECONDS, writers });
        results.push({
          round: index < 2 ? 1 : 2,
          replica: readUrl !== '',
          writers,
          'lists/s': Math.round(result.perSecond),
          'p50 ms': Number(result.p50.toFixed(1)),
          'p99 ms': Number(result.p99.toFixed(1)),
          'primary CPU ms/list': Number(result.cpuMs.toFixed(3)),
          ...(readUrl !== '' && (await readSources(metricsPort))),
        });
      }
    } finally {
      await close();
    }
  }
  console.table(results);
} finally {
  await standby.remove();
  await primary.remove();
}
