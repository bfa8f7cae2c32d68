import type { Database } from '../../../db/db.js';
import { ageOf, type Expiry } from '../../../db/expiry.js';
import { type Sql, sql } from '../../../db/sql.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import type { TenantWrite } from '../../../ledger/write.js';

export const PASSWORD_RESET_EXPIRY: Expiry = {
  table: sql`password_resets`,
  column: sql`expires_at`,
  before: ageOf(0),
};

/** What a link is bound to. Null without a password. */
const MEMBER = sql`select t.id as tenant_id, coalesce(m.id, t.id) as member_id, coalesce(m.email, t.email) as email, t.company_name,
    t.status, encode(sha256(convert_to(coalesce(m.email, t.email) || '|' ||
      nullif(case when m.id is null or m.id = t.id then t.password_hash else m.password_hash end, ''), 'UTF8')), 'hex') as issued_for`;

/** Replaces an older link of the member. False if the member has no password, or left, or the account is not active. */
export async function insertReset(
  w: TenantWrite,
  of: {
    readonly memberId: string;
    readonly tokenHash: string;
    readonly now: Date;
    readonly expiresAt: Date;
  },
): Promise<boolean> {
  const { tenantId } = w.scope;
  const rows = await w.mutate(sql.mutation`insert into password_resets as r
      (tenant_id, member_id, token_hash, issued_for, expires_at, created_at)
    select v.tenant_id, v.member_id, ${of.tokenHash}, v.issued_for, ${of.expiresAt}, ${of.now} from (
      ${MEMBER} from tenants t left join members m on m.tenant_id = t.id and m.id = ${of.memberId}
      where t.id = ${tenantId} and (m.status = 'active' or m.id is null and t.id = ${of.memberId})) v
    where v.issued_for is not null and v.status in ('active', 'closing')
    on conflict (tenant_id, member_id) do update set token_hash = excluded.token_hash, issued_for = excluded.issued_for,
      expires_at = excluded.expires_at, created_at = excluded.created_at
    returning 1 as done`);
  return rows.length > 0;
}

/** The condition under which a link works. */
const isValid = (
  tokenHash: string,
  now: Date,
): Sql => sql`r.token_hash = ${tokenHash} and r.expires_at > ${now}
  and exists (select 1 from (${MEMBER} from tenants t left join members m on m.tenant_id = t.id and m.id = r.member_id
    where t.id = r.tenant_id and (m.status = 'active' or m.id is null and t.id = r.member_id)) v
    where v.issued_for = r.issued_for and v.status in ('active', 'closing'))`;

export interface PasswordReset {
  tenant_id: string;
  member_id: string;
  email: string;
  company_name: string;
}

/** The link with this token, if it works. */
export async function findReset(
  db: Database,
  tokenHash: string,
  now: Date,
): Promise<PasswordReset | undefined> {
  const [row] = await db.query<PasswordReset>(sql.query`select r.tenant_id, r.member_id,
      coalesce(m.email, t.email) as email, t.company_name
    from password_resets r join tenants t on t.id = r.tenant_id
      left join members m on m.tenant_id = r.tenant_id and m.id = r.member_id
    where ${isValid(tokenHash, now)}`);
  return row;
}

/** Uses the link up. False if it does not work any more. */
export async function useReset(w: TenantWrite, tokenHash: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`delete from password_resets r
    where r.tenant_id = ${w.scope.tenantId} and ${isValid(tokenHash, now)} returning 1 as done`);
  return rows.length > 0;
}

/** Ends the links of an account that a restore brought back. */
export async function endRestoredResets(w: UnauditedWrite<'restored rows'>, tenantId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from password_resets where tenant_id = ${tenantId}`);
}
