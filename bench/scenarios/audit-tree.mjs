// The tree over the audit chain: writes of one account with it and without it, and proofs of entries and of records at a million entries.
// Needs a build.
// BENCH_OLD=<folder> is a built checkout of the version before it; without it, only proofs are measured. BENCH_ROWS=<n> for the entries,
// BENCH_SECONDS=<n> for each measurement.
import { resolve } from 'node:path';
import pg from 'pg';
import { median, pause, percentiles, postEvent, size, withPostgres } from '../harness.mjs';
import { load } from '../load.mjs';
import { bearer, call, SERVICE, signUp, startServer, withDatabase } from '../servers.mjs';

const ROWS = size('ROWS', 1_000_000);
const SECONDS = size('SECONDS', 5);
const OLD = process.env.BENCH_OLD;
const ROUNDS = 3;
const CONNECTIONS = 8;
const PROOFS = 200;
const PROMISED_RATIO = 0.97;
const PROMISED_MS = 10;

/** Writes a second of a new account. */
async function measureWrites(service, databaseUrl) {
  const server = await startServer(service, databaseUrl);
  try {
    const { apiKey } = await signUp(server.baseUrl);
    const next = () => postEvent(bearer(apiKey.key));
    const write = (seconds) => load(server.baseUrl, { connections: CONNECTIONS, seconds, next });
    await write(2);
    return (await write(SECONDS)).perSecond;
  } finally {
    await server.close();
  }
}

/** Adds rows to a chain that are linked as real ones, and moves its head to the last. */
async function grow(client, tenantId) {
  await client.query(
    `insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type, entity_id, status,
        summary, created_at, metadata, canonical, prev_hash, hash)
      select h.tenant_id, h.environment, h.seq + n, gen_random_uuid(), 'system', null, 'user.updated', 'user', null, 'success',
        'A user was changed', now(), '{}', '{}',
        case when n = 1 then h.hash else encode(sha256((h.hash || (n - 1))::bytea), 'hex') end,
        encode(sha256((h.hash || n)::bytea), 'hex')
      from audit_heads h, generate_series(1, $2::bigint) as n where h.tenant_id = $1 and h.environment = 'live'`,
    [tenantId, ROWS],
  );
  await client.query(
    `update audit_heads h set seq = e.seq, hash = e.hash from (select seq, hash from audit_events
        where tenant_id = $1 and environment = 'live' order by seq desc limit 1) e
      where h.tenant_id = $1 and h.environment = 'live'`,
    [tenantId],
  );
}

async function measureProofs(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const first = await startServer(SERVICE, databaseUrl);
  const { tenant, apiKey } = await signUp(first.baseUrl);
  await first.close();
  await grow(client, tenant.id);
  const began = performance.now();
  const server = await startServer(SERVICE, databaseUrl);
  try {
    const get = (query) => call(server.baseUrl, 'GET', `/v1/audit/${query}`, bearer(apiKey.key));
    // The job signs the tree of the whole chain.
    for (let size = 0; size < ROWS; ) {
      await pause(200);
      const { rows } = await client.query(
        "select size from audit_trees where tenant_id = $1 and environment = 'live'",
        [tenant.id],
      );
      size = Number(rows[0]?.size ?? 0);
    }
    const signedIn = (performance.now() - began) / 1000;
    // As autovacuum does. Without statistics of a table that has just grown, PostgreSQL expects one tile, and reads all of them.
    await client.query('analyze');
    const times = [];
    for (let at = 0; at < PROOFS; at++) {
      const seq = 1 + Math.floor((at * ROWS) / PROOFS);
      const start = performance.now();
      await get(`proof?seq=${seq}`);
      times.push(performance.now() - start);
    }
    return { signedIn, entries: percentiles(times), records: await measureRecords(server, apiKey) };
  } finally {
    await server.close();
    await client.end();
  }
}

/** The proofs of records that were written among others, one after another. */
async function measureRecords({ baseUrl }, { key }) {
  const ids = [];
  for (let at = 0; at < PROOFS; at++) {
    const body = { method: 'manual', result: 'pass' };
    ids.push((await call(baseUrl, 'POST', '/v1/verifications', bearer(key), body)).verification.id);
  }
  const path = (id) => `/v1/verifications/${id}/proof?from=${ROWS}`;
  await call(baseUrl, 'GET', path(ids.at(-1)), bearer(key));
  const times = [];
  for (const id of ids) {
    const start = performance.now();
    const { entry, inclusion } = await call(baseUrl, 'GET', path(id), bearer(key));
    times.push(performance.now() - start);
    if (entry === null || inclusion === null) throw new Error(`The record ${id} has no proof`);
  }
  return percentiles(times);
}

const results = [];
await withPostgres(async (postgres) => {
  if (OLD !== undefined) {
    const old = { ...SERVICE, name: 'old', file: resolve(OLD, 'server/dist/bin/serve.js') };
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const measured = {};
      // The order changes, because the machine may become slower.
      for (const name of round % 2 ? ['with', 'without'] : ['without', 'with'])
        await withDatabase(postgres, `audit_tree_${name}`, async (databaseUrl) => {
          measured[name] = await measureWrites(name === 'with' ? SERVICE : old, databaseUrl);
        });
      rounds.push(measured);
    }
    results.push({
      what: 'writes of one account a second, without and with the tree',
      ours: `${median(rounds.map((round) => round.without)).toFixed(0)} and ${median(rounds.map((round) => round.with)).toFixed(0)}`,
      ratio: median(rounds.map((round) => round.with / round.without)).toFixed(2),
      promised: PROMISED_RATIO,
    });
  }
  await withDatabase(postgres, 'audit_tree_proofs', async (databaseUrl) => {
    const { signedIn, entries, records } = await measureProofs(databaseUrl);
    results.push(
      {
        what: `seconds until a chain of ${ROWS} entries from before has its tree`,
        ours: signedIn.toFixed(1),
      },
      {
        what: `GET /v1/audit/proof at ${ROWS} entries, p50 and p99 in ms`,
        ours: `${entries.p50.toFixed(1)} and ${entries.p99.toFixed(1)}`,
        promised: PROMISED_MS,
      },
      {
        what: `GET /v1/verifications/:id/proof at ${ROWS} entries, p50 and p99 in ms`,
        ours: `${records.p50.toFixed(1)} and ${records.p99.toFixed(1)}`,
        promised: PROMISED_MS,
      },
    );
  });
});
console.log(
  `The tree over the audit chain on PostgreSQL, ${CONNECTIONS} connections, ${SECONDS} s each, the middle of ${ROUNDS} rounds`,
);
console.table(results);
process.exit(0);
