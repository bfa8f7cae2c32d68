import pg from 'pg';
import type { RawDatabase, Transaction } from '../../src/db/db.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/pg.js';
import { usePglite } from '../../src/db/pglite.js';
import type { Sql } from '../../src/db/sql.js';
import { createMigratedPglite, createPglite } from './pglite-cache.js';

export const migrationsFolder = new URL('../../migrations/', import.meta.url);

export type DatabaseKind = 'postgres' | 'pglite';

/** Which database this run is about: the project of vitest.config.ts says. */
export const databaseKind: DatabaseKind = process.env.SVC_TEST_DB === 'postgres' ? 'postgres' : 'pglite';

let made = 0;

/** A database of a test's own; `url` where a second connection could be made. */
export interface OwnDatabase {
  readonly db: RawDatabase;
  readonly url: string | undefined;
}

/** Empty but for what PostgreSQL brings. */
export async function emptyDatabase(kind: DatabaseKind = databaseKind): Promise<OwnDatabase> {
  if (kind === 'pglite') return { db: usePglite(await createPglite()), url: undefined };
  const admin = process.env.TEST_DATABASE_URL;
  if (admin === undefined) throw new Error('TEST_DATABASE_URL is not set: run the tests by `npm test`');
  made += 1;
  // At its end a run drops the databases that bear its number.
  const run = process.env.SVC_TEST_RUN ?? 'alone';
  const name = `svc_test_${run}_${process.pid}_${Date.now().toString(36)}_${made}`;
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { db: openPostgres({ url: url.href, connections: 12 }), url: url.href };
}

/** Migrated, with nothing in it. */
export async function freshDatabase(kind: DatabaseKind = databaseKind): Promise<OwnDatabase> {
  const migrations = await readMigrations(migrationsFolder);
  if (kind === 'pglite') return { db: usePglite(await createMigratedPglite(migrations)), url: undefined };
  const database = await emptyDatabase(kind);
  // Copying a migrated template would save a tenth of a second of the server's time.
  await migrate(database.db, migrations);
  return database;
}

let shared: Promise<OwnDatabase> | undefined;

/** The migrated database that the files of one worker share; tests keep apart by making tenants of their own. */
export const sharedDatabase = (): Promise<OwnDatabase> => (shared ??= freshDatabase());

export interface CountingDatabase extends RawDatabase {
  /** Texts of the statements since the last reset, in order. */
  readonly statements: string[];
}

/** What only counts usage. */
export const isByTimer = (statement: string): boolean =>
  /recent_calls|last_used_at|usage_months|synchronous_commit/.test(statement);

/** The same database, which remembers what it was asked. */
export function countStatements(db: RawDatabase): CountingDatabase {
  const statements: string[] = [];
  const note = (items: readonly Sql[]) => void statements.push(...items.map((item) => item.text));
  const noting =
    <A extends readonly Sql[] | Sql, R>(act: (asked: A) => Promise<R>) =>
    (asked: A): Promise<R> => {
      note(Array.isArray(asked) ? asked : [asked as Sql]);
      return act(asked);
    };
  const watch = (tx: Transaction): Transaction => ({
    send: noting((asked) => tx.send(asked)),
    commit: noting((asked) => tx.commit(asked)),
    rollback: () => tx.rollback(),
  });
  return {
    ...db,
    statements,
    query: <R extends object>(statement: Sql) => noting((asked: Sql) => db.query<R>(asked))(statement),
    begin: async () => watch(await db.begin()),
  };
}
