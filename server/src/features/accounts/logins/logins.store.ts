import type { Database } from '../../../db/db.js';
import { ageOf, type Expiry } from '../../../db/expiry.js';
import { type Query, type Sql, sql } from '../../../db/sql.js';
import type { Member } from '../../../http/principal.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import type { Read, Write } from '../../../ledger/write.js';
import type { Role } from '../../../model/roles.js';
import type { TenantRow } from '../tenant.js';

export const LOGIN_SESSION_EXPIRY: Expiry = {
  table: sql`login_sessions`,
  column: sql`expires_at`,
  before: ageOf(0),
};

/** A member with their account, as a request knows them. */
export interface MemberRow extends Omit<TenantRow, 'password_hash'> {
  member_id: string;
  member_email: string;
  member_name: string | null;
  role: Role;
  has_password: boolean;
  hours: boolean;
  representative: boolean;
  site_ids: string[] | null;
}

/** The same with what a log-in checks. */
export interface LoginRow extends MemberRow, Pick<TenantRow, 'password_hash'> {
  /** Null without a password. */
  member_password_hash: string | null;
  /** Nobody has a row in `members` yet: a node of the version before signed the owner up. */
  is_unlisted: boolean;
}

const PASSWORD_HASH = sql`case when m.id is null or m.id = t.id then t.password_hash else m.password_hash end`;
/** Who has no row in `members` is the owner. Each request reads these, so they are no more than it needs. */
const COLUMNS = sql`t.id, t.email, t.company_name, t.plan, t.status, t.token_version, t.security_policy, t.created_at, t.closes_at,
  coalesce(m.id, t.id) as member_id, coalesce(m.email, t.email) as member_email, m.name as member_name,
  coalesce(m.role, 'owner') as role, ${PASSWORD_HASH} is not null as has_password,
  coalesce(m.hours, false) as hours, coalesce(m.representative, false) as representative, m.site_ids`;
const LOGIN_COLUMNS = sql`${COLUMNS}, t.password_hash, ${PASSWORD_HASH} as member_password_hash, m.id is null as is_unlisted`;

export const memberOf = (row: MemberRow): Member => ({
  id: row.member_id,
  email: row.member_email,
  name: row.member_name,
  role: row.role,
  hasPassword: row.has_password,
  hours: row.hours,
  representative: row.representative,
  siteIds: row.site_ids,
});

/** The member with this e-mail. */
export async function findByEmail(db: Database, email: string): Promise<LoginRow | undefined> {
  const [row] = await db.query<LoginRow>(sql.query`select ${LOGIN_COLUMNS}
      from members m join tenants t on t.id = m.tenant_id where m.email = ${email} and m.status = 'active'
    union all
    select ${LOGIN_COLUMNS} from tenants t left join members m on m.tenant_id = t.id and m.id = t.id
      where t.email = ${email} and m.id is null`);
  return row;
}

/** An active member. */
export async function findById(
  db: Pick<Database, 'query'>,
  tenantId: string,
  id: string,
): Promise<LoginRow | undefined> {
  const [row] = await db.query<LoginRow>(sql.query`select ${LOGIN_COLUMNS} from tenants t
    left join members m on m.tenant_id = t.id and m.id = ${id}
    where t.id = ${tenantId} and ${isActive(sql`${id}::uuid`)}`);
  return row;
}

const isActive = (id: Sql): Sql => sql`(m.status = 'active' or m.id is null and t.id = ${id})`;

/** What a console token says: a member, their account, and the log-in, which tokens of the version before do not name. */
export interface TokenClaims {
  readonly tenantId: string;
  readonly memberId: string;
  readonly loginId: string | undefined;
  readonly version: number;
}

/**
 * The rest of a statement that finds the log-in of a token while it is valid. The version is that of the first owner's tokens, which
 * nodes of the version before check.
 */
const validLogin = ({ tenantId, memberId, loginId, version }: TokenClaims): Sql =>
  loginId === undefined
    ? sql`tenants t left join members m on m.tenant_id = t.id and m.id = ${memberId}
        where t.id = ${tenantId} and (t.id <> ${memberId} or t.token_version = ${version}) and ${isActive(sql`${memberId}::uuid`)}`
    : sql`login_sessions l join tenants t on t.id = l.tenant_id left join members m on m.tenant_id = t.id and m.id = l.member_id
        where l.tenant_id = ${tenantId} and t.id = ${tenantId} and l.id = ${loginId} and l.member_id = ${memberId}
          and (t.id <> l.member_id or t.token_version = ${version}) and ${isActive(sql`l.member_id`)}`;

/** A log-in is valid as long as its token, whose time is checked before. */
export async function findLogin(
  db: Database,
  claims: TokenClaims,
): Promise<(MemberRow & { confirmed_at: Date | null }) | undefined> {
  const confirmed = claims.loginId === undefined ? sql`null::timestamptz` : sql`l.confirmed_at`;
  const [row] = await db.query<MemberRow & { confirmed_at: Date | null }>(
    sql.query`select ${COLUMNS}, ${confirmed} as confirmed_at from ${validLogin(claims)}`,
  );
  return row;
}

/** A row while the log-in is valid, its member has this role, and the account is active. */
export const stillValid = (claims: TokenClaims, role: Role, now: Date, whileClosing: boolean): Query =>
  sql.query`select 1 from ${validLogin(claims)} ${claims.loginId === undefined ? sql`` : sql`and l.expires_at > ${now}`}
    and coalesce(m.role, 'owner') = ${role} and (t.status = 'active' or ${whileClosing} and t.status = 'closing')`;

export interface NewLogin {
  readonly id: string;
  readonly memberId: string;
  readonly network: string | null;
  readonly userAgent: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

export async function insertLogin(w: Write, of: NewLogin): Promise<void> {
  await w.mutate(sql.mutation`insert into login_sessions
      (tenant_id, id, member_id, network, user_agent, created_at, expires_at, confirmed_at)
    values (${w.scope.tenantId}, ${of.id}, ${of.memberId}, ${of.network}, ${of.userAgent}, ${of.now}, ${of.expiresAt}, ${of.now})`);
}

/** Ends one log-in of the member. False if there is none. */
export async function endLogin(w: Write, memberId: string, id: string): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`delete from login_sessions
    where tenant_id = ${w.scope.tenantId} and id = ${id} and member_id = ${memberId} returning 1 as done`);
  return rows.length > 0;
}

/** Ends all log-ins of a member. */
export async function endLogins(w: Write, memberId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from login_sessions
    where tenant_id = ${w.scope.tenantId} and member_id = ${memberId}`);
}

/** Ends all log-ins of an account. */
export async function endRestored(w: UnauditedWrite<'restored rows'>, tenantId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from login_sessions where tenant_id = ${tenantId}`);
}

/** The member has just confirmed who they are. False if the log-in has ended. */
export async function confirmLogin(w: Write, memberId: string, id: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update login_sessions set confirmed_at = ${now}
    where tenant_id = ${w.scope.tenantId} and id = ${id} and member_id = ${memberId} returning 1 as done`);
  return rows.length > 0;
}

export interface LoginSessionRow {
  id: string;
  network: string | null;
  user_agent: string | null;
  created_at: Date;
  expires_at: Date;
}

/** The newest log-ins of a member that have not ended. */
export const listLogins = (
  read: Read,
  memberId: string,
  now: Date,
  limit: number,
): Promise<LoginSessionRow[]> =>
  read.query<LoginSessionRow>(sql.query`select id, network, user_agent, created_at, expires_at from login_sessions
    where tenant_id = ${read.scope.tenantId} and member_id = ${memberId} and expires_at > ${now}
    order by created_at desc, id desc limit ${limit}`);
