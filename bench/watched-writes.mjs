// What a write costs while many streams of events are open on its account: on the node that writes, or on another one.
import { once } from 'node:events';
import { request } from 'node:http';
import pg from 'pg';
import { exactSeconds, secondsBetween } from '../scripts/testing/cpu.mjs';
import { load } from './load.mjs';
import { openRedis } from './redis.mjs';
import { write } from './request-kinds.mjs';
import { bearer, call, SERVICE, signUp, withNodes } from './servers.mjs';

const STREAMS = 200;
const WRITES = 300;
const PAUSE_MS = 20;
/** A session of PostgreSQL that has nothing to do reports its transactions after ten seconds. */
const REPORTED_MS = 11_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens a stream, which is read and forgotten. Resolves when it has begun. */
async function openStream(baseUrl, headers) {
  const sent = request(new URL('/v1/events/stream', baseUrl), { headers, agent: false }).end();
  const [reply] = await once(sent, 'response');
  if (reply.statusCode !== 200) throw new Error(`A stream returned ${reply.statusCode}.`);
  sent.on('error', () => {});
  reply.on('error', () => {}).resume();
  return () => reply.destroy();
}

/** Writes on the first node, and has the streams on the last. */
async function measure(nodes, databaseUrl) {
  const [{ baseUrl }] = nodes;
  const { token } = await signUp(baseUrl);
  const scopes = ['events:read', 'verifications:write'];
  const asked = { name: 'Streams', environment: 'live', scopes };
  const { apiKey } = await call(baseUrl, 'POST', '/api/console/keys', bearer(token), asked);
  const headers = bearer(apiKey.key);
  const open = [];
  // One after another: a burst of them would be more than a busy node takes.
  while (open.length < STREAMS) open.push(await openStream(nodes.at(-1).baseUrl, headers));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const database = new URL(databaseUrl).pathname.slice(1);
  const counted = async () => {
    const text = 'select xact_commit + xact_rollback as n from pg_stat_database where datname = $1';
    return Number((await client.query(text, [database])).rows[0].n);
  };
  const seconds = () => new Map(nodes.flatMap(({ server }) => [...exactSeconds(server.pid, database)]));
  const next = (_, n) => (n < WRITES ? write(headers) : undefined);
  const send = () => load(baseUrl, { connections: 1, seconds: 3_600, pauseMs: PAUSE_MS, next });
  await send();
  await pause(REPORTED_MS);
  const [transactions, before] = [await counted(), seconds()];
  await send();
  const used = secondsBetween(before, seconds());
  await pause(REPORTED_MS);
  const result = {
    streams: STREAMS,
    nodes: nodes.length,
    transactions: ((await counted()) - transactions) / WRITES,
    'CPU, ms': (used / WRITES) * 1000,
  };
  await client.end();
  for (const close of open) close();
  return result;
}

/** @returns the transactions and the CPU time of a write beside the streams */
export const besideStreams = (postgres) => withNodes(postgres, 1, { ...SERVICE, name: 'streams' }, measure);

/** The same with the streams on a second node. The nodes share the Redis at REDIS_URL, or one that is started here. */
export async function acrossNodes(postgres) {
  const redis = await openRedis();
  const settings = { ...SERVICE.settings, REDIS_URL: redis.url };
  try {
    return await withNodes(postgres, 2, { ...SERVICE, name: 'streams_across', settings }, measure);
  } finally {
    redis.close();
  }
}
