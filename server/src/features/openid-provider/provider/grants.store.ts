import type { Database } from '../../../db/db.js';
import { ageOf, type Expiry } from '../../../db/expiry.js';
import { type Mutation, type Query, type Sql, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../../ledger/write.js';

/** A day longer than they last, so that the back-channel logout of a grant that ended late is still sent. */
export const OIDC_EXPIRIES: readonly Expiry[] = [
  { table: sql`oidc_state`, column: sql`expires_at`, before: ageOf(0) },
  { table: sql`oidc_grants`, column: sql`expires_at`, before: ageOf(24 * 60 * 60_000) },
];

/** Who signed in, and how that was proved. */
export interface SignIn {
  readonly userId: string;
  readonly identityId: string;
  readonly verificationId: string;
}

export interface NewGrant extends SignIn {
  readonly id: string;
  readonly clientId: string;
  readonly scope: string;
  readonly expiresAt: Date;
}

export interface GrantRow {
  id: string;
  client_id: string;
  user_id: string;
  identity_id: string;
  verification_id: string;
  scope: string;
  /** Of its user, who is active. */
  full_name: string;
  email: string | null;
  email_from_device: boolean;
}

/** A grant is live until it expires, or it, its identity or its user ends. Clients end theirs when they are deleted. */
export const isLiveGrant = (
  { tenantId, environment }: Scope,
  id: Sql,
  now: Date,
): Sql => sql`exists (select 1 from oidc_grants g
    join identities i on i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = g.identity_id
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = g.user_id
    where g.tenant_id = ${tenantId} and g.environment = ${environment} and g.id = ${id}
      and g.ended_at is null and g.expires_at > ${now} and i.revoked_at is null and u.status = 'active')`;

/** The live ones of the grants that meet a condition, newest first, with their users. */
const liveGrants = (scope: Scope, condition: Sql, now: Date): Query =>
  sql.query`select t.id, t.client_id, t.user_id, t.identity_id, t.verification_id, t.scope, u.full_name, u.email,
      u.email_from_device
    from oidc_grants t
    join tenant_users u on u.tenant_id = ${scope.tenantId} and u.environment = ${scope.environment} and u.id = t.user_id
    where ${within(scope, 't')} and ${condition} and ${isLiveGrant(scope, sql`t.id`, now)}
    order by t.id desc`;

export const findLiveGrants = (read: Read, ids: readonly string[], now: Date): Promise<GrantRow[]> =>
  read.query<GrantRow>(liveGrants(read.scope, sql`t.id = any(${ids}::uuid[])`, now));

/** The live grant of a code or token. */
export const findGrantOf = ({ scope, query }: Read, stateId: string, now: Date): Promise<GrantRow[]> =>
  query<GrantRow>(
    liveGrants(
      scope,
      sql`t.id = (select s.grant_id from oidc_state s
        where s.tenant_id = ${scope.tenantId} and s.environment = ${scope.environment} and s.id = ${stateId})`,
      now,
    ),
  );

export async function insertGrant(w: Write, grant: NewGrant, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into oidc_grants (tenant_id, environment, id, client_id, user_id, identity_id,
      verification_id, scope, created_at, expires_at)
    values (${tenantId}, ${environment}, ${grant.id}, ${grant.clientId}, ${grant.userId}, ${grant.identityId},
      ${grant.verificationId}, ${grant.scope}, ${now}, ${grant.expiresAt})`);
}

/** Ends a grant. False if it had ended. */
export async function endGrant(w: Write, id: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update oidc_grants set ended_at = ${now}
    where ${within(w.scope)} and id = ${id} and ended_at is null returning 1`);
  return rows.length > 0;
}

/** Ends the grants of identities, and has their clients told. `identities`: an array or a query of ids. */
export async function endGrantsOf(w: Write, identities: Sql, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update oidc_grants set ended_at = ${now}, logout_at = ${now}
    where ${within(w.scope)} and ended_at is null and identity_id = any(${identities})`);
}

/** Ends grants after a restore, and has their clients told. Returns how many: fewer than `count` were the last ones. */
export async function endRestoredGrants(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
  now: Date,
): Promise<number> {
  const rows = await w.mutate(sql.mutation`update oidc_grants set ended_at = ${now}, logout_at = ${now}
    where ${within(scope)} and id in (select id from oidc_grants
      where ${within(scope)} and ended_at is null limit ${count}) returning 1 as done`);
  return rows.length;
}

/** Has the client of a grant told, whether or not the grant has ended: one for offline access stays when the browser signs out. */
export const beginLogout = (scope: Scope, id: string, now: Date): Mutation =>
  sql.mutation`update oidc_grants set logout_at = ${now}, logout_attempts = 0
    where ${within(scope)} and id = ${id} returning 1`;

export interface DueLogout {
  tenant_id: string;
  environment: Scope['environment'];
  id: string;
  client_id: string;
  user_id: string;
  logout_attempts: number;
}

/** Accounts, other than these, with ended grants whose clients are to be told now. */
export async function listDueAccounts(
  db: Database,
  now: Date,
  others: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(sql.query`select distinct tenant_id
    from oidc_grants where logout_at <= ${now} and tenant_id <> all(${others}::uuid[]) limit ${limit}`);
  return rows.map((row) => row.tenant_id);
}

/** The ended grants of an account whose clients are to be told now, those that are due first. */
export const listDueLogouts = (
  db: Database,
  tenantId: string,
  now: Date,
  limit: number,
): Promise<DueLogout[]> =>
  db.query<DueLogout>(sql.query`select tenant_id, environment, id, client_id, user_id, logout_attempts
    from oidc_grants where tenant_id = ${tenantId} and logout_at <= ${now} order by logout_at limit ${limit}`);

/** When the logout is sent again; null: never. Nothing changes if another node was faster. */
export const saveLogout = (
  w: Write,
  { id, logout_attempts }: DueLogout,
  at: Date | null,
): Promise<unknown[]> =>
  w.mutate(sql.mutation`update oidc_grants set logout_at = ${at}, logout_attempts = ${logout_attempts + 1}
    where ${within(w.scope)} and id = ${id} and logout_attempts = ${logout_attempts} and logout_at is not null returning 1`);

/** Takes a logout for `until`, so that other nodes leave it alone. False if another node has it. */
export const claimLogout = (
  scope: Scope,
  { id, logout_attempts }: DueLogout,
  now: Date,
  until: Date | null,
): Mutation =>
  sql.mutation`update oidc_grants set logout_at = ${until}
    where ${within(scope)} and id = ${id} and logout_attempts = ${logout_attempts} and logout_at <= ${now} returning 1`;
