import { join, sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';

export interface IdentityRow {
  id: string;
  user_id: string;
  device_id: string | null;
  did: string;
  commitment: string;
  created_at: Date;
  revoked_at: Date | null;
}

const COLUMNS = sql`id, user_id, device_id, did, commitment, created_at, revoked_at`;

export interface NewIdentity {
  readonly id: string;
  readonly userId: string;
  readonly did: string;
  readonly commitment: string;
  readonly externalId: string | null;
  readonly attestation: Record<string, unknown> | null;
  /** The device of the ceremony that created it. */
  readonly deviceId?: string;
}

export async function insertIdentity(w: Write, identity: NewIdentity, now: Date): Promise<IdentityRow> {
  const { tenantId, environment } = w.scope;
  const [row] =
    await w.mutate<IdentityRow>(sql.mutation`insert into identities (tenant_id, environment, id, user_id, did, commitment,
      external_id, attestation, device_id, created_at)
    values (${tenantId}, ${environment}, ${identity.id}, ${identity.userId}, ${identity.did}, ${identity.commitment},
      ${identity.externalId}, ${identity.attestation ? JSON.stringify(identity.attestation) : null}::json,
      ${identity.deviceId ?? null}, ${now})
    returning ${COLUMNS}`);
  return row as IdentityRow;
}

export async function findIdentity(
  read: Read,
  by: { id: string } | { did: string },
): Promise<IdentityRow | undefined> {
  const match = 'id' in by ? sql`id = ${by.id}` : sql`did = ${by.did}`;
  const [row] = await read.query<IdentityRow>(
    sql.query`select ${COLUMNS} from identities where ${within(read.scope)} and ${match}`,
  );
  return row;
}

export interface IdentitySearch {
  readonly userId?: string;
  readonly deviceId?: string;
}

/** Newest first. */
export function listIdentities(
  read: Read,
  { userId, deviceId }: IdentitySearch,
  count: number,
  before: string | undefined,
): Promise<IdentityRow[]> {
  const conditions = [
    within(read.scope),
    ...(userId ? [sql`user_id = ${userId}`] : []),
    ...(deviceId ? [sql`device_id = ${deviceId}`] : []),
    ...(before ? [sql`id < ${before}`] : []),
  ];
  return read.query<IdentityRow>(
    sql.query`select ${COLUMNS} from identities where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

export async function hasActiveIdentity(read: Read, userId: string): Promise<boolean> {
  const rows = await read.query(
    sql.query`select 1 from identities where ${within(read.scope)} and user_id = ${userId} and revoked_at is null limit 1`,
  );
  return rows.length > 0;
}

export async function isActiveIdentity(read: Read, did: string, commitment: string): Promise<boolean> {
  const { tenantId, environment } = read.scope;
  const rows = await read.query(sql.query`select 1 from identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id
    where ${within(read.scope, 't')} and t.did = ${did} and t.commitment = ${commitment} and t.revoked_at is null
      and u.status = 'active'`);
  return rows.length > 0;
}

/** Counts the wrong numbers of a day, which begins with the first. True if this one locks the numbers. */
export async function countWrongNumber(
  w: Write,
  did: string,
  {
    now,
    since,
    most,
    lockedUntil,
  }: Record<'now' | 'since' | 'lockedUntil', Date> & { readonly most: number },
): Promise<boolean> {
  const isToday = sql`(wrong_numbers > 0 and wrong_numbers_since > ${since})`;
  const count = sql`(case when ${isToday} then wrong_numbers + 1 else 1 end)`;
  const [row] = await w.mutate<{ locked: boolean }>(sql.mutation`update identities set
      wrong_numbers = case when ${count} >= ${most} then 0 else ${count} end,
      wrong_numbers_since = case when ${isToday} then wrong_numbers_since else ${now} end,
      match_locked_until = case when ${count} >= ${most} then ${lockedUntil} else match_locked_until end
    where ${within(w.scope)} and did = ${did} returning wrong_numbers = 0 as locked`);
  return row?.locked ?? false;
}

/** Undefined if the identity was revoked before. */
export async function revokeIdentity(w: Write, id: string, now: Date): Promise<IdentityRow | undefined> {
  const [row] = await w.mutate<IdentityRow>(sql.mutation`update identities set revoked_at = ${now}
    where ${within(w.scope)} and id = ${id} and revoked_at is null returning ${COLUMNS}`);
  return row;
}

export async function revokeIdentitiesOfDevice(w: Write, deviceId: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update identities set revoked_at = ${now}
    where ${within(w.scope)} and device_id = ${deviceId} and revoked_at is null`);
}
