import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { RawDatabase } from './db.js';
import { splitStatements } from './split-statements.js';
import { isSpread, PLACEMENTS, PLACING, placeTable } from './spread/placement.js';
import { sql } from './sql.js';

export interface Migration {
  /** File name without its ending, for example `0001_foundation`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, lower-case hex. */
  readonly checksum: string;
}

/** An applied migration differs from the file of that name, so the history of the schema was edited. Ends the process. */
export class MigrationMismatchError extends Error {
  override readonly name = 'MigrationMismatchError';
}

/** Identifies our advisory lock. Any number that no other software uses on the same server. */
export const MIGRATION_LOCK = 7_483_926_150_417;

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
 * Applies the missing migrations in order. Each commits with its own record, in one transaction under a lock, so that
 * nodes that start together apply it once. Migrations of a newer version are left alone (schemas first expand, then
 * contract). Returns the names of the migrations it applied.
 */
export async function migrate(db: RawDatabase, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = [];
  await db.script(
    `select pg_advisory_xact_lock(${MIGRATION_LOCK});
     create table if not exists schema_migrations
       (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
  );
  const spread = await isSpread(db);
  for (const migration of migrations) {
    // A script is one implicit transaction on both databases, which releases its lock at the end. A second node waits here,
    // then finds the record: the guard below makes a repeated script fail on purpose, without changing anything.
    const [record] = await db.query<{ checksum: string }>(
      sql.query`select checksum from schema_migrations where name = ${migration.name}`,
    );
    if (record === undefined && (await apply(db, migration, spread))) applied.push(migration.name);
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

/** Returns false if another node applied it while this one waited for the lock. */
async function apply(
  db: RawDatabase,
  { name, text, checksum }: Migration,
  spread: boolean,
): Promise<boolean> {
  try {
    await db.script(
      `select pg_advisory_xact_lock(${MIGRATION_LOCK});
       insert into schema_migrations (name, checksum) values ('${name}', '${checksum}');
       ${spread ? spreading(text) : text}`,
    );
    return true;
  } catch (error) {
    const [record] = await db.query(sql.query`select 1 from schema_migrations where name = ${name}`);
    if (record !== undefined) return false;
    throw error;
  }
}

/** Each new table is placed right after it is created, because a table that refers to a placed one must be placed too. */
function spreading(text: string): string {
  const statements = splitStatements(text).flatMap((statement) => {
    const table = /^(?:--[^\n]*\n|\s)*create table (?:if not exists )?(\w+)/i.exec(statement)?.[1];
    const placement = table === undefined ? undefined : PLACEMENTS[table];
    return placement === undefined ? [statement] : [statement, placeTable(table as string, placement)];
  });
  return [...PLACING, ...statements].join('\n;\n');
}
