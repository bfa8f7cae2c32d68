import { sql } from '../../../db/sql.js';
import { headOf } from '../../../ledger/read-events.js';
import { type Read, within } from '../../../ledger/write.js';

/** A commitment of an identity, as the database has it. */
export interface EnrolledRow {
  id: string;
  user_id: string;
  /** Null if the person was erased, and so are all others but the ids and the leaf. */
  did: string | null;
  /** In `identities`. */
  current: string | null;
  /** The last one of the identity's history. */
  newest: string | null;
  commitment: string | null;
  salt: string | null;
  leaf: string;
}

export function listEnrolled(
  read: Read,
  identityIds: readonly string[],
  leaves: readonly string[],
): Promise<EnrolledRow[]> {
  const { tenantId, environment } = read.scope;
  return read.query<EnrolledRow>(sql.query`select t.id, t.user_id, t.did, t.commitment as current, c.commitment, c.salt, c.leaf,
      (select n.commitment from identity_commitments n where n.tenant_id = ${tenantId} and n.environment = ${environment}
        and n.identity_id = t.id order by n.version desc limit 1) as newest
    from identities t join identity_commitments c on c.tenant_id = ${tenantId} and c.environment = ${environment}
      and c.identity_id = t.id
    where ${within(read.scope, 't')} and t.id = any(${identityIds}::uuid[]) and c.leaf = any(${leaves}::text[])`);
}

/** Of these identities, and of those of these devices, the ones that are not revoked. */
export function listUnrevoked(
  read: Read,
  identityIds: readonly string[],
  deviceIds: readonly string[],
): Promise<{ id: string; device_id: string | null }[]> {
  return read.query(sql.query`select id, device_id from identities where ${within(read.scope)} and revoked_at is null
    and (id = any(${identityIds}::uuid[]) or device_id = any(${deviceIds}::uuid[]))`);
}

/** A commitment's position in the list of all. Version 0 stands for an identity without any. */
export interface Position {
  readonly id: string;
  readonly version: number;
}

export interface RecordedRow extends Position {
  /** Null for an identity from before, which has no leaf yet. */
  leaf: string | null;
  /** Its event may be after the head that is being checked. */
  is_recent: boolean;
}

/** Commitments in order, after that one. Without those that wait for their recovery, as nothing in the chain names them yet. */
export function listRecorded(
  read: Read,
  after: Position | undefined,
  recentSince: Date,
  count: number,
): Promise<RecordedRow[]> {
  const { tenantId, environment } = read.scope;
  const next = after
    ? sql`and t.id >= ${after.id} and (t.id > ${after.id} or coalesce(c.version, 0) > ${after.version})`
    : sql``;
  return read.query<RecordedRow>(sql.query`select t.id, coalesce(c.version, 0) as version, c.leaf,
      coalesce(greatest(c.created_at, t.in_force_at) > ${recentSince}, false) as is_recent
    from identities t left join identity_commitments c on c.tenant_id = ${tenantId} and c.environment = ${environment}
      and c.identity_id = t.id
    where ${within(read.scope, 't')} and t.in_force_at is distinct from 'infinity' and (t.did is not null or c.leaf is not null) ${next}
    order by t.id, coalesce(c.version, 0) limit ${count}`);
}

/** Which of these leaves an event after that one names. */
export async function listNamedAfter(
  read: Read,
  seq: number,
  leaves: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await read.query<{ leaf: string }>(
    sql.query`select metadata ->> 'identity_leaf' as leaf from audit_events
    where ${within(read.scope)} and seq > ${seq} and seq <= ${headOf(read.scope)}
      and metadata ->> 'identity_leaf' = any(${leaves}::text[])`,
  );
  return new Set(rows.map(({ leaf }) => leaf));
}

/** When each of these people was erased. */
export async function listErasures(
  read: Read,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await read.query<{
    id: string;
    erased_at: Date;
  }>(sql.query`select id, erased_at from tenant_users
    where ${within(read.scope)} and id = any(${userIds}::uuid[]) and erased_at is not null`);
  return new Map(rows.map((row) => [row.id, row.erased_at]));
}

/** People who were erased up to a time, in order of their ids, after that one. */
export async function listErased(
  read: Read,
  after: string | undefined,
  until: Date,
  count: number,
): Promise<string[]> {
  const next = after ? sql`and id > ${after}` : sql``;
  const rows = await read.query<{ id: string }>(sql.query`select id from tenant_users
    where ${within(read.scope)} and erased_at <= ${until} ${next} order by id limit ${count}`);
  return rows.map(({ id }) => id);
}

/** An identity without a DID whose person was not erased. */
export async function findBlank(read: Read): Promise<{ id: string } | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] = await read.query<{ id: string }>(sql.query`select t.id from identities t
    where ${within(read.scope, 't')} and t.did is null and not exists (select 1 from tenant_users u
      where u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id and u.erased_at is not null)
    limit 1`);
  return row;
}
