import type { KeySet } from '../../base/keyring.js';
import type { Database } from '../../db/db.js';
import { join, type Query, type Sql, sql } from '../../db/sql.js';
import type { Tenant } from '../../http/principal.js';
import { signHead } from '../../ledger/audit-chain.js';
import { emptyHead, insertHead, type Scope } from '../../ledger/audit-store.js';
import type { TenantWrite, Write } from '../../ledger/write.js';
import { ENVIRONMENTS } from '../../model/environment.js';
import type { Plan } from '../../model/plans.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import type { TenantRow } from './tenant.js';

export interface NewTenant {
  readonly id: string;
  readonly email: string;
  readonly companyName: string;
  readonly passwordHash: string;
  readonly plan: Plan;
}

/**
 * The tenant and the empty, signed heads of its two audit chains. Sign-ups with one e-mail run one after another: two copies of
 * `tenants` on different machines could otherwise each have another of them first, which is a deadlock.
 */
export function insertTenant(w: TenantWrite, tenant: NewTenant, keys: KeySet, now: number): Promise<unknown> {
  const lock = w.query(sql.query`select pg_advisory_xact_lock(hashtextextended(${tenant.email}, 0))`);
  const inserted =
    w.mutate(sql.mutation`insert into tenants (id, email, company_name, password_hash, plan, created_at)
    values (${tenant.id}, ${tenant.email}, ${tenant.companyName}, ${tenant.passwordHash}, ${tenant.plan}, ${new Date(now)})`);
  const heads = ENVIRONMENTS.map((environment) => {
    const scope: Scope = { tenantId: tenant.id, environment };
    const head = emptyHead(scope, now);
    return w.mutate(insertHead(scope, head, signHead(keys, tenant.id, environment, head)));
  });
  return Promise.all([lock, inserted, ...heads]);
}

const COLUMNS = sql`id, email, company_name, password_hash, plan, status, token_version, security_policy, created_at`;

const findOne = async (db: Database, condition: Sql): Promise<TenantRow | undefined> =>
  (await db.query<TenantRow>(sql.query`select ${COLUMNS} from tenants where ${condition}`))[0];

export const findTenantByEmail = (db: Database, email: string) => findOne(db, sql`email = ${email}`);
export const findTenant = (db: Database, id: string) => findOne(db, sql`id = ${id}`);

/** The state of an account that its open streams depend on, as text. */
export async function tenantStates(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; state: string }>(
    sql.query`select id, status || token_version as state from tenants where id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Ends all console tokens created before. Returns the new version. */
export async function raiseTokenVersion(w: TenantWrite): Promise<void> {
  await w.mutate(
    sql.mutation`update tenants set token_version = token_version + 1 where id = ${w.scope.tenantId}`,
  );
}

/** Replaces the password, if it still has the given version, and ends all tokens. Undefined for all but the first of concurrent changes. */
export async function replacePassword(
  w: TenantWrite,
  passwordHash: string,
  version: number | null,
): Promise<number | undefined> {
  const [row] = await w.mutate<{ token_version: number }>(sql.mutation`update tenants
    set token_version = token_version + 1, password_hash = ${passwordHash}
    where id = ${w.scope.tenantId} and (${version}::integer is null or token_version = ${version})
    returning token_version`);
  return row?.token_version;
}

export const activeTenant = (id: string): Query =>
  sql.query`select 1 from tenants where id = ${id} and status = 'active'`;

export async function replaceSecurityPolicy(w: TenantWrite, policy: SecurityPolicy): Promise<void> {
  await w.mutate(
    sql.mutation`update tenants set security_policy = ${JSON.stringify(policy)}::jsonb where id = ${w.scope.tenantId}`,
  );
}

export async function renameTenant(w: TenantWrite, companyName: string): Promise<void> {
  await w.mutate(
    sql.mutation`update tenants set company_name = ${companyName} where id = ${w.scope.tenantId}`,
  );
}

export async function rememberLogin(w: Write, addressHash: string, now: number): Promise<void> {
  await w.mutate(sql.mutation`insert into login_addresses (tenant_id, address_hash, last_login_at)
    values (${w.scope.tenantId}, ${addressHash}, ${new Date(now)})
    on conflict (tenant_id, address_hash) do update set last_login_at = excluded.last_login_at`);
}

/** Whether an account logged in from this address since then. Also queried, with `NIL_UUID`, for unknown e-mails. */
export async function hasLoggedInFrom(
  db: Database,
  tenantId: string,
  addressHash: string,
  since: number,
): Promise<boolean> {
  const rows = await db.query(sql.query`select 1 from login_addresses
    where tenant_id = ${tenantId} and address_hash = ${addressHash} and last_login_at > ${new Date(since)}`);
  return rows.length > 0;
}

export interface TenantListFilter {
  readonly status?: Tenant['status'] | undefined;
  readonly plan?: Plan | undefined;
  /** Only accounts created before this one. */
  readonly after?: string | undefined;
}

/** Newest first. */
export function listTenants(db: Database, filter: TenantListFilter, count: number): Promise<TenantRow[]> {
  const conditions = [
    sql`true`,
    ...(filter.status ? [sql`status = ${filter.status}`] : []),
    ...(filter.plan ? [sql`plan = ${filter.plan}`] : []),
    ...(filter.after ? [sql`id < ${filter.after}::uuid`] : []),
  ];
  return db.query<TenantRow>(
    sql.query`select ${COLUMNS} from tenants where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

/** The old and the new value. Undefined if nothing changed. */
export interface Changed {
  readonly from: string;
  readonly to: string;
}

export async function setPlan(w: TenantWrite, plan: Plan): Promise<Changed | undefined> {
  const [row] = await w.mutate<Changed>(sql.mutation`with old as
      (select id, plan from tenants where id = ${w.scope.tenantId} for no key update)
    update tenants t set plan = ${plan} from old where t.id = old.id and old.plan <> ${plan}
    returning old.plan as "from", t.plan as "to"`);
  return row;
}

export async function setStatus(w: TenantWrite, status: Tenant['status']): Promise<Changed | undefined> {
  const [row] = await w.mutate<Changed>(sql.mutation`with old as
      (select id, status from tenants where id = ${w.scope.tenantId} for no key update)
    update tenants t set status = ${status} from old where t.id = old.id and old.status <> ${status}
    returning old.status as "from", t.status as "to"`);
  return row;
}
