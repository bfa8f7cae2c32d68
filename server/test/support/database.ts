import { runOn } from '../../../scripts/testing/citus.mjs';
import { planSpread } from '../../src/db/citus/plan.js';
import type { RawDatabase, Transaction } from '../../src/db/db.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/pg.js';
import { usePglite } from '../../src/db/pglite.js';
import type { Query, Sql } from '../../src/db/sql.js';
import { createOnCluster } from './citus.js';
import { createMigratedPglite, createPglite } from './pglite-cache.js';

export const migrationsFolder = new URL('../../migrations/', import.meta.url);

export type DatabaseKind = 'postgres' | 'pglite' | 'citus';

/** The database of this run, set by the project in vitest.config.mjs. */
export const databaseKind = (process.env.SVC_TEST_DB ?? 'pglite') as DatabaseKind;

/** On a busy machine, a statement of a test may take longer than a node waits for one. */
const PATIENCE_MS = 60_000;

let created = 0;

/** A separate database for a test. `url` is set if it accepts more connections. */
export interface TestDatabase {
  readonly db: RawDatabase;
  readonly url: string | undefined;
}

/** Creates a database without migrations. */
export async function emptyDatabase(kind: DatabaseKind = databaseKind): Promise<TestDatabase> {
  if (kind === 'pglite') return { db: usePglite(await createPglite()), url: undefined };
  const admin = kind === 'citus' ? process.env.CITUS_URL : process.env.TEST_DATABASE_URL;
  if (admin === undefined)
    throw new Error('The URL of the database server is not set: run the tests by `npm test`');
  created += 1;
  // At its end, a run drops the databases with its number.
  const run = process.env.SVC_TEST_RUN ?? 'alone';
  const name = `svc_test_${run}_${process.pid}_${Date.now().toString(36)}_${created}`;
  const url = kind === 'citus' ? await createOnCluster(admin, name) : await createOn(admin, name);
  return { db: openPostgres({ url, connections: 12, timeoutMs: PATIENCE_MS, connectMs: PATIENCE_MS }), url };
}

async function createOn(admin: string, name: string): Promise<string> {
  await runOn(admin, `create database ${name}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
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

let shared: Promise<TestDatabase> | undefined;

/** The migrated database that the files of a worker share. Each test creates its own tenants. */
export const sharedDatabase = (): Promise<TestDatabase> => (shared ??= freshDatabase());

export interface CountingDatabase extends RawDatabase {
  /** Texts of the statements since the last reset, in order. */
  readonly statements: string[];
  /** How often statements were sent since then, but for counting usage: those of one array went together. */
  roundTrips: number;
}

/** Whether a statement only counts usage. */
export const isByTimer = (statement: string): boolean =>
  /recent_calls|rejected_calls|last_used_at|usage_hours|usage_months|synchronous_commit/.test(statement);

/** Wraps a database and records its statements. */
export function countStatements(db: RawDatabase): CountingDatabase {
  const statements: string[] = [];
  const record = (items: readonly Sql[]) => {
    statements.push(...items.map((item) => item.text));
    if (!items.every(({ text }) => isByTimer(text))) counting.roundTrips += 1;
  };
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
  const counting: CountingDatabase = {
    ...db,
    statements,
    roundTrips: 0,
    query: <R extends object>(statement: Sql) => recording((input: Sql) => db.query<R>(input))(statement),
    read: (state, items) => recording((all: readonly Query[]) => db.read(state, all))(items),
    begin: async () => wrap(await db.begin()),
  };
  return counting;
}
