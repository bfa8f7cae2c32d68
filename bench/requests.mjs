// CPU time of a request, of the service and of PostgreSQL together, as a multiple of the same request of the plain server in the same run
// (of its write, if it has no such request), and the transactions of a write beside 200 open streams of events, on the same node and on a
// second one. CPU time depends on load far less than throughput does. Needs a build, Linux and PostgreSQL on this machine, and REDIS_URL or
// a `redis-server` on the PATH.
// BENCH_ROUNDS=<n> rounds in turn; BENCH_SHARE=<n> of the requests of a round (default: 1); BENCH_OTHER=<folder> another built checkout to
// compare with; BENCH_NODE=<file> the `node` that runs the servers. Writes the medians by name to .build/bench.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactSeconds, secondsBetween } from '../scripts/testing/cpu.mjs';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { makePeople } from './people.mjs';
import { ACCOUNTS, plainKinds, serviceKinds, signInKinds } from './request-kinds.mjs';
import { PLAIN, SERVICE, startServer, withDatabase } from './servers.mjs';
import { acrossNodes, besideStreams } from './watched-writes.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const SHARE = Number(process.env.BENCH_SHARE ?? 1);
const OTHER = process.env.BENCH_OTHER;
/** Requests of a round. */
const COUNTS = { verify: 200, write: 600, list: 500, pairing: 6, punch: 6, openid: 60 };
/** The plain server needs eight times as long for a proof. */
const PLAIN_COUNTS = { ...COUNTS, verify: 30 };
/** Requests before each measurement, which open the connections that are closed while the other servers have their turns. */
const WARM = 16;
/** Rounds before the first that counts. Node optimizes what ran often. */
const WARM_ROUNDS = 3;

const serve = (other) => join(other, 'server/dist/bin/serve.js');
const SERVERS = [
  { ...PLAIN, counts: PLAIN_COUNTS, kindsFor: plainKinds },
  { ...SERVICE, kindsFor: serviceKinds },
  // The OpenID Provider turns on what makes everything else of its process slower before Node 24.
  { ...SERVICE, name: 'sign_ins', kindsFor: signInKinds },
  ...(OTHER ? [{ ...SERVICE, name: 'other', file: serve(OTHER), kindsFor: serviceKinds }] : []),
];

const median = (values) => values.toSorted((left, right) => left - right)[values.length >> 1];

/** CPU time of one request, in ms. */
async function measure({ pid, database, kinds, counts = COUNTS }, kind) {
  const count = Math.ceil(counts[kind] * SHARE);
  const { prepare = async () => kinds[kind] } = kinds[kind];
  await (await prepare(Math.min(WARM, count)))(Math.min(WARM, count));
  const send = await prepare(count);
  const before = exactSeconds(pid, database);
  await send(count);
  return (secondsBetween(before, exactSeconds(pid, database)) / count) * 1000;
}

/** Measures each kind of each server in turn. Returns, for each server by its name, the times of each kind by round. */
async function inTurns(servers) {
  const kinds = Object.keys(COUNTS);
  const rounds = Object.fromEntries(
    servers.map(({ name, kinds: own }) => [
      name,
      Object.fromEntries(kinds.filter((kind) => kind in own).map((kind) => [kind, []])),
    ]),
  );
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++)
    for (const kind of kinds)
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        if (server.kinds[kind] === undefined) continue;
        const ms = await measure(server, kind);
        if (round >= 0) rounds[server.name][kind].push(ms);
      }
  return rounds;
}

const postgres = await openPostgres({ embedded: false });
const people = await makePeople(ACCOUNTS);

/** Runs `work` with all servers started, each with its own database. */
function withAll([next, ...rest], started, work) {
  if (next === undefined) return work(started);
  return withDatabase(postgres, next.name, async (databaseUrl) => {
    const { baseUrl, server, close } = await startServer(next, databaseUrl);
    try {
      const database = new URL(databaseUrl).pathname.slice(1);
      const kinds = await next.kindsFor(baseUrl, people);
      return await withAll(rest, [...started, { ...next, pid: server.pid, database, kinds }], work);
    } finally {
      await close();
    }
  });
}

try {
  const { plain, other = {}, ...services } = await withAll(SERVERS, [], inTurns);
  const ours = Object.assign({}, ...Object.values(services));
  const ratio = (mine, theirs) => median(mine.map((ms, round) => ms / theirs[round]));
  const result = Object.keys(COUNTS).map((kind) => {
    const yardstick = kind in plain ? kind : 'write';
    return { kind, yardstick, ratio: ratio(ours[kind], plain[yardstick]) };
  });
  // At the same time, because both mostly wait for PostgreSQL to report.
  const [watched, across] = await Promise.all([besideStreams(postgres), acrossNodes(postgres)]);
  console.log(`CPU of a request, ms, node and PostgreSQL together, ${ROUNDS} rounds in turn`);
  console.table(
    result.map(({ kind, yardstick, ratio: times }) => ({
      what: kind,
      ours: median(ours[kind]).toFixed(2),
      yardstick: `plain server's ${yardstick}`,
      theirs: median(plain[yardstick]).toFixed(2),
      ratio: times.toFixed(2),
      ...(other[kind] && {
        other: median(other[kind]).toFixed(2),
        'ours / other': ratio(ours[kind], other[kind]).toFixed(2),
      }),
    })),
  );
  console.log('A write beside open streams of events');
  console.table([watched, across]);
  const figures = {
    ...Object.fromEntries(result.map(({ kind, ratio: times }) => [`cpu.${kind}`, times])),
    'streams.transactions': watched.transactions,
    'streams.transactionsAcrossNodes': across.transactions,
  };
  mkdirSync(new URL('../.build/', import.meta.url), { recursive: true });
  writeFileSync(new URL('../.build/bench.json', import.meta.url), `${JSON.stringify(figures)}\n`);
} finally {
  await postgres.close();
}
process.exit(0);
