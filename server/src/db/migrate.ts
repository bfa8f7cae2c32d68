import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../base/telemetry/log.js';
import { isSpread, PLACING, placeTable } from './citus/placement.js';
import { DatabaseUnavailableError, type RawDatabase } from './db.js';
import { SPLIT_MIGRATIONS, wholeOf } from './split-migrations.js';
import { splitStatements } from './split-statements.js';
import { sql } from './sql.js';
import { tableNamed } from './tables.js';

export interface Migration {
  /** File name without its ending, for example `0001_foundation` or `0002a_ceremonies`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, lower-case hex. */
  readonly checksum: string;
}

/** An applied migration differs from the file of that name, so the history of the schema was edited. Ends the process. */
export class MigrationMismatchError extends Error {
  override readonly name = 'MigrationMismatchError';
}

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** Identifies our advisory lock. Any number that no other software uses on the same server. */
export const MIGRATION_LOCK = 7_483_926_150_417;

/** How long a migration waits for a lock. Requests to the table wait behind it, so it gives way and tries again. */
const LOCK_TIMEOUT_MS = 500;
/** The pause before a migration is tried again grows from the first to the second. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** All pauses of a run together. */
const MAX_PAUSES_MS = 120_000;

/** Only one node migrates at a time. The others wait for it, however long that takes. */
const WAIT_FOR_OTHERS = `set local lock_timeout = 0;
  select pg_advisory_xact_lock(${MIGRATION_LOCK})`;

export interface MigrateOptions {
  /** Gets a line for each time that a migration is tried again. */
  readonly log?: Pick<Log, 'warn'>;
  readonly pause?: (ms: number) => Promise<unknown>;
}

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}[a-z]?_[a-z0-9_]+\.sql$/.test(file)).sort();
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
export async function migrate(
  db: RawDatabase,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  await db.script(
    `${WAIT_FOR_OTHERS};
     create table if not exists schema_migrations
       (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
  );
  const run: Run = {
    db,
    spread: await isSpread(db),
    waitToRetry: createPatience(options),
    records: await readRecords(db),
  };
  const applied: string[] = [];
  for (const migration of migrations) if (await apply(run, migration)) applied.push(migration.name);
  return applied;
}

interface Run {
  readonly db: RawDatabase;
  readonly spread: boolean;
  readonly waitToRetry: (migration: Migration, error: unknown) => Promise<void>;
  /** Checksums of applied migrations by name. Read again when a migration fails, because another node may have applied it. */
  records: ReadonlyMap<string, string>;
}

async function readRecords(db: RawDatabase): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ name: string; checksum: string }>(
    sql.query`select name, checksum from schema_migrations`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** The applied migrations that are not among these, because a newer version applied them. */
export const namesOfNewer = (applied: readonly string[], migrations: readonly Migration[]): string[] => {
  const known = new Set([...migrations, ...SPLIT_MIGRATIONS].map(({ name }) => name));
  return applied.filter((name) => !known.has(name));
};

/** Returns false if the database has it already, or another node applied it while this one waited. */
async function apply(run: Run, migration: Migration): Promise<boolean> {
  const { db, spread, waitToRetry } = run;
  for (;;) {
    const record = findRecord(run.records, migration);
    if (record === 'whole') await recordPart(db, migration);
    if (record !== undefined) return false;
    try {
      // A script is one implicit transaction on both databases, which releases its lock at the end. If another node has
      // recorded the migration by then, the script fails on purpose, without changing anything.
      await db.script(
        `${WAIT_FOR_OTHERS};
         set local lock_timeout = ${LOCK_TIMEOUT_MS};
         insert into schema_migrations (name, checksum) values ${recordsFor(migration)};
         ${spread ? spreading(migration.text) : migration.text}`,
      );
      return true;
    } catch (error) {
      run.records = await readRecords(db);
      if (findRecord(run.records, migration) !== undefined) continue;
      if (!lostToOthers(error)) throw error;
      await waitToRetry(migration, error);
    }
  }
}

/** Whether the database has the migration, by its own record or by that of the whole file that it is a part of. */
function findRecord(records: Run['records'], migration: Migration): 'own' | 'whole' | undefined {
  const isRecorded = ({ name, checksum }: Pick<Migration, 'name' | 'checksum'>) => {
    const found = records.get(name);
    if (found !== undefined && found !== checksum)
      throw new MigrationMismatchError(
        `Migration ${name} was changed after it was applied. Restore the file and put the change into a new migration.`,
      );
    return found !== undefined;
  };
  if (isRecorded(migration)) return 'own';
  const whole = wholeOf(migration.name);
  return whole && isRecorded(whole) ? 'whole' : undefined;
}

const recordPart = (db: RawDatabase, { name, checksum }: Migration) =>
  db.query(sql.mutation`insert into schema_migrations (name, checksum) values (${name}, ${checksum})
    on conflict (name) do nothing`);

/** The last part of a split file also records the whole, so that a version that has the whole still starts. */
function recordsFor({ name, checksum }: Migration): string {
  const whole = wholeOf(name);
  const records = whole?.last === name ? [{ name, checksum }, whole] : [{ name, checksum }];
  return records.map((record) => `('${record.name}', '${record.checksum}')`).join(', ');
}

/** Whether PostgreSQL ended the transaction because of others: a deadlock, or a lock that it did not get in time. */
function lostToOthers(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === '40P01' || code === '55P03';
}

/** Pauses before a retry. Throws when the run has paused for long enough. */
function createPatience({ log, pause = delay }: MigrateOptions): Run['waitToRetry'] {
  let pauseMs = MIN_PAUSE_MS;
  let pausedMs = 0;
  return async ({ name }, error) => {
    if (pausedMs >= MAX_PAUSES_MS) {
      const message = `Migration ${name} could not lock its table. Look for long transactions in pg_stat_activity, end them, and migrate again.`;
      throw new DatabaseUnavailableError(message, { cause: new Error(message, { cause: error }) });
    }
    log?.warn(
      { err: error, migration: name, pauseMs },
      'a migration could not lock its table and is retried',
    );
    await pause(pauseMs);
    pausedMs += pauseMs;
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  };
}

/** Each new table is placed right after it is created, because a table that refers to a placed one must be placed too. */
function spreading(text: string): string {
  const statements = splitStatements(text).flatMap((statement) => {
    const table = /^(?:--[^\n]*\n|\s)*create table (?:if not exists )?(\w+)/i.exec(statement)?.[1];
    const placement = table === undefined ? undefined : tableNamed(table)?.placement;
    return placement === undefined ? [statement] : [statement, placeTable(table as string, placement)];
  });
  return [...PLACING, ...statements].join('\n;\n');
}
