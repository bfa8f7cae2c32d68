import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Query, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import type { TenantRow } from '../accounts/accounts.js';

export const SIGNATURE_EXPIRY: Expiry = {
  table: sql`device_signatures`,
  column: sql`expires_at`,
  before: ageOf(0),
};

/** The device `t` may act: its key counts. */
const inUse: Sql = sql`t.enrollment_state = 'enrolled' and t.status = 'active'`;

export interface KeyRow {
  public_key: string;
  key_thumbprint: string;
}

/** The key of a device that may act. */
export async function findKey(read: Read, id: string): Promise<KeyRow | undefined> {
  const [row] = await read.query<KeyRow>(sql.query`select t.public_key, t.key_thumbprint from devices t
    where ${within(read.scope, 't')} and t.id = ${id} and t.public_key is not null and ${inUse}`);
  return row;
}

/** Whose device this is, for a device that names only itself. Undefined if it has no key or its account is not active. */
export async function findScope(db: Database, id: string): Promise<Scope | undefined> {
  const [row] = await db.query<{ tenant_id: string; environment: Scope['environment'] }>(sql.query`
    select t.tenant_id, t.environment from devices t join tenants a on a.id = t.tenant_id
    where t.id = ${id} and t.public_key is not null and a.status = 'active'`);
  return row && { tenantId: row.tenant_id, environment: row.environment };
}

export interface Spending {
  readonly deviceId: string;
  readonly thumbprint: string;
  readonly jti: string;
  readonly expiresAt: Date;
}

/** False if the signature was used before, or the device may no longer act. Of concurrent requests, one gets true. */
export async function spendSignature(w: Write, of: Spending): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows =
    await w.mutate(sql.mutation`insert into device_signatures (tenant_id, environment, device_id, jti, expires_at)
    select ${tenantId}::uuid, ${environment}, t.id, ${of.jti}, ${of.expiresAt}::timestamptz from devices t
    where ${within(w.scope, 't')} and t.id = ${of.deviceId} and t.key_thumbprint = ${of.thumbprint} and ${inUse}
    on conflict do nothing returning 1 as done`);
  return rows.length > 0;
}

/** What the token of a device session says. */
export interface SessionClaims extends Scope {
  readonly deviceId: string;
  readonly thumbprint: string;
  readonly expiresAt: Date;
}

const ofClaims = ({ tenantId, environment, deviceId, thumbprint }: SessionClaims): Sql => sql`devices t
  join tenants a on a.id = t.tenant_id where t.tenant_id = ${tenantId} and t.environment = ${environment}
    and t.id = ${deviceId} and t.key_thumbprint = ${thumbprint} and ${inUse}`;

/** The account of a device session, if the device may still act. */
export async function findSession(
  db: Database,
  claims: SessionClaims,
): Promise<Omit<TenantRow, 'password_hash' | 'token_version'> | undefined> {
  const [row] = await db.query<Omit<TenantRow, 'password_hash' | 'token_version'>>(sql.query`
    select a.id, a.email, a.company_name, a.plan, a.status, a.security_policy, a.closes_at, a.created_at
    from ${ofClaims(claims)}`);
  return row;
}

/** A row while the session is accepted. */
export const stillAccepted = (claims: SessionClaims, now: Date): Query =>
  sql.query`select 1 from ${ofClaims(claims)} and a.status = 'active' and ${claims.expiresAt}::timestamptz > ${now}::timestamptz`;

/** Of each device, what decides about its session, for streams that outlive their request. */
export async function deviceStates(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; state: string }>(sql.query`select t.id,
      concat_ws(' ', t.enrollment_state, t.status, t.key_thumbprint) as state
    from devices t where t.id = any(${ids}::uuid[]) and t.public_key is not null`);
  return new Map(rows.map(({ id, state }) => [id, state]));
}
