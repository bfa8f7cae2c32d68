import type { KeySet } from '../../base/crypto/keyring.js';
import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { join, type Query, type Sql, sql } from '../../db/sql.js';
import type { Tenant } from '../../http/principal.js';
import { signHead } from '../../ledger/audit-chain.js';
import { emptyHead, insertHead, type Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, TenantWrite, Write } from '../../ledger/write.js';
import { ENVIRONMENTS } from '../../model/environment.js';
import type { Plan } from '../../model/plans.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import { CLOSED_EMAIL, CLOSING_MS, type TenantRow } from './tenant.js';

/** How long an address that logged in is exempt from the limit by e-mail. */
export const EXEMPT_MS = 30 * 24 * 60 * 60_000;

export const LOGIN_ADDRESS_EXPIRY: Expiry = {
  table: sql`login_addresses`,
  column: sql`last_login_at`,
  before: ageOf(EXEMPT_MS),
};

export interface NewTenant {
  readonly id: string;
  readonly email: string;
  readonly companyName: string;
  readonly passwordHash: string;
  readonly plan: Plan;
  readonly securityPolicy: SecurityPolicy;
}

/**
 * The tenant and the empty, signed heads of its two audit chains. Sign-ups with one e-mail run one after another: two copies of
 * `tenants` on different machines could otherwise each have another of them first, which is a deadlock.
 */
export function insertTenant(w: TenantWrite, tenant: NewTenant, keys: KeySet, now: number): Promise<unknown> {
  const lock = w.query(sql.query`select pg_advisory_xact_lock(hashtextextended(${tenant.email}, 0))`);
  const inserted =
    w.mutate(sql.mutation`insert into tenants (id, email, company_name, password_hash, plan, security_policy,
      created_at)
    values (${tenant.id}, ${tenant.email}, ${tenant.companyName}, ${tenant.passwordHash}, ${tenant.plan},
      ${JSON.stringify(tenant.securityPolicy)}::jsonb, ${new Date(now)})`);
  const heads = ENVIRONMENTS.map((environment) => {
    const scope: Scope = { tenantId: tenant.id, environment };
    const head = emptyHead(scope, now);
    return w.mutate(insertHead(scope, head, signHead(keys, tenant.id, environment, head)));
  });
  return Promise.all([lock, inserted, ...heads]);
}

const COLUMNS = sql`id, email, company_name, password_hash, plan, status, token_version, security_policy, created_at,
  closes_at`;

const findOne = async (db: Database, condition: Sql): Promise<TenantRow | undefined> =>
  (await db.query<TenantRow>(sql.query`select ${COLUMNS} from tenants where ${condition}`))[0];

export const findTenantByEmail = (db: Database, email: string) => findOne(db, sql`email = ${email}`);
export const findTenant = (db: Database, id: string) => findOne(db, sql`id = ${id}`);

/** The state of an account that its open streams depend on, as text. */
export async function tenantStates(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; state: string }>(
    sql.query`select id, concat_ws(' ', status, token_version, members_version) as state from tenants where id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Ends the first owner's console tokens, also on nodes of the version before. */
export async function raiseTokenVersion(w: TenantWrite): Promise<void> {
  await w.mutate(
    sql.mutation`update tenants set token_version = token_version + 1 where id = ${w.scope.tenantId}`,
  );
}

/** A member or their log-ins have changed, which open streams notice. */
export async function raiseMembersVersion(w: TenantWrite): Promise<void> {
  await w.mutate(
    sql.mutation`update tenants set members_version = members_version + 1 where id = ${w.scope.tenantId}`,
  );
}

/** The password of the first owner. */
export async function replacePassword(w: TenantWrite, passwordHash: string): Promise<void> {
  await w.mutate(
    sql.mutation`update tenants set password_hash = ${passwordHash} where id = ${w.scope.tenantId}`,
  );
}

export const activeTenant = (id: string): Query =>
  sql.query`select 1 from tenants where id = ${id} and status = 'active'`;

/** Returns the policy from before. */
export async function replaceSecurityPolicy(w: TenantWrite, policy: SecurityPolicy): Promise<SecurityPolicy> {
  const [row] = await w.mutate<{ before: SecurityPolicy }>(sql.mutation`with old as
      (select id, security_policy from tenants where id = ${w.scope.tenantId} for no key update)
    update tenants t set security_policy = ${JSON.stringify(policy)}::jsonb from old where t.id = old.id
    returning old.security_policy as before`);
  return row?.before ?? {};
}

/** False if the policy is not the one that was seen. */
export async function changeSecurityPolicy(
  w: TenantWrite,
  seen: SecurityPolicy,
  policy: SecurityPolicy,
): Promise<boolean> {
  const rows =
    await w.mutate(sql.mutation`update tenants set security_policy = ${JSON.stringify(policy)}::jsonb
    where id = ${w.scope.tenantId} and security_policy = ${JSON.stringify(seen)}::jsonb returning 1 as done`);
  return rows.length > 0;
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
    update tenants t set status = ${status} from old where t.id = old.id and old.status <> ${status} and old.status not in ('closing', 'closed')
    returning old.status as "from", t.status as "to"`);
  return row;
}

/** Starts the days in which the account can be reopened. Undefined unless it is active. */
export async function startClosing(w: TenantWrite, closesAt: Date): Promise<Changed | undefined> {
  const [row] =
    await w.mutate<Changed>(sql.mutation`update tenants set status = 'closing', closes_at = ${closesAt}
    where id = ${w.scope.tenantId} and status = 'active' returning 'active' as "from", status as "to"`);
  return row;
}

/** Undefined unless the account is closing and its time is not over. */
export async function stopClosing(w: TenantWrite, now: Date): Promise<Changed | undefined> {
  const [row] = await w.mutate<Changed>(sql.mutation`update tenants set status = 'active', closes_at = null
    where id = ${w.scope.tenantId} and status = 'closing' and closes_at > ${now}
    returning 'closing' as "from", status as "to"`);
  return row;
}

/** Accounts whose time is over, or that are closed and may have records. By their ids. */
export async function listEnding(db: Database, now: Date, after: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql.query`select id from tenants
    where (status = 'closing' and closes_at <= ${now} or status = 'closed' and closes_at is not null) and id > ${after}
    order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Closes an account whose time is over, and empties its row. From here on nobody can reopen it. */
export async function close(w: UnauditedWrite<'closed accounts'>, id: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update tenants set status = 'closed', email = id || ${CLOSED_EMAIL}::text, company_name = '',
      password_hash = '', security_policy = '{}'::jsonb, token_version = token_version + 1, identities_locked_at = null
    where id = ${id} and status = 'closing' and closes_at <= ${now}`);
}

/** Nothing of the account is left. False if another node noted that. */
export async function noteDeleted(w: TenantWrite): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update tenants set closes_at = null
    where id = ${w.scope.tenantId} and status = 'closed' and closes_at is not null returning 1 as done`);
  return rows.length > 0;
}

/** Before the newest restore, nobody can have logged out that often: tokens that were revoked after the backup stay invalid. */
const VERSIONS_PER_RESTORE = 1_000_000;

/**
 * Ends all console tokens of these accounts after a restore, also those that were made after the backup, and locks their identities. An
 * account that is closing can be reopened for 30 days again: its owner may have reopened it after the backup.
 */
export async function lockRestored(
  w: UnauditedWrite<'restored rows'>,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await w.mutate(sql.mutation`update tenants set token_version = token_version + ${VERSIONS_PER_RESTORE},
      identities_locked_at = coalesce(identities_locked_at, ${now}),
      closes_at = case when status = 'closing' then greatest(closes_at, ${new Date(now.getTime() + CLOSING_MS)}) else closes_at end
    where id = any(${ids}::uuid[])`);
}

/** Lifts the lock of the present restore, not that of an earlier one that the owner has not confirmed. */
export async function unlockRestored(
  w: UnauditedWrite<'restored rows'>,
  id: string,
  lockedAfter: Date,
): Promise<void> {
  await w.mutate(sql.mutation`update tenants set identities_locked_at = null
    where id = ${id} and identities_locked_at > ${lockedAfter}`);
}

/** False if the identities are not locked. */
export async function unlockIdentities(w: TenantWrite): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update tenants set identities_locked_at = null
    where id = ${w.scope.tenantId} and identities_locked_at is not null returning 1 as done`);
  return rows.length > 0;
}

/** Since when the identities are locked. Null: they are not. */
export async function identitiesLockedAt(read: Read): Promise<Date | null> {
  const [row] = await read.query<{ identities_locked_at: Date | null }>(
    sql.query`select identities_locked_at from tenants where id = ${read.scope.tenantId}`,
  );
  return row?.identities_locked_at ?? null;
}
