import type { Keyring } from '../base/crypto/keyring.js';
import type { Database } from '../db/db.js';
import { type Migration, namesOfNewer } from '../db/migrate.js';
import { sql } from '../db/sql.js';
import * as devices from '../features/devices/devices.js';
import { findProblem, type SealingProblem } from '../features/sealing/sealing.js';
import * as users from '../features/users/users.js';
import type { EqualId } from '../records/canonical.js';

/** What `svc doctor` reads from the database. */
export interface Inspection {
  readonly kind: Database['kind'];
  /** The version as PostgreSQL names it, and as a number: 150003 is 15.3. */
  readonly version: string;
  readonly versionNumber: number;
  /** Names of migrations that are not applied yet, that were applied from a different file, or that a newer version applied. */
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  readonly newer: readonly string[];
  /** Whether SVC_SECRET created the signatures in the database. True if there are none yet. */
  readonly ownSecret: boolean;
  /** Why secrets of tenants cannot be decrypted. Null if they can. */
  readonly sealing: SealingProblem | null;
  /** The first pairs whose external ids are equal in Unicode's form C, from before that was compared. */
  readonly equalIds: Readonly<Record<'users' | 'devices', readonly EqualId[]>>;
  /** How far the database's clock is ahead of this machine's. */
  readonly clockAheadMs: number;
}

export async function inspect(
  db: Database,
  keyring: Keyring,
  migrations: readonly Migration[],
): Promise<Inspection> {
  const before = Date.now();
  const [row] = await db.query<{ now: Date; version: string; number: string }>(
    sql.query`select clock_timestamp()::timestamptz(3) as now, current_setting('server_version') as version,
      current_setting('server_version_num') as number`,
  );
  const { now, version, number } = row as NonNullable<typeof row>;
  const clockAheadMs = Math.round(now.getTime() - (before + Date.now()) / 2);
  const applied = await appliedMigrations(db);
  const here = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const missing = missingMigrations(applied, migrations);
  return {
    kind: db.kind,
    version,
    versionNumber: Number(number),
    missing,
    changed: applied
      .filter(({ name, checksum }) => here.has(name) && here.get(name) !== checksum)
      .map(({ name }) => name),
    newer: namesOfNewer(
      applied.map(({ name }) => name),
      migrations,
    ),
    ownSecret: missing.length > 0 || (await signsHere(db, keyring)),
    sealing: missing.length > 0 ? null : ((await findProblem({ db, keyring })) ?? null),
    equalIds: missing.length > 0 ? { users: [], devices: [] } : await equalIds(db),
    clockAheadMs,
  };
}

const MAX_PAIRS = 20;

async function equalIds(db: Database): Promise<Inspection['equalIds']> {
  return {
    users: await users.listEqualIds(db, MAX_PAIRS),
    devices: await devices.listEqualIds(db, MAX_PAIRS),
  };
}

type Applied = Pick<Migration, 'name' | 'checksum'>;

export async function appliedMigrations(db: Database): Promise<Applied[]> {
  const [table] = await db.query<{ there: boolean }>(
    sql.query`select to_regclass('public.schema_migrations') is not null as there`,
  );
  return table?.there
    ? db.query<Applied>(sql.query`select name, checksum from schema_migrations order by name`)
    : [];
}

export const missingMigrations = (applied: readonly Applied[], migrations: readonly Migration[]): string[] =>
  migrations.map(({ name }) => name).filter((name) => !applied.some((migration) => migration.name === name));

/** Whether the server of this database signs with this secret. */
export async function signsHere(db: Database, keyring: Keyring): Promise<boolean> {
  const signers = await db.query<{ key_id: string }>(sql.query`select distinct key_id from audit_heads`);
  return signers.length === 0 || signers.some(({ key_id }) => keyring.find(key_id) !== undefined);
}
