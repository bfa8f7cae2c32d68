import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Database, Transaction } from '../../src/kernel/db/db.js';
import { migrate, readMigrations } from '../../src/kernel/db/migrate.js';
import { openPostgres } from '../../src/kernel/db/pg.js';
import { usePglite } from '../../src/kernel/db/pglite.js';
import type { Sql } from '../../src/kernel/db/sql.js';

export const migrationsFolder = new URL('../../migrations/', import.meta.url);

export type DatabaseKind = 'postgres' | 'pglite';

/** Which database this run is about: the project of vitest.config.ts says. */
export const databaseKind: DatabaseKind = process.env.SVC_TEST_DB === 'postgres' ? 'postgres' : 'pglite';

let made = 0;

/** Making a cluster takes seconds, loading one that was just made a fraction of one. */
let pristine: Promise<Blob> | undefined;

async function makePristine(): Promise<Blob> {
  const pglite = await PGlite.create();
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  return dump;
}

/** A database of its own, empty but for what PostgreSQL brings; `url` where a second connection could be made. */
export async function emptyDatabase(
  kind: DatabaseKind = databaseKind,
): Promise<{ db: Database; url: string | undefined }> {
  if (kind === 'pglite') {
    pristine ??= makePristine();
    return { db: usePglite(await PGlite.create({ loadDataDir: await pristine })), url: undefined };
  }
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

let shared: Promise<{ db: Database; url: string | undefined }> | undefined;

/** The migrated database that the files of one worker share; tests keep apart by making tenants of their own. */
export function sharedDatabase(): Promise<{ db: Database; url: string | undefined }> {
  shared ??= (async () => {
    const database = await emptyDatabase();
    await migrate(database.db, await readMigrations(migrationsFolder));
    return database;
  })();
  return shared;
}

export interface CountingDatabase extends Database {
  /** Texts of the statements since the last reset, in order. */
  readonly statements: string[];
}

/** What is written by the clock and not by a request: usage, and what a node gives back of a quota. */
export const isByTimer = (statement: string): boolean =>
  /recent_calls|last_used_at|usage_months|synchronous_commit/.test(statement);

/** The same database, which remembers what it was asked. */
export function countStatements(db: Database): CountingDatabase {
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
