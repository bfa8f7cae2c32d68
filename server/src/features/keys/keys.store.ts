import type { Database } from '../../db/db.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, TenantWrite, Write } from '../../ledger/write.js';
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
  /** The key that replaced this one. */
  replaced_by: string | null;
  /** Null: from everywhere. Never empty. */
  allowed_cidrs: string[] | null;
  last_used_network: string | null;
}

export interface NewKey {
  readonly id: string;
  readonly keyHash: string;
  readonly name: string;
  readonly prefix: string;
  readonly environment: Environment;
  readonly scopes: readonly ApiScope[];
  readonly expiresAt: Date | null;
  readonly allowedCidrs: readonly string[] | null;
}

const COLUMNS = sql`id, name, prefix, environment, scopes, created_at, last_used_at, expires_at, revoked_at, replaced_by,
  allowed_cidrs, last_used_network`;

/** A key that requests can be sent with. */
const usable = (alias: Sql, now: Date): Sql =>
  sql`${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > ${now})`;

/** Locks the tenant's row. The lock mode permits inserting rows that refer to the tenant, which every writer does. */
const lockTenant = (w: TenantWrite) =>
  w.query(sql.query`select 1 from tenants where id = ${w.scope.tenantId} for no key update`);

/**
 * Counts the active keys, of a key in its grace and its successor only one. The tenant's row is locked first, in a statement of its
 * own, so that the count includes every key that was created concurrently, on another node or in the other environment, which has a
 * separate audit chain.
 */
export async function countActiveKeys(w: TenantWrite, now: Date): Promise<number> {
  const { tenantId } = w.scope;
  const lock = lockTenant(w);
  const count = w.query<{ n: number }>(sql.query`select count(*) as n from api_keys k
    where k.tenant_id = ${tenantId} and ${usable(sql`k`, now)} and not exists (select 1 from api_keys s
      where s.tenant_id = ${tenantId} and s.id = k.replaced_by and ${usable(sql`s`, now)})`);
  const [, [row]] = await Promise.all([lock, count]);
  return row?.n ?? 0;
}

/** Only values: on a spread database, concurrent inserts that also read the table would deadlock. */
export async function insertKey(w: TenantWrite, key: NewKey, now: Date): Promise<KeyRow> {
  const [row] = await w.mutate<KeyRow>(sql.mutation`insert into api_keys
      (tenant_id, id, key_hash, name, prefix, environment, scopes, created_at, expires_at, allowed_cidrs)
    values (${w.scope.tenantId}, ${key.id}, ${key.keyHash}, ${key.name}, ${key.prefix}, ${key.environment},
      ${key.scopes}, ${now}, ${key.expiresAt}, ${key.allowedCidrs}) returning ${COLUMNS}`);
  return row as KeyRow;
}

/** The usable keys of an environment that have a scope, oldest first. */
export const listKeysWith = (
  db: Pick<Read, 'query'>,
  { tenantId, environment }: Scope,
  scope: ApiScope,
  now: Date,
): Promise<{ id: string; name: string }[]> =>
  db.query<{ id: string; name: string }>(sql.query`select k.id, k.name from api_keys k
    where k.tenant_id = ${tenantId} and k.environment = ${environment} and ${scope} = any (k.scopes) and ${usable(sql`k`, now)}
    order by k.id`);

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

/**
 * Marks a key as replaced by another, from which time on it has an end. Undefined if it has ended or was replaced before: of several
 * concurrent calls, one gets the key.
 */
export async function replaceKey(
  w: TenantWrite,
  id: string,
  successor: { readonly id: string; readonly end: Date },
  now: Date,
): Promise<KeyRow | undefined> {
  const lock = lockTenant(w);
  const replaced = w.mutate<KeyRow>(sql.mutation`update api_keys k
    set replaced_by = ${successor.id}, expires_at = least(k.expires_at, ${successor.end})
    where k.tenant_id = ${w.scope.tenantId} and k.id = ${id} and k.replaced_by is null and ${usable(sql`k`, now)}
    returning ${COLUMNS}`);
  const [, [row]] = await Promise.all([lock, replaced]);
  return row;
}

/** Revokes the key that this one replaced, if that is still in its grace. Returns its id. */
export async function revokePredecessor(w: Write, id: string, now: Date): Promise<string | undefined> {
  const [row] = await w.mutate<{ id: string }>(sql.mutation`update api_keys k set revoked_at = ${now}
    where k.tenant_id = ${w.scope.tenantId} and k.replaced_by = ${id} and ${usable(sql`k`, now)} returning k.id`);
  return row?.id;
}

/** What of a key can be changed. Absent: stays as it is. */
export interface KeyChange {
  readonly name?: string | undefined;
  readonly allowedCidrs?: readonly string[] | null | undefined;
}

/** Undefined if the key has ended. */
export async function updateKey(
  w: Write,
  id: string,
  { name, allowedCidrs }: KeyChange,
  now: Date,
): Promise<KeyRow | undefined> {
  const [row] = await w.mutate<KeyRow>(sql.mutation`update api_keys k set
      name = coalesce(${name ?? null}::text, k.name),
      allowed_cidrs = case when ${allowedCidrs !== undefined}::boolean then ${allowedCidrs ?? null}::text[] else k.allowed_cidrs end
    where k.tenant_id = ${w.scope.tenantId} and k.id = ${id} and ${usable(sql`k`, now)} returning ${COLUMNS}`);
  return row;
}

/** The state of each key as text, with all that decides about requests with it, for streams that outlive their request. */
export async function keyStates(
  db: Database,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; state: string }>(sql.query`select id,
      case when ${usable(sql`k`, now)} then 'good ' || coalesce(array_to_string(k.allowed_cidrs, ' '), '') else 'over' end as state
    from api_keys k where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** When a key was last used, in milliseconds, and from where. */
export interface KeyUse {
  readonly keyId: string;
  readonly tenantId: string;
  readonly at: number;
  /** The /24 or /48 of the caller. Null if its address is unknown. */
  readonly network: string | null;
}

/**
 * Skips keys that another transaction is changing, so a revocation and this never wait for each other. The rows are locked in
 * a subquery, because Citus 13.2 misreads the rows of a `with` query that itself locks some of them.
 */
export async function touchKeys(w: UnauditedWrite<'usage'>, uses: readonly KeyUse[]): Promise<void> {
  await w.mutate(sql.mutation`with used as (
      select * from (select k.tenant_id, k.id, u.at, u.network from api_keys k
      join unnest(${uses.map((use) => use.tenantId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
        ${uses.map((use) => new Date(use.at).toISOString())}::timestamptz[],
        ${uses.map((use) => use.network)}::text[]) as u (tenant_id, id, at, network)
        on k.tenant_id = u.tenant_id and k.id = u.id
      for no key update of k skip locked) as locked
    )
    update api_keys k set last_used_at = used.at, last_used_network = used.network from used where k.tenant_id = used.tenant_id and k.id = used.id`);
}
