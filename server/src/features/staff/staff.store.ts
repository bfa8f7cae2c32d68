import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Query, type Sql, sql } from '../../db/sql.js';
import type { Member } from '../../http/principal.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Write, within } from '../../ledger/write.js';
import { hasRole, mayUseTest, ROLES, type Role } from '../../model/roles.js';

export const STAFF_EXPIRY: Expiry = {
  table: sql`staff_sessions`,
  column: sql`expires_at`,
  before: ageOf(0),
};

/** The roles whose members may act at a desk of that environment. */
const rolesIn = (environment: Scope['environment']): Role[] =>
  ROLES.filter((role) => hasRole(role, 'reception') && (environment === 'live' || mayUseTest(role)));

/** How long a member may do nothing before somebody else could stand there. */
export const IDLE_MS = 2 * 60_000;

/** What the token of a member at a desk says, and the session of the device that was sent beside it. */
export interface StaffClaims extends Scope {
  readonly id: string;
  readonly memberId: string;
  readonly deviceId: string;
  readonly sessionHash: string;
}

/** The session `t` is that of the token, at this desk, and in time. Its member `m` has such a role. */
const isValid = ({ environment, ...of }: StaffClaims, now: Date): Sql => sql`t.environment = ${environment}
  and t.device_id = ${of.deviceId} and t.id = ${of.id} and t.member_id = ${of.memberId} and t.session_hash = ${of.sessionHash}
  and t.expires_at > ${now} and t.used_at > ${new Date(now.getTime() - IDLE_MS)}
  and m.id = t.member_id and m.status = 'active' and m.role = any(${rolesIn(environment)}::text[])`;

interface MemberRow {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  has_password: boolean;
  hours: boolean;
  representative: boolean;
  site_ids: string[] | null;
}

/** The member, who has just done something. Undefined if the session has ended. */
export async function useSession(
  w: UnauditedWrite<'staff at desks'>,
  claims: StaffClaims,
  now: Date,
): Promise<Member | undefined> {
  const [row] =
    await w.mutate<MemberRow>(sql.mutation`update staff_sessions t set used_at = ${now} from members m
    where t.tenant_id = ${claims.tenantId} and m.tenant_id = ${claims.tenantId} and ${isValid(claims, now)}
    returning m.id, m.email, m.name, m.role, m.password_hash is not null as has_password, m.hours, m.representative, m.site_ids`);
  if (row === undefined) return undefined;
  const { has_password: hasPassword, site_ids: siteIds, ...member } = row;
  return { ...member, hasPassword, siteIds };
}

/** A row while the session is accepted, and that of the device. */
export const stillAccepted = (claims: StaffClaims, device: Query, now: Date): Query =>
  sql.query`select 1 from staff_sessions t join members m on m.tenant_id = t.tenant_id and m.id = t.member_id
    where t.tenant_id = ${claims.tenantId} and ${isValid(claims, now)} and exists (${device})`;

/** Begins a session, which ends the one before at this desk. False if the member is none any more, or has another role. */
export async function insertSession(
  w: Write,
  { id, memberId, deviceId, sessionHash }: Omit<StaffClaims, keyof Scope>,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows = await w.mutate(sql.mutation`insert into staff_sessions
      (tenant_id, environment, device_id, id, member_id, session_hash, used_at, expires_at)
    select ${tenantId}::uuid, ${environment}, ${deviceId}::uuid, ${id}::uuid, m.id, ${sessionHash}, ${now}::timestamptz, ${expiresAt}::timestamptz
    from members m where m.tenant_id = ${tenantId} and m.id = ${memberId} and m.status = 'active'
      and m.role = any(${rolesIn(environment)}::text[])
    on conflict (tenant_id, environment, device_id) do update set id = excluded.id, member_id = excluded.member_id,
      session_hash = excluded.session_hash, used_at = excluded.used_at, expires_at = excluded.expires_at
    returning 1 as done`);
  return rows.length > 0;
}

/** Ends the session at a desk, or only that one. The member, if there was one. */
export async function endSession(w: Write, deviceId: string, id?: string): Promise<string | undefined> {
  const [row] = await w.mutate<{ member_id: string }>(sql.mutation`delete from staff_sessions
    where ${within(w.scope)} and device_id = ${deviceId}
      ${id === undefined ? sql`` : sql`and id = ${id}`} returning member_id`);
  return row?.member_id;
}
