import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { TenantWrite, Write } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import type { ApiScope } from '../../model/scopes.js';

export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  environment: Environment;
  scopes: ApiScope[];
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface NewKey {
  readonly id: string;
  readonly keyHash: string;
  readonly name: string;
  readonly prefix: string;
  readonly environment: Environment;
  readonly scopes: readonly ApiScope[];
  readonly expiresAt: Date | null;
}

const COLUMNS = sql`id, name, prefix, environment, scopes, created_at, last_used_at, expires_at, revoked_at`;

/**
 * Counts the active keys. The tenant's row is locked first, in a statement of its own, so that the count includes every key
 * that was created concurrently, on another node or in the other environment, which has a separate audit chain. The lock mode
 * permits inserting rows that refer to the tenant, which every writer does.
 */
export async function countActiveKeys(w: TenantWrite, now: Date): Promise<number> {
  const { tenantId } = w.scope;
  const lock = w.query(sql.query`select 1 from tenants where id = ${tenantId} for no key update`);
  const count = w.query<{ n: number }>(sql.query`select count(*) as n from api_keys
    where tenant_id = ${tenantId} and revoked_at is null and (expires_at is null or expires_at > ${now})`);
  const [, [row]] = await Promise.all([lock, count]);
  return row?.n ?? 0;
}

/** Only values: on a spread database, concurrent inserts that also read the table would deadlock. */
export async function insertKey(w: TenantWrite, key: NewKey, now: Date): Promise<KeyRow> {
  const [row] = await w.mutate<KeyRow>(sql.mutation`insert into api_keys
      (tenant_id, id, key_hash, name, prefix, environment, scopes, created_at, expires_at)
    values (${w.scope.tenantId}, ${key.id}, ${key.keyHash}, ${key.name}, ${key.prefix}, ${key.environment},
      ${key.scopes}, ${now}, ${key.expiresAt}) returning ${COLUMNS}`);
  return row as KeyRow;
}

/** Where a page of the list begins. All pages of one traversal are ordered by what was active `at` its start. */
export interface KeyPosition {
  readonly at: Date;
  readonly after?: { readonly isActive: boolean; readonly id: string };
}

/** At most `count` keys from that position: active ones first, then newest first. */
export function listKeys(
  db: Database,
  tenantId: string,
  { at, after }: KeyPosition,
  count: number,
): Promise<(KeyRow & { is_active: boolean })[]> {
  const isActive = sql`((revoked_at is null or revoked_at > ${at}) and (expires_at is null or expires_at > ${at}))`;
  const rest = after ? sql`(${isActive}, id) < (${after.isActive}::boolean, ${after.id}::uuid)` : sql`true`;
  return db.query(sql.query`select ${COLUMNS}, ${isActive} as is_active from api_keys
    where tenant_id = ${tenantId} and ${rest} order by is_active desc, id desc limit ${count}`);
}

export async function findKey(db: Database, tenantId: string, id: string): Promise<KeyRow | undefined> {
  const rows = await db.query<KeyRow>(
    sql.query`select ${COLUMNS} from api_keys where tenant_id = ${tenantId} and id = ${id}`,
  );
  return rows[0];
}

/** Undefined for all but the first of several concurrent calls. */
export async function revokeKey(w: Write, id: string, now: Date): Promise<KeyRow | undefined> {
  const [row] = await w.mutate<KeyRow>(sql.mutation`update api_keys set revoked_at = ${now}
    where tenant_id = ${w.scope.tenantId} and id = ${id} and revoked_at is null returning ${COLUMNS}`);
  return row;
}

/** Whether each key is valid, as text, for streams that outlive their request. */
export async function keyStates(
  db: Database,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; state: string }>(sql.query`select id,
      case when revoked_at is null and (expires_at is null or expires_at > ${now}) then 'good' else 'over' end as state
    from api_keys where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** When a key was last used, in milliseconds. */
export interface KeyUse {
  readonly keyId: string;
  readonly tenantId: string;
  readonly at: number;
}

/**
 * Skips keys that another transaction is changing, so a revocation and this never wait for each other. The rows are locked in
 * a subquery, because Citus 13.2 misreads the rows of a `with` query that itself locks some of them.
 */
export async function touchKeys(w: UnauditedWrite<'usage'>, uses: readonly KeyUse[]): Promise<void> {
  await w.mutate(sql.mutation`with used as (
      select * from (select k.tenant_id, k.id, u.at from api_keys k
      join unnest(${uses.map((use) => use.tenantId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
        ${uses.map((use) => new Date(use.at).toISOString())}::timestamptz[]) as u (tenant_id, id, at)
        on k.tenant_id = u.tenant_id and k.id = u.id
      for no key update of k skip locked) as locked
    )
    update api_keys k set last_used_at = used.at from used where k.tenant_id = used.tenant_id and k.id = used.id`);
}
