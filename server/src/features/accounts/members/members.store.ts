import type { Database } from '../../../db/db.js';
import { type Sql, sql } from '../../../db/sql.js';
import type { Read, TenantWrite, Write } from '../../../ledger/write.js';
import type { Role } from '../../../model/roles.js';

export interface MemberRow {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  hours: boolean;
  representative: boolean;
  site_ids: string[] | null;
  status: 'invited' | 'active';
  has_password: boolean;
  created_at: Date;
  joined_at: Date | null;
  invitation_expires_at: Date | null;
}

const COLUMNS = sql`id, email, name, role, hours, representative, site_ids, status, password_hash is not null or id = tenant_id as has_password, created_at, joined_at,
  invitation_expires_at`;

/** The owner who signs up, or who logs in for the first time after a node of the version before signed them up. */
export async function insertFirstOwner(w: Write, email: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`insert into members (tenant_id, id, email, role, status, created_at, joined_at)
    values (${w.scope.tenantId}, ${w.scope.tenantId}, ${email}, 'owner', 'active', ${now}, ${now})
    on conflict (tenant_id, id) do nothing`);
}

/** Everybody who is a member or invited, by the time at which they were invited. */
export const listMembers = (read: Read): Promise<MemberRow[]> =>
  read.query<MemberRow>(sql.query`select ${COLUMNS} from members
    where tenant_id = ${read.scope.tenantId} and status <> 'removed' order by created_at, id`);

export async function findMember(read: Read, id: string): Promise<MemberRow | undefined> {
  const [row] = await read.query<MemberRow>(sql.query`select ${COLUMNS} from members
    where tenant_id = ${read.scope.tenantId} and id = ${id} and status <> 'removed'`);
  return row;
}

/** Whether somebody with this e-mail is a member of the account. */
export async function isMember(read: Read, email: string): Promise<boolean> {
  const rows = await read.query(sql.query`select 1 from members
    where tenant_id = ${read.scope.tenantId} and email = ${email} and status = 'active'`);
  return rows.length > 0;
}

/** The person that a member is, as their phone has shown, in this environment. */
export async function userOf(read: Read, id: string): Promise<string | undefined> {
  const [row] = await read.query<{ user_id: string | null }>(sql.query`select user_id from members
    where tenant_id = ${read.scope.tenantId} and id = ${id} and user_environment = ${read.scope.environment}`);
  return row?.user_id ?? undefined;
}

/** False if there is no such member, or they are another person of the live environment: otherwise they could decide about their own hours after all. */
export async function linkToUser(w: TenantWrite, id: string, userId: string): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows =
    await w.mutate(sql.mutation`update members set user_id = ${userId}, user_environment = ${environment}
    where tenant_id = ${tenantId} and id = ${id} and status = 'active'
      and (user_id is null or user_environment = 'test' or user_id = ${userId}) returning 1 as done`);
  return rows.length > 0;
}

export async function countMembers(read: Read): Promise<number> {
  const [row] = await read.query<{ count: number }>(sql.query`select count(*)::integer as count from members
    where tenant_id = ${read.scope.tenantId} and status <> 'removed'`);
  return row?.count ?? 0;
}

/** The active owners, also one without a row, who signed up on a node of the version before, and these members. */
export const listOwners = (
  read: Read,
  also: readonly string[] = [],
): Promise<{ email: string; company_name: string }[]> =>
  read.query<{ email: string; company_name: string }>(sql.query`select m.email, t.company_name
      from members m join tenants t on t.id = m.tenant_id
      where m.tenant_id = ${read.scope.tenantId} and m.status = 'active'
        and (m.role = 'owner' or m.id = any(${[...also]}::uuid[]))
    union all
    select t.email, t.company_name from tenants t left join members m on m.tenant_id = t.id and m.id = t.id
      where t.id = ${read.scope.tenantId} and m.id is null`);

/** The owners `o` who can log in: by a password, which the first owner has, or by a passkey besides the one that is left out. */
export const ownersWhoLogIn = (tenantId: string, withoutPasskey: string | null = null): Sql =>
  sql`select o.id from members o where o.tenant_id = ${tenantId} and o.role = 'owner' and o.status = 'active'
    and (o.password_hash is not null or o.id = o.tenant_id or exists (select 1 from passkeys p
      where p.tenant_id = ${tenantId} and p.member_id = o.id and p.id is distinct from ${withoutPasskey}::uuid))`;

/** The ids of the owners who can log in. */
export const idsOfOwners = (tenantId: string): Sql => sql`array(${ownersWhoLogIn(tenantId)} order by o.id)`;

/** Whether the member has used a link that was mailed to them. */
export async function hasConfirmedEmail(read: Read, id: string): Promise<boolean> {
  const rows = await read.query(sql.query`select 1 from members
    where tenant_id = ${read.scope.tenantId} and id = ${id} and email_confirmed_at is not null`);
  return rows.length > 0;
}

/** The member used a link that only the mail to them had. */
export async function confirmEmail(w: TenantWrite, id: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update members set email_confirmed_at = coalesce(email_confirmed_at, ${now})
    where tenant_id = ${w.scope.tenantId} and id = ${id}`);
}

/** The account keeps an owner who can log in: another one, or this member. */
const keepsOwner = (tenantId: string, id: string): Sql =>
  sql`(role <> 'owner' or status <> 'active' or exists (${ownersWhoLogIn(tenantId)} and o.id <> ${id}))`;

export interface MemberChanges {
  readonly role?: Role | undefined;
  readonly name?: string | undefined;
  readonly hours?: boolean | undefined;
  readonly representative?: boolean | undefined;
  /** Null: all sites. */
  readonly siteIds?: readonly string[] | null | undefined;
}

/** Undefined if there is no such member, or if the account would have no owner. */
export async function changeMember(
  w: TenantWrite,
  id: string,
  { role, name, hours, representative, siteIds }: MemberChanges,
): Promise<MemberRow | undefined> {
  const { tenantId } = w.scope;
  const staysOwner = role === undefined || role === 'owner' ? sql`true` : keepsOwner(tenantId, id);
  const [row] = await w.mutate<MemberRow>(sql.mutation`update members
    set role = coalesce(${role ?? null}, role), name = coalesce(${name ?? null}, name),
      hours = coalesce(${hours ?? null}, hours), representative = coalesce(${representative ?? null}, representative),
      site_ids = case when ${siteIds !== undefined} then ${siteIds ?? null}::uuid[] else site_ids end
    where tenant_id = ${tenantId} and id = ${id} and status <> 'removed' and ${staysOwner} returning ${COLUMNS}`);
  return row;
}

/** Removes a member or an invitation, with everything personal. False if there is none, or if the account would have no owner. */
export async function removeMember(w: TenantWrite, id: string): Promise<boolean> {
  const { tenantId } = w.scope;
  const rows = await w.mutate(sql.mutation`update members
    set status = 'removed', email = null, name = null, password_hash = null, invitation_hash = null
    where tenant_id = ${tenantId} and id = ${id} and status <> 'removed' and ${keepsOwner(tenantId, id)} returning 1 as done`);
  return rows.length > 0;
}

/** Withdraws the invitations that a member sent. */
export const withdrawInvitations = (
  w: TenantWrite,
  invitedBy: string,
): Promise<{ id: string; role: Role }[]> =>
  w.mutate<{ id: string; role: Role }>(sql.mutation`update members
    set status = 'removed', email = null, name = null, invitation_hash = null
    where tenant_id = ${w.scope.tenantId} and invited_by = ${invitedBy} and status = 'invited' returning id, role`);

export interface NewInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitationHash: string;
  readonly invitedBy: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Replaces an earlier invitation of the same e-mail, so that an e-mail has at most one in an account. */
export async function insertInvitation(w: TenantWrite, of: NewInvitation): Promise<MemberRow> {
  const { tenantId } = w.scope;
  await w.mutate(sql.mutation`delete from members
    where tenant_id = ${tenantId} and email = ${of.email} and status = 'invited'`);
  const [row] = await w.mutate<MemberRow>(sql.mutation`insert into members
      (tenant_id, id, email, role, status, invitation_hash, invitation_expires_at, invited_by, created_at)
    values (${tenantId}, ${of.id}, ${of.email}, ${of.role}, 'invited', ${of.invitationHash}, ${of.expiresAt}, ${of.invitedBy}, ${of.now})
    returning ${COLUMNS}`);
  return row as MemberRow;
}

export interface Invitation {
  id: string;
  tenant_id: string;
  email: string;
  role: Role;
  company_name: string;
}

/** An invitation that can be accepted: its time is not over, and who invited is still an owner. */
export async function findInvitation(db: Database, hash: string, now: Date): Promise<Invitation | undefined> {
  const [row] = await db.query<Invitation>(sql.query`select m.id, m.tenant_id, m.email, m.role, t.company_name
    from members m join tenants t on t.id = m.tenant_id
    where m.invitation_hash = ${hash} and m.status = 'invited' and m.invitation_expires_at > ${now} and t.status = 'active'
      and exists (select 1 from members o where o.tenant_id = m.tenant_id and o.id = m.invited_by and o.role = 'owner'
        and o.status = 'active')`);
  return row;
}

/** Undefined if the invitation can no longer be accepted. */
export async function acceptInvitation(
  w: TenantWrite,
  hash: string,
  joining: { readonly name: string; readonly passwordHash: string | null },
  now: Date,
): Promise<MemberRow | undefined> {
  const [row] = await w.mutate<MemberRow>(sql.mutation`update members m
    set status = 'active', name = ${joining.name}, password_hash = ${joining.passwordHash}, invitation_hash = null,
      invitation_expires_at = null, joined_at = ${now}
    where m.tenant_id = ${w.scope.tenantId} and m.invitation_hash = ${hash} and m.status = 'invited' and m.invitation_expires_at > ${now}
      and exists (select 1 from members o where o.tenant_id = m.tenant_id and o.id = m.invited_by and o.role = 'owner'
        and o.status = 'active')
    returning ${COLUMNS}`);
  return row;
}

/** False unless the member is active and not the first owner, whose password is in `tenants`. */
export async function setPassword(w: TenantWrite, id: string, passwordHash: string): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update members set password_hash = ${passwordHash}
    where tenant_id = ${w.scope.tenantId} and id = ${id} and status = 'active' and id <> tenant_id returning 1 as done`);
  return rows.length > 0;
}
