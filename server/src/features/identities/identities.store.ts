import { join, sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { isInForce } from '../../records/in-force.js';

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

/** Where an identity comes from. */
export interface IdentitySource {
  readonly externalId: string | null;
  readonly attestation: Record<string, unknown> | null;
  /** The device of the ceremony that created it. */
  readonly deviceId?: string;
  /** The proof of another phone that authorized it, with its public signals. */
  readonly authorization?: object;
  /** Default: immediately. `infinity`: when its recovery is completed. */
  readonly inForceAt?: Date | 'infinity';
}

export interface NewIdentity extends IdentitySource {
  readonly id: string;
  readonly userId: string;
  readonly did: string;
  readonly commitment: string;
}

export async function insertIdentity(w: Write, identity: NewIdentity, now: Date): Promise<IdentityRow> {
  const { tenantId, environment } = w.scope;
  const [row] =
    await w.mutate<IdentityRow>(sql.mutation`insert into identities (tenant_id, environment, id, user_id, did, commitment,
      external_id, attestation, device_id, in_force_at, created_at)
    values (${tenantId}, ${environment}, ${identity.id}, ${identity.userId}, ${identity.did}, ${identity.commitment},
      ${identity.externalId}, ${identity.attestation ? JSON.stringify(identity.attestation) : null}::json,
      ${identity.deviceId ?? null}, ${identity.inForceAt ?? null}::timestamptz, ${now})
    returning ${COLUMNS}`);
  return row as IdentityRow;
}

/** Undefined also for an identity of somebody who was erased. */
export async function findIdentity(
  read: Read,
  by: { id: string } | { did: string },
): Promise<IdentityRow | undefined> {
  const match = 'id' in by ? sql`id = ${by.id}` : sql`did = ${by.did}`;
  const [row] = await read.query<IdentityRow>(
    sql.query`select ${COLUMNS} from identities where ${within(read.scope)} and did is not null and ${match}`,
  );
  return row;
}

/** The identities that were created on a device, newest first. One of a pending recovery is not an identity yet, and an erased one not any more. */
export function listIdentities(
  read: Read,
  { deviceId }: { readonly deviceId: string },
  count: number,
  before: string | undefined,
): Promise<IdentityRow[]> {
  const conditions = [
    within(read.scope),
    sql`device_id = ${deviceId}`,
    sql`did is not null`,
    sql`in_force_at is distinct from 'infinity'`,
    ...(before ? [sql`id < ${before}`] : []),
  ];
  return read.query<IdentityRow>(
    sql.query`select ${COLUMNS} from identities where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

export async function findActivePerson(read: Read, id: string, now: Date): Promise<string | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] = await read.query<{ user_id: string }>(sql.query`select t.user_id from identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id
    where ${within(read.scope, 't')} and t.id = ${id} and ${isInForce(sql`t`, now)} and u.status = 'active'`);
  return row?.user_id;
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

/** False if the identity has another commitment, or is revoked. */
export async function replaceCommitment(
  w: Write,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update identities set commitment = ${to}
     where ${within(w.scope)} and id = ${id} and commitment = ${from} and revoked_at is null returning id`);
  return rows.length > 0;
}

/** How an identity is revoked. */
export interface Revocation {
  readonly now: Date;
  /** By its own proof. Default: false. */
  readonly byItself?: boolean;
  /** The API key that revokes it, if one does. */
  readonly keyId?: string | null;
}

/** Undefined if the identity was revoked before. */
export async function revokeIdentity(
  w: Write,
  id: string,
  { now, byItself = false, keyId = null }: Revocation,
): Promise<IdentityRow | undefined> {
  const [row] = await w.mutate<IdentityRow>(sql.mutation`update identities set revoked_at = ${now},
      revoked_by_itself = ${byItself}, revoking_key_id = ${keyId}
    where ${within(w.scope)} and id = ${id} and revoked_at is null returning ${COLUMNS}`);
  return row;
}

/** @returns the ids of those that were not revoked before */
export async function revokeIdentitiesOfDevice(w: Write, deviceId: string, now: Date): Promise<string[]> {
  const rows = await w.mutate<{ id: string }>(sql.mutation`update identities set revoked_at = ${now}
    where ${within(w.scope)} and device_id = ${deviceId} and revoked_at is null returning id`);
  return rows.map(({ id }) => id);
}

/** Revokes all identities of a person but one. @returns their ids */
export async function revokeOthers(
  w: Write,
  { id, user_id: userId }: Pick<IdentityRow, 'id' | 'user_id'>,
  now: Date,
): Promise<string[]> {
  const rows = await w.mutate<{ id: string }>(sql.mutation`update identities set revoked_at = ${now}
    where ${within(w.scope)} and user_id = ${userId} and id <> ${id} and revoked_at is null returning id`);
  return rows.map((row) => row.id);
}

/** Undefined unless the identity waits for the end of its recovery. */
export async function putInForce(w: Write, id: string, now: Date): Promise<IdentityRow | undefined> {
  const [row] = await w.mutate<IdentityRow>(sql.mutation`update identities set in_force_at = ${now}
    where ${within(w.scope)} and id = ${id} and in_force_at = 'infinity' and revoked_at is null returning ${COLUMNS}`);
  return row;
}

/** Whether the identity waits for the end of its recovery. */
export async function isOfRecovery(read: Read, id: string): Promise<boolean> {
  const [row] = await read.query(sql.query`select 1 as one from identities
    where ${within(read.scope)} and id = ${id} and in_force_at = 'infinity' and revoked_at is null`);
  return row !== undefined;
}

/** Deletes an identity that never came into force. */
export async function deletePending(w: Write, id: string): Promise<void> {
  await w.mutate(
    sql.mutation`delete from identities where ${within(w.scope)} and id = ${id} and in_force_at = 'infinity'`,
  );
}

export interface PersonIdentities {
  /** One was in force at some time. */
  readonly had: boolean;
  /** Not revoked, also those that are not in force yet. */
  readonly count: number;
}

export async function readPerson(read: Read, userId: string): Promise<PersonIdentities> {
  const [row] = await read.query<PersonIdentities>(sql.query`select
      count(*) filter (where in_force_at is distinct from 'infinity') > 0 as had,
      count(*) filter (where revoked_at is null) as count
    from identities where ${within(read.scope)} and user_id = ${userId}`);
  return row as PersonIdentities;
}

export interface LockedOut {
  user_id: string;
  user_name: string;
  revoked_at: Date;
  key_name: string;
}

/** People whose last identity an API key has revoked since then, newest first. */
export function listLockedOut(read: Read, since: Date, count: number): Promise<LockedOut[]> {
  const { tenantId, environment } = read.scope;
  return read.query<LockedOut>(sql.query`select t.user_id, u.full_name as user_name, t.revoked_at, k.name as key_name
    from identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id
    join api_keys k on k.tenant_id = ${tenantId} and k.id = t.revoking_key_id
    where ${within(read.scope, 't')} and t.revoking_key_id is not null and t.revoked_at > ${since}
      and u.status = 'active' and not exists (select 1 from identities o
        where o.tenant_id = ${tenantId} and o.environment = ${environment} and o.user_id = t.user_id
          and (o.revoked_at is null or o.revoked_at > t.revoked_at))
    order by t.revoked_at desc limit ${count}`);
}

/** An identity of a person who is being erased, as it was. */
export interface ErasedRow {
  id: string;
  did: string;
  commitment: string;
  device_id: string | null;
  revoked_at: Date | null;
}

/** The identities of a person, also those that wait for a recovery. */
export function listForErasure(read: Read, userId: string): Promise<ErasedRow[]> {
  return read.query<ErasedRow>(sql.query`select id, did, commitment, device_id, revoked_at from identities
    where ${within(read.scope)} and user_id = ${userId} and did is not null`);
}

/** Revokes the identities of a person and removes everything but their ids and times. */
export async function eraseIdentities(w: Write, userId: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update identities set did = null, commitment = null, external_id = null, attestation = null,
      revoked_at = coalesce(revoked_at, ${now}), wrong_numbers = 0, wrong_numbers_since = null, match_locked_until = null
    where ${within(w.scope)} and user_id = ${userId} and did is not null`);
}
