// What scenarios share: sizes from the environment, a database server, a service with its own database, phones that prove, requests, and
// figures from times. servers.mjs starts servers, load.mjs sends requests, people.mjs makes people whose proofs can be used repeatedly.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { boundSignal, didHash } from '../zk/dist/field.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { SERVICE, withServer } from './servers.mjs';

/** A size that the environment can change: BENCH_<name>. */
export const size = (name, usual) => Number(process.env[`BENCH_${name}`] ?? usual);

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls `work(postgres)` with a PostgreSQL server that is not the embedded one. */
export async function withPostgres(work) {
  const postgres = await openPostgres({ embedded: false });
  try {
    return await work(postgres);
  } finally {
    await postgres.close();
  }
}

/** Calls `work(baseUrl, pid, databaseUrl)` with a service that has its own database. */
export const withService = (work, settings = {}) =>
  withPostgres((postgres) =>
    withServer(postgres, { ...SERVICE, settings: { ...SERVICE.settings, ...settings } }, work),
  );

/** Returns `prove(phone, bind)`, which makes a proof that is bound to one use. */
export async function createPhoneProver() {
  const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));
  const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
  return ({ did, biometricSecret, salt }, bind) =>
    prover.prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });
}

export const postEvent = (headers) => ({
  path: '/v1/verifications',
  headers,
  body: { method: 'manual', result: 'pass' },
  expected: 201,
});
export const listEvents = (headers, query = '') => ({
  method: 'GET',
  path: `/v1/verifications?limit=50${query}`,
  headers,
});

const sorted = (values) => values.toSorted((left, right) => left - right);

export const median = (values) => sorted(values)[values.length >> 1];

export function percentiles(values) {
  const all = sorted(values);
  const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}

/** A line of a scenario's table. The ratio is above 1 if ours is better. */
export const row = (what, ours, yardstick, theirs, ratio = ours / theirs) => ({
  what,
  ours: ours.toFixed(1),
  yardstick,
  theirs: theirs.toFixed(1),
  ratio: ratio.toFixed(2),
});
