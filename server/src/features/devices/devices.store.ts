import { isUuid } from '../../base/crypto/random.js';
import type { Database } from '../../db/db.js';
import { type Query, type Sql, sql } from '../../db/sql.js';
import { type NewSeal, SEALED_AT } from '../../ledger/record-seal.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { canonical, type EqualId } from '../../records/canonical.js';
import { type Changes, type Row, record } from '../../records/columns.js';
import { countRows, type FilteredRows, firstRows } from '../../records/first-rows.js';
import type { ListQuery } from '../../records/list.js';
import {
  inRange,
  orderById,
  orderByTime,
  orderByValue,
  positionByValue,
  positionOf,
  type TimeRange,
  valueSortOf,
} from '../../records/order.js';
import { startsWith } from '../../records/prefix.js';
import type { StoredKey } from './device-keys.js';
import { DEVICE_STATUSES, deviceColumns, ENROLLMENT_STATES } from './devices.schema.js';

export const devices = record(deviceColumns);
const COLUMNS = devices.list;
/** Devices with what their seals are made of. */
export const sealedDevices = {
  kind: 'device',
  table: sql`devices`,
  of: devices,
  sealedAt: sql`sealed_at`,
  textHash: sql`null::text`,
} as const;
export type DeviceRow = Row<typeof deviceColumns>;
export type DeviceStatus = DeviceRow['status'];
export type DeviceChanges = Changes<typeof deviceColumns>;

/** The initial state of a device: trusted immediately, or waiting for its code. */
export interface Beginning {
  readonly state: 'pending' | 'enrolled';
  readonly fingerprint?: string;
  readonly attestationKind?: string | undefined;
}

export async function insertDevice(
  w: Write,
  id: string,
  device: DeviceChanges & Pick<DeviceRow, 'name' | 'device_type'>,
  beginning: Beginning,
  now: Date,
): Promise<DeviceRow> {
  const { tenantId, environment } = w.scope;
  const values = devices.values({
    ...device,
    id,
    environment,
    status: beginning.state === 'enrolled' ? 'active' : 'inactive',
    enrollment_state: beginning.state,
    fingerprint: beginning.fingerprint,
    attestation_kind: beginning.attestationKind,
    created_at: now,
    updated_at: now,
  });
  const seal = w.seal('device');
  const rows =
    await w.mutate<DeviceRow>(sql.mutation`insert into devices (tenant_id, ${COLUMNS}, ${SEALED_AT})
    values (${tenantId}, ${values}, ${seal.values}, ${now}) returning ${COLUMNS}`);
  return placed(seal, rows) as DeviceRow;
}

/** The row of an update, with its new seal. Undefined if none was changed. */
function placed(seal: NewSeal, [row]: readonly DeviceRow[]): DeviceRow | undefined {
  if (row) seal.place(devices.serialize(row));
  return row;
}

export async function findDevice(read: Read, id: string): Promise<DeviceRow | undefined> {
  const [row] = await read.query<DeviceRow>(
    sql.query`select ${COLUMNS} from devices where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export interface DeviceSearch extends ListQuery, TimeRange {
  readonly status?: DeviceStatus;
  readonly enrollment_state?: DeviceRow['enrollment_state'];
  readonly externalId?: string;
  readonly q?: string;
}

/** With `from` or `to`, a list is ordered by the time that they compare, unless it was looked up or searched for. */
const isByTime = ({ q, externalId, from, to }: DeviceSearch): boolean =>
  q === undefined && externalId === undefined && (from !== undefined || to !== undefined);

/** What the indexes of names and of last uses have, the value of a row as text, and how it is read from there. */
const VALUES = {
  name: {
    column: sql`lower(name collate "C")`,
    textOf: ({ name }: DeviceRow): string => name,
    read: (text: string): Sql => sql`lower(${text}::text collate "C")`,
  },
  last_seen: {
    column: sql`coalesce(last_seen_at, '-infinity'::timestamptz)`,
    textOf: ({ last_seen_at: time }: DeviceRow): string => time?.toISOString() ?? '-infinity',
    read: (text: string): Sql => sql`${text}::timestamptz`,
  },
} as const;

/** The position at the end of a page. */
export function devicePosition(row: DeviceRow, query: DeviceSearch): string {
  const byValue = valueSortOf(query.sort);
  if (byValue) return positionByValue(row.id, VALUES[byValue.by].textOf(row));
  return positionOf(row.id, isByTime(query) ? row.created_at : undefined);
}

const hasExternalId = (externalId: string): Sql =>
  sql`${canonical(sql`external_id`)} = ${canonical(sql`${externalId}::text`)}`;

/** Whether another device than `id` has the external id. One that `id` has already, as it is sent, is not taken. */
export async function externalIdTaken(read: Read, externalId: string, id: string): Promise<boolean> {
  const rows =
    await read.query(sql.query`select 1 from devices where ${within(read.scope)} and ${hasExternalId(externalId)}
    and id <> ${id} and not exists (select 1 from devices t
      where ${within(read.scope, 't')} and t.id = ${id} and t.external_id = ${externalId}) limit 1`);
  return rows.length > 0;
}

/** As those of users. */
export const listEqualIds = (db: Database, limit: number): Promise<EqualId[]> =>
  db.query<EqualId>(sql.query`select d.tenant_id, d.environment, d.id, o.id as other_id from devices d
    join devices o on o.tenant_id = d.tenant_id and o.environment = d.environment and o.id <> d.id
      and ${canonical(sql`o.external_id`)} = ${canonical(sql`d.external_id`)}
    where d.external_id is not nfc normalized order by d.id, o.id limit ${limit}`);

/** A condition: the device's name or external id starts with this text, or it is the device's id. */
function isFoundBy(q: string): Sql {
  const found = startsWith([sql`name`, sql`external_id`], q);
  return isUuid(q) ? sql`(${found} or id = ${q}::uuid)` : sql`(${found})`;
}

function matching({ scope }: Read, filter: DeviceSearch, after: string | undefined): FilteredRows {
  const { q, status, enrollment_state: state, externalId } = filter;
  const byTime = isByTime(filter);
  const byValue = valueSortOf(filter.sort);
  const { conditions: position, order } = byValue
    ? orderByValue(VALUES[byValue.by], { ...filter, ...byValue }, after)
    : byTime
      ? orderByTime(sql`created_at`, filter, after)
      : orderById(filter.sort, after);
  const conditions = [within(scope), ...position, ...(byTime ? [] : inRange(sql`created_at`, filter))];
  if (q === undefined && externalId === undefined) {
    const choices = [
      { column: sql`status`, values: status ? [status] : DEVICE_STATUSES },
      { column: sql`enrollment_state`, values: state ? [state] : ENROLLMENT_STATES },
    ] as const;
    return {
      table: sql`devices`,
      conditions,
      order,
      ...((status || state || byTime || byValue) && { choices }),
    };
  }
  if (status) conditions.push(sql`status = ${status}`);
  if (state) conditions.push(sql`enrollment_state = ${state}`);
  // `offset 0` makes the planner find the devices with this text first, whatever the other filters are.
  const among = (found: Sql) =>
    sql`(select * from devices where ${within(scope)} and ${found} offset 0) as named`;
  if (externalId === undefined) return { table: among(isFoundBy(q ?? '')), conditions, order };
  // Hardly more than one device has this id.
  if (q !== undefined) conditions.push(isFoundBy(q));
  return { table: among(hasExternalId(externalId)), conditions, order };
}

/** A page of the list. */
export const selectDevices = (
  read: Read,
  query: DeviceSearch,
  count: number,
  after: string | undefined,
): Query => firstRows(COLUMNS, matching(read, query, after), count);

export async function countDevices(read: Read, query: DeviceSearch): Promise<number> {
  // The order makes no difference, and one of the indexes is enough.
  const { sort: _, ...filter } = query;
  const [row] = await read.query<{ count: number }>(countRows(matching(read, filter, undefined)));
  return row?.count ?? 0;
}

export function listNames(read: Read, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return read.query(
    sql.query`select id, name from devices where ${within(read.scope)} and id = any (${ids}::uuid[])`,
  );
}

/**
 * Undefined if the device does not exist or its status cannot change: `retired` is final, and a pending device stays inactive
 * until it is enrolled. A battery's level and the time of the last use are in no seal.
 */
export async function updateDevice(
  w: Write,
  id: string,
  changes: DeviceChanges,
  now: Date,
): Promise<{ readonly row: DeviceRow; readonly isSealedAsBefore: boolean } | undefined> {
  const legal =
    changes.status === undefined
      ? sql`true`
      : sql`(status = ${changes.status}
          or (status <> 'retired' and (enrollment_state <> 'pending' or ${changes.status} = 'retired')))`;
  const { battery_level: _, last_seen_at: __, ...sealed } = changes;
  const seal = Object.keys(sealed).length > 0 ? w.seal('device') : undefined;
  const reseal = seal ? sql`, ${seal.assignments}, sealed_at = ${now}` : sql``;
  const rows =
    await w.mutate<DeviceRow>(sql.mutation`update devices set ${devices.assignments(changes)}, updated_at = ${now}${reseal}
    where ${within(w.scope)} and id = ${id} and ${legal} returning ${COLUMNS}`);
  const row = seal ? placed(seal, rows) : rows[0];
  return row && { row, isSealedAsBefore: seal === undefined };
}

/** The pending device of a code, if it is the named one and the fingerprint is unused. One look-up, whatever is wrong. */
export async function findClaim(
  read: Read,
  id: string,
  { deviceId, fingerprint }: { deviceId: string | undefined; fingerprint: string | null },
): Promise<{ device_id: string } | undefined> {
  const [row] = await read.query<{ device_id: string }>(sql.query`select t.id as device_id from devices t
    where ${within(read.scope, 't')} and t.id = ${id} and t.enrollment_state = 'pending' and t.status <> 'retired'
      and (${deviceId ?? null}::uuid is null or t.id = ${deviceId ?? null}::uuid) and ${fingerprint}::text is not null
      and not exists (select 1 from devices where ${within(read.scope)} and fingerprint = ${fingerprint}
        and enrollment_state <> 'revoked' and status <> 'retired')`);
  return row;
}

/** What a device says of itself when it enrolls. */
export interface Enrolling {
  readonly fingerprint?: string;
  readonly attestationKind?: string | undefined;
  readonly key?: StoredKey | undefined;
}

/** Undefined if the device is no longer pending. */
export async function enrollDevice(
  w: Write,
  id: string,
  { fingerprint, attestationKind, key }: Enrolling,
  now: Date,
): Promise<DeviceRow | undefined> {
  const seal = w.seal('device');
  const rows =
    await w.mutate<DeviceRow>(sql.mutation`update devices set enrollment_state = 'enrolled', status = 'active',
      fingerprint = coalesce(${fingerprint ?? null}, fingerprint),
      attestation_kind = coalesce(${attestationKind ?? null}, attestation_kind),
      public_key = ${key?.publicKey ?? null}, key_thumbprint = ${key?.thumbprint ?? null},
      last_seen_at = ${now}, updated_at = ${now}, ${seal.assignments}, sealed_at = ${now}
    where ${within(w.scope)} and id = ${id} and enrollment_state = 'pending' and status <> 'retired' returning ${COLUMNS}`);
  return placed(seal, rows);
}

/** A device has shown that it runs. */
export async function noteSeen(w: Write, id: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update devices set last_seen_at = greatest(last_seen_at, ${now}::timestamptz)
    where ${within(w.scope)} and id = ${id}`);
}

/** Stores how a device attested after it was created. */
export async function noteAttestation(w: Write, id: string, kind: string, now: Date): Promise<void> {
  const seal = w.seal('device');
  const rows =
    await w.mutate<DeviceRow>(sql.mutation`update devices set attestation_kind = ${kind}, updated_at = ${now},
      ${seal.assignments}, sealed_at = ${now}
    where ${within(w.scope)} and id = ${id} returning ${COLUMNS}`);
  placed(seal, rows);
}

/** Locks a device; undefined if it does not exist. */
export async function lockDevice(w: Write, id: string): Promise<DeviceRow | undefined> {
  const [row] = await w.query<DeviceRow>(
    sql.query`select ${COLUMNS} from devices where ${within(w.scope)} and id = ${id} for update`,
  );
  return row;
}

/** Undefined if it is already revoked, also by a concurrent request. */
export async function revokeDevice(w: Write, id: string, now: Date): Promise<DeviceRow | undefined> {
  const seal = w.seal('device');
  return placed(
    seal,
    await w.mutate<DeviceRow>(sql.mutation`update devices set ${revoked(seal, now)}
    where ${within(w.scope)} and id = ${id} and enrollment_state <> 'revoked' returning ${COLUMNS}`),
  );
}

const revoked = (seal: NewSeal, now: Date): Sql =>
  sql`enrollment_state = 'revoked', status = 'retired', updated_at = ${now}, ${seal.assignments}, sealed_at = ${now}`;

/** Whether a recovery waits that replaces a person's phones by this one. */
export async function hasRecovery(read: Read, id: string): Promise<boolean> {
  const [row] = await read.query(sql.query`select 1 as one from registration_sessions
    where ${within(read.scope)} and device_id = ${id} and state = 'pending_recovery' limit 1`);
  return row !== undefined;
}

/** Revokes the phone of a registration session that ended without success. */
export async function revokePhone(w: Write, sessionId: string, now: Date): Promise<void> {
  const seal = w.seal('device');
  const rows = await w.mutate<DeviceRow>(sql.mutation`update devices set ${revoked(seal, now)}
    where ${within(w.scope)} and id = (select device_id from registration_sessions
      where ${within(w.scope)} and id = ${sessionId}) returning ${COLUMNS}`);
  placed(seal, rows);
}

/** Revokes the pending device of an expired ceremony, so its phone can join a new one before the old one is closed. */
export async function freeFingerprint(
  w: Write,
  fingerprint: string,
  now: Date,
): Promise<DeviceRow | undefined> {
  const seal = w.seal('device');
  const rows = await w.mutate<DeviceRow>(sql.mutation`update devices set ${revoked(seal, now)}
    where ${within(w.scope)} and fingerprint = ${fingerprint} and enrollment_state = 'pending'
      and exists (select 1 from registration_sessions t
        where ${within(w.scope, 't')} and t.device_id = devices.id and t.expires_at <= ${now})
    returning ${COLUMNS}`);
  return placed(seal, rows);
}

/** Revokes a person's phones and removes what they say of the person. @returns the ids of those that were not revoked before */
export async function erasePhones(w: Write, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await w.query<{ id: string }>(sql.query`select id from devices
    where ${within(w.scope)} and id = any(${ids}::uuid[]) and enrollment_state <> 'revoked'`);
  const erasing = ids.map((id) => {
    const seal = w.seal('device');
    return w
      .mutate<DeviceRow>(sql.mutation`update devices set name = 'Phone', external_id = null, location_id = null, battery_level = null,
      metadata = null, fingerprint = null, attestation_kind = null, public_key = null, key_thumbprint = null, last_seen_at = null, ${revoked(seal, now)}
    where ${within(w.scope)} and id = ${id} returning ${COLUMNS}`)
      .then((changed) => placed(seal, changed));
  });
  await Promise.all(erasing);
  return rows.map(({ id }) => id);
}
