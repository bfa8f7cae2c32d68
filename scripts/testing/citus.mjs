// Citus clusters for tests: a coordinator and workers on this machine, from the PostgreSQL that is installed on it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { makePostgres } from './test-databases.mjs';

/**
 * @typedef {import('./test-databases.mjs').OwnPostgres} Machine
 * @typedef {object} Cluster
 * @property {string} url the coordinator's database `postgres`
 * @property {readonly Machine[]} machines the coordinator, then the workers
 * @property {() => Promise<Machine>} addMachine starts another machine, which is not yet part of the cluster
 * @property {() => Promise<void>} remove stops all machines and deletes their folders
 */

/** What a machine of a cluster needs. */
export const SETTINGS = {
  shared_preload_libraries: 'citus',
  'citus.node_conninfo': 'sslmode=disable',
  max_prepared_transactions: '200',
  max_worker_processes: '64',
  // Shards move to a new worker by logical replication.
  wal_level: 'logical',
  shared_buffers: '64MB',
};

/** The programs of an installed PostgreSQL that has Citus; undefined if there is none. */
export function findCitus() {
  const debian = '/usr/lib/postgresql';
  const configs = existsSync(debian)
    ? readdirSync(debian).map((v) => join(debian, v, 'bin', 'pg_config'))
    : [];
  for (const config of ['pg_config', ...configs.reverse()]) {
    const ask = (/** @type {string} */ flag) =>
      spawnSync(config, [flag], { encoding: 'utf8' }).stdout?.trim();
    const [bin, shared] = [ask('--bindir'), ask('--sharedir')];
    if (!bin || !shared || !existsSync(join(shared, 'extension', 'citus.control'))) continue;
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  }
  return undefined;
}

/** Runs statements on a database, one by one. @returns {Promise<any[][]>} the rows of each */
export async function runOn(/** @type {string} */ url, /** @type {readonly string[]} */ ...statements) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const all = [];
    for (const statement of statements) all.push((await client.query(statement)).rows);
    return all;
  } finally {
    await client.end();
  }
}

/**
 * @param {{ workers?: number, settings?: Record<string, string> }} [options] `settings` of every machine, besides those it needs
 * @returns {Promise<Cluster>}
 */
export async function makeCluster({ workers = 2, settings = {} } = {}) {
  const installed = findCitus();
  if (installed === undefined) throw new Error('No PostgreSQL on this machine has the extension Citus.');
  /** @type {Machine[]} */
  const machines = [];
  const addMachine = async () => {
    const machine = await makePostgres({ installed, settings: { ...SETTINGS, ...settings } });
    machines.push(machine);
    await machine.start();
    return machine;
  };
  const remove = async () => void (await Promise.all(machines.map((machine) => machine.remove())));
  try {
    for (let n = 0; n <= workers; n++) await addMachine();
    const [coordinator, ...others] = /** @type {[Machine, ...Machine[]]} */ (machines);
    await joinMachines(
      coordinator.url,
      others.map(({ url }) => url),
    );
    return { url: coordinator.url, machines, addMachine, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Creates the extension in a database that every machine has, and adds the workers to the coordinator. */
export async function joinMachines(
  /** @type {string} */ coordinator,
  /** @type {readonly string[]} */ workers,
) {
  for (const url of [coordinator, ...workers]) await runOn(url, 'create extension if not exists citus');
  const name = (/** @type {string} */ url) => `'${new URL(url).hostname}', ${new URL(url).port}`;
  await runOn(
    coordinator,
    `select citus_set_coordinator_host(${name(coordinator)})`,
    ...workers.map((url) => `select citus_add_node(${name(url)})`),
  );
}
