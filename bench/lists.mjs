// A list of 50 verification events, compared with a plain server that returns the same fields: rounds in turn, 32 connections, and the
// CPU time that a page costs Node and PostgreSQL. BENCH_OLD=<folder of another built checkout> also measures its service.
// BENCH_SECONDS=<n> of a round, BENCH_ROUNDS=<n>. Linux only. Needs a build.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { load } from './load.mjs';
import { bearer, call, PLAIN, SERVICE, signUp, startServer, withDatabase } from './servers.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONNECTIONS = 32;
const ROWS = 60;
/** A tick of /proc/<pid>/stat. */
const TICK_MS = 10;

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The server processes of PostgreSQL for a database. */
const backendsOf = (database) =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return title.startsWith('postgres:') && title.includes(` ${database} `);
    } catch {
      return false;
    }
  });

const keyOfPlain = async (baseUrl) => {
  const key = randomUUID();
  await call(baseUrl, 'POST', '/setup', {}, { key });
  return key;
};
const keyOfService = async (baseUrl) => (await signUp(baseUrl)).apiKey.key;

async function start(postgres, { server: options, makeKey }, measure) {
  return withDatabase(postgres, options.name, async (databaseUrl) => {
    const { baseUrl, server, close } = await startServer(options, databaseUrl);
    try {
      const headers = bearer(await makeKey(baseUrl));
      for (let row = 0; row < ROWS; row++)
        await call(baseUrl, 'POST', '/v1/verifications', headers, {
          method: 'manual',
          result: 'pass',
          reason: 'second finger',
        });
      const database = new URL(databaseUrl).pathname.slice(1);
      const next = () => ({ method: 'GET', path: '/v1/verifications?limit=50', headers });
      await load(baseUrl, { connections: CONNECTIONS, seconds: 2, next });
      const round = async () => {
        const cpu = () => [cpuOf(server.pid), backendsOf(database).reduce((sum, pid) => sum + cpuOf(pid), 0)];
        const before = cpu();
        const { perSecond, count } = await load(baseUrl, {
          connections: CONNECTIONS,
          seconds: SECONDS,
          next,
        });
        const [node, database_] = cpu().map((ms, at) => (ms - before[at]) / count);
        return { perSecond, node, postgres: database_ };
      };
      return await measure(round);
    } finally {
      await close();
    }
  });
}

const old = process.env.BENCH_OLD;
const kinds = {
  plain: { server: PLAIN, makeKey: keyOfPlain },
  ...(old && {
    old: {
      server: { ...SERVICE, name: 'old', file: resolve(old, 'server/dist/bin/serve.js') },
      makeKey: keyOfService,
    },
  }),
  ours: { server: SERVICE, makeKey: keyOfService },
};

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];

/** Starts all servers, then measures them in turn. */
async function measureAll(postgres, names, rounds = {}) {
  const [name, ...rest] = names;
  if (name !== undefined)
    return start(postgres, kinds[name], (round) => measureAll(postgres, rest, { ...rounds, [name]: round }));
  const results = Object.fromEntries(Object.keys(rounds).map((kind) => [kind, []]));
  for (let turn = 0; turn < ROUNDS; turn++)
    for (const kind of Object.keys(rounds)) results[kind].push(await rounds[kind]());
  return results;
}

const postgres = await openPostgres({ embedded: false });
try {
  const results = await measureAll(postgres, Object.keys(kinds));
  const of = (kind, what) => median(results[kind].map((result) => result[what]));
  const total = (kind) => of(kind, 'node') + of(kind, 'postgres');
  console.log(
    `A page of 50 verification events, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s`,
  );
  console.table(
    Object.keys(results).map((kind) => ({
      server: kind,
      'a second': of(kind, 'perSecond').toFixed(0),
      'Node, ms': of(kind, 'node').toFixed(3),
      'PostgreSQL, ms': of(kind, 'postgres').toFixed(3),
      'rate / plain': (of(kind, 'perSecond') / of('plain', 'perSecond')).toFixed(2),
      'CPU / plain': (total(kind) / total('plain')).toFixed(2),
    })),
  );
} finally {
  await postgres.close();
}
process.exit(0);
