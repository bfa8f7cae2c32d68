import pg from 'pg';
import type { RawDatabase, Transaction } from '../../src/db/db.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/pg.js';
import { usePglite } from '../../src/db/pglite.js';
import { planSpread } from '../../src/db/spread.js';
import type { Sql } from '../../src/db/sql.js';
import { createMigratedPglite, createPglite } from './pglite-cache.js';

export const migrationsFolder = new URL('../../migrations/', import.meta.url);

export type DatabaseKind = 'postgres' | 'pglite' | 'citus';

/** The database of this run, set by the project in vitest.config.ts. */
export const databaseKind = (process.env.SVC_TEST_DB ?? 'pglite') as DatabaseKind;

let created = 0;

/** A separate database for a test. `url` is set if it accepts more connections. */
export interface TestDatabase {
  readonly db: RawDatabase;
  readonly url: string | undefined;
}

/** Creates a database without migrations. */
export async function emptyDatabase(kind: DatabaseKind = databaseKind): Promise<TestDatabase> {
  if (kind === 'pglite') return { db: usePglite(await createPglite()), url: undefined };
  if (kind === 'citus') return emptyCluster();
  const admin = process.env.TEST_DATABASE_URL;
  if (admin === undefined) throw new Error('TEST_DATABASE_URL is not set: run the tests by `npm test`');
  created += 1;
  // At its end, a run drops the databases with its number.
  const run = process.env.SVC_TEST_RUN ?? 'alone';
  const name = `svc_test_${run}_${process.pid}_${Date.now().toString(36)}_${created}`;
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { db: openPostgres({ url: url.href, connections: 12 }), url: url.href };
}

/** Creates a migrated database without rows. */
export async function freshDatabase(kind: DatabaseKind = databaseKind): Promise<TestDatabase> {
  const migrations = await readMigrations(migrationsFolder);
  if (kind === 'pglite') return { db: usePglite(await createMigratedPglite(migrations)), url: undefined };
  const database = await emptyDatabase(kind);
  // Copying a migrated template would save a tenth of a second of the server's time.
  await migrate(database.db, migrations);
  if (kind === 'citus') await database.db.script((await planSpread(database.db)).join(';\n'));
  return database;
}

async function runOn(url: string, ...statements: string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

/** Creates a database on each machine of the cluster with the coordinator `CITUS_URL`. */
async function emptyCluster(): Promise<TestDatabase> {
  const coordinator = process.env.CITUS_URL;
  if (coordinator === undefined)
    throw new Error('CITUS_URL is not set: run these tests by `npm run test:long -- citus`');
  created += 1;
  const name = `svc_test_${process.env.SVC_TEST_RUN ?? 'alone'}_${process.pid}_${Date.now().toString(36)}_${created}`;
  const [nodes] = await runOn(
    coordinator,
    'select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node order by groupid',
  );
  const machines = nodes?.rows as { host: string; port: number; isCoordinator: boolean }[];
  const urlOf = ({ host, port }: { host: string; port: number }, database?: string) => {
    const url = new URL(coordinator);
    url.hostname = host;
    url.port = String(port);
    if (database !== undefined) url.pathname = `/${database}`;
    return url.href;
  };
  for (const machine of machines) {
    await runOn(
      urlOf(machine),
      'set citus.enable_create_database_propagation to off',
      `create database ${name}`,
    );
    await runOn(urlOf(machine, name), 'create extension citus');
  }
  const [first, ...workers] = machines as [{ host: string; port: number; isCoordinator: boolean }];
  const url = urlOf(first, name);
  await runOn(
    url,
    `select citus_set_coordinator_host('${first.host}', ${first.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  );
  return { db: openPostgres({ url, connections: 12 }), url };
}

let shared: Promise<TestDatabase> | undefined;

/** The migrated database that the files of a worker share. Each test creates its own tenants. */
export const sharedDatabase = (): Promise<TestDatabase> => (shared ??= freshDatabase());

export interface CountingDatabase extends RawDatabase {
  /** Texts of the statements since the last reset, in order. */
  readonly statements: string[];
}

/** Whether a statement only counts usage. */
export const isByTimer = (statement: string): boolean =>
  /recent_calls|last_used_at|usage_months|synchronous_commit/.test(statement);

/** Wraps a database and records its statements. */
export function countStatements(db: RawDatabase): CountingDatabase {
  const statements: string[] = [];
  const record = (items: readonly Sql[]) => void statements.push(...items.map((item) => item.text));
  const recording =
    <A extends readonly Sql[] | Sql, R>(run: (input: A) => Promise<R>) =>
    (input: A): Promise<R> => {
      record(Array.isArray(input) ? input : [input as Sql]);
      return run(input);
    };
  const wrap = (tx: Transaction): Transaction => ({
    send: recording((statements) => tx.send(statements)),
    commit: recording((statements) => tx.commit(statements)),
    rollback: () => tx.rollback(),
  });
  return {
    ...db,
    statements,
    query: <R extends object>(statement: Sql) => recording((input: Sql) => db.query<R>(input))(statement),
    begin: async () => wrap(await db.begin()),
  };
}
