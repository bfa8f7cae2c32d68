import type { SealPurpose } from '../../base/crypto/sealer.js';
import type { Database } from '../../db/db.js';
import { type Mutation, type Sql, sql } from '../../db/sql.js';
import type { Environment } from '../../model/environment.js';

/** A deployment key, sealed under the server secret that `secret_id` names. */
export interface KeyRow {
  id: string;
  secret_id: string;
  sealed: string;
  created_at: Date;
}

/** Newest first. */
export const listKeys = (db: Pick<Database, 'query'>): Promise<KeyRow[]> =>
  db.query<KeyRow>(
    sql.query`select id, secret_id, sealed, created_at from sealing_keys order by created_at desc, id desc`,
  );

/** Does nothing if there is a key with that id. */
export const insertKey = ({ id, secret_id, sealed, created_at }: KeyRow): Mutation =>
  sql.mutation`insert into sealing_keys (id, secret_id, sealed, created_at)
    values (${id}, ${secret_id}, ${sealed}, ${created_at}) on conflict (id) do nothing`;

/** Does nothing if another process has changed the row. */
export const updateKey = (
  was: KeyRow,
  { secret_id, sealed }: Pick<KeyRow, 'secret_id' | 'sealed'>,
): Mutation =>
  sql.mutation`update sealing_keys set secret_id = ${secret_id}, sealed = ${sealed}
    where id = ${was.id} and sealed = ${was.sealed} returning 1 as done`;

export const deleteKey = (id: string): Mutation =>
  sql.mutation`delete from sealing_keys where id = ${id} returning 1 as done`;

/** A column of sealed values. The table's primary key is `(tenant_id, environment, id)`. */
export interface SealedColumn {
  readonly table: Sql;
  readonly column: Sql;
  readonly purpose: SealPurpose;
}

/** The ids of the keys that values of any tenant are sealed with. Reads the whole column. */
export async function listUsedKeys(db: Database, { table, column }: SealedColumn): Promise<string[]> {
  const rows = await db.query<{ key_id: string }>(
    sql.query`select distinct split_part(${column}, '.', 2) as key_id from ${table} where ${column} is not null`,
  );
  return rows.map(({ key_id }) => key_id);
}

/** The ids of the keys that names of erased people are hashed with. A hash cannot be renewed with another key. */
export async function listHashingKeys(db: Database): Promise<string[]> {
  const rows = await db.query<{ key_id: string }>(
    sql.query`select distinct split_part(spent, '.', 1) as key_id from spent_names`,
  );
  return rows.map(({ key_id }) => key_id);
}

/** The primary key of a row. */
export interface RowKey {
  tenant_id: string;
  environment: Environment;
  id: string;
}

export interface ValueRow extends RowKey {
  sealed: string;
}

/** Values of any tenant that are sealed with another key than that one, after a row. */
export function listValuesOfOthers(
  db: Database,
  { table, column }: SealedColumn,
  keyId: string,
  after: RowKey | undefined,
  limit: number,
): Promise<ValueRow[]> {
  const rest = after
    ? sql`and (tenant_id, environment, id) > (${after.tenant_id}, ${after.environment}, ${after.id})`
    : sql``;
  return db.query<ValueRow>(
    sql.query`select tenant_id, environment, id, ${column} as sealed from ${table}
      where split_part(${column}, '.', 2) <> ${keyId} ${rest} order by tenant_id, environment, id limit ${limit}`,
  );
}

/** Does nothing if the value changed since it was read. One row, because a spread database rejects a list in an update. */
export const replaceValue = (
  { table, column }: SealedColumn,
  { tenant_id, environment, id, sealed }: ValueRow,
  replacement: string,
): Mutation =>
  sql.mutation`update ${table} set ${column} = ${replacement}
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id} and ${column} = ${sealed}
    returning 1 as done`;
