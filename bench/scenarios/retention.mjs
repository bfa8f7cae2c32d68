// Deleting old records, and what other writes take at the same time: an account sets a retention time beside 800,000 old verifications and
// attendance events, while 8 connections write events to the same account or to another one. Needs a build. BENCH_ROWS=<n> for the old records,
// BENCH_SECONDS=<n> for each measurement.
import pg from 'pg';
import { median, pause, postEvent, size, withPostgres } from '../harness.mjs';
import { load } from '../load.mjs';
import { bearer, call, SERVICE, signUp, startServer, withDatabase } from '../servers.mjs';

const ROWS = size('ROWS', 800_000);
const SECONDS = size('SECONDS', 6);
const ROUNDS = 3;
const WARM_SECONDS = 3;
/** A run of the job ends after half a minute, and the next one begins two minutes later. */
const MAX_WAIT_MS = 200_000;
const CONNECTIONS = 8;
const PROMISED_ROWS = 20_000;
const PROMISED_RATIO = 1.3;

/** Rows with ids of their time, as servers made them over a month that is over a year ago. */
const idAt = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`;
const times = `(select n, now() - interval '400 days' + n * interval '4 seconds' as at from generate_series(1, $2::int) n) old`;

async function grow(client, tenantId, rows) {
  await client.query(
    `insert into verifications (tenant_id, environment, id, method, result, user_id, reference_id, occurred_at, created_at)
      select $1, 'live', ${idAt}, 'manual', 'pass', gen_random_uuid(), 'order ' || n, at, at from ${times}`,
    [tenantId, rows],
  );
  await client.query(
    `insert into attendance (tenant_id, environment, id, user_id, type, result, occurred_at, created_at)
      select $1, 'live', ${idAt}, gen_random_uuid(), 'check_in', 'accepted', at, at from ${times}`,
    [tenantId, rows],
  );
  // What housekeeping has done since.
  await client.query(`delete from record_count_changes where tenant_id = $1`, [tenantId]);
  await client.query('vacuum analyze verifications');
  await client.query('vacuum analyze attendance');
}

/** How many rows the audit log says were deleted. */
async function countDeleted(client, tenantId) {
  const { rows } = await client.query(
    `select coalesce(sum((metadata ->> 'verifications')::int + (metadata ->> 'attendance')::int), 0)::int as rows
      from audit_events where tenant_id = $1 and action = 'tenant.retention_applied'`,
    [tenantId],
  );
  return rows[0].rows;
}

/** Writes with the job beside them, and without it right after that. The job begins with the server. */
async function measureRound({ server, client, tenantId, headers, goal }) {
  const next = () => postEvent(headers);
  const write = (seconds) => load(server.baseUrl, { connections: CONNECTIONS, seconds, next });
  await write(WARM_SECONDS);
  const before = await countDeleted(client, tenantId);
  const during = await write(SECONDS);
  const deleted = await countDeleted(client, tenantId);
  if (deleted === goal) throw new Error('The job ended early: set BENCH_ROWS to more.');
  const end = Date.now() + MAX_WAIT_MS;
  while ((await countDeleted(client, tenantId)) < goal) {
    if (Date.now() > end) throw new Error('The job has not deleted everything.');
    await pause(500);
  }
  return { during, after: await write(SECONDS), perSecond: (deleted - before) / SECONDS };
}

async function measure(databaseUrl, client, written) {
  const first = await startServer(SERVICE, databaseUrl);
  const accounts = [await signUp(first.baseUrl), await signUp(first.baseUrl)];
  const [{ tenant, token }] = accounts;
  await call(first.baseUrl, 'PUT', '/api/console/security-policy', bearer(token), {
    security_policy: { retention_days: 30 },
  });
  await first.close();
  const headers = bearer(accounts[written].apiKey.key);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await grow(client, tenant.id, ROWS / 2);
    const server = await startServer(SERVICE, databaseUrl);
    try {
      const goal = round * ROWS;
      rounds.push(await measureRound({ server, client, tenantId: tenant.id, headers, goal }));
    } finally {
      await server.close();
    }
  }
  const of = (read) => median(rounds.map(read));
  return {
    perSecond: of(({ perSecond }) => perSecond),
    with: of(({ during }) => during.perSecond),
    without: of(({ after }) => after.perSecond),
    ratio: of(({ during, after }) => after.perSecond / during.perSecond),
    p50: of(({ during, after }) => during.p50 / after.p50),
    p99: of(({ during, after }) => during.p99 / after.p99),
  };
}

const results = [];
await withPostgres(async (postgres) => {
  for (const [name, written] of [
    ['same', 0],
    ['other', 1],
  ])
    await withDatabase(postgres, `retention_${name}`, async (databaseUrl) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        const middles = await measure(databaseUrl, client, written);
        results.push(
          {
            what: `rows deleted a second beside writes to the ${name} account`,
            ours: Math.round(middles.perSecond),
            promised: PROMISED_ROWS,
          },
          {
            what: `writes to the ${name} account a second, without and with it`,
            ours: `${middles.without.toFixed(0)} and ${middles.with.toFixed(0)}`,
            ratio: middles.ratio.toFixed(2),
            promised: PROMISED_RATIO,
          },
          {
            what: 'their p50 and p99, with it as a multiple of without',
            ratio: `${middles.p50.toFixed(2)} and ${middles.p99.toFixed(2)}`,
          },
        );
      } finally {
        await client.end();
      }
    });
});
console.log(
  `Retention of ${ROWS} old records on PostgreSQL, ${CONNECTIONS} connections, ${SECONDS} s each, the middle of ${ROUNDS} rounds`,
);
console.table(results);
process.exit(0);
