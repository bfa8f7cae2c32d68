import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { RawDatabase } from './db.js';
import { sql } from './sql.js';

export interface Migration {
  /** File name without its ending, for example `0001_foundation`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, lower-case hex. */
  readonly checksum: string;
}

/** An applied migration is not the file of that name: the schema's history was edited. Ends the process. */
export class MigrationMismatchError extends Error {
  override readonly name = 'MigrationMismatchError';
}

/** Any number that no other software takes on the same server: it names our advisory lock. */
const LOCK = 7_483_926_150_417;

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { name: file.replace(/\.sql$/, ''), text, checksum };
    }),
  );
}

/**
 * Applies what is missing, in order, each with its own record in one transaction under a lock, so that nodes that
 * start together do it once. A migration that a newer node applied is left alone (schemas only expand, then contract).
 * Answers the names it applied.
 */
export async function migrate(db: RawDatabase, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = [];
  await db.script(
    `select pg_advisory_xact_lock(${LOCK});
     create table if not exists schema_migrations
       (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
  );
  for (const migration of migrations) {
    // One script is one implicit transaction on both databases, and its lock is released with it. A second node waits
    // here, finds the record, and goes on: the guard below makes a repeated script a no-op that fails on purpose.
    const [record] = await db.query<{ checksum: string }>(
      sql.query`select checksum from schema_migrations where name = ${migration.name}`,
    );
    if (record === undefined && (await apply(db, migration))) applied.push(migration.name);
    const [now] = await db.query<{ checksum: string }>(
      sql.query`select checksum from schema_migrations where name = ${migration.name}`,
    );
    if (now?.checksum !== migration.checksum) {
      throw new MigrationMismatchError(
        `Migration ${migration.name} was changed after it was applied. Restore the file and put the change into a new migration.`,
      );
    }
  }
  return applied;
}

/** False when another node applied it while this one waited for the lock. */
async function apply(db: RawDatabase, { name, text, checksum }: Migration): Promise<boolean> {
  try {
    await db.script(
      `select pg_advisory_xact_lock(${LOCK});
       insert into schema_migrations (name, checksum) values ('${name}', '${checksum}');
       ${text}`,
    );
    return true;
  } catch (error) {
    const [record] = await db.query(sql.query`select 1 from schema_migrations where name = ${name}`);
    if (record !== undefined) return false;
    throw error;
  }
}
