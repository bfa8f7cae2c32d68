import type { Database } from '../../kernel/db/db.js';
import { newest } from '../../kernel/db/newest.js';
import { join, type Sql, sql } from '../../kernel/db/sql.js';
import { type Read, type Write, within } from '../../kernel/write.js';
import { liveCode } from '../codes/codes.js';
import { DEVICE_STATUSES, type DEVICE_TYPES, ENROLLMENT_STATES } from './devices.schema.js';

export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export interface DeviceRow {
  id: string;
  environment: 'live' | 'test';
  name: string;
  device_type: (typeof DEVICE_TYPES)[number];
  external_id: string | null;
  location_id: string | null;
  battery_level: number | null;
  metadata: Record<string, unknown> | null;
  status: DeviceStatus;
  enrollment_state: 'pending' | 'enrolled' | 'revoked';
  fingerprint: string | null;
  attestation_kind: string | null;
  last_seen_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The columns that a caller sets, by their names. */
export type DeviceChanges = Partial<
  Pick<
    DeviceRow,
    | 'name'
    | 'device_type'
    | 'external_id'
    | 'location_id'
    | 'battery_level'
    | 'metadata'
    | 'status'
    | 'last_seen_at'
  >
>;

const COLUMNS = sql`id, environment, name, device_type, external_id, location_id, battery_level, metadata, status,
  enrollment_state, fingerprint, attestation_kind, last_seen_at, created_at, updated_at`;

const json = (value: Record<string, unknown> | null | undefined) => (value ? JSON.stringify(value) : null);

/** How a device begins: trusted at once, or waiting for its code. */
export interface Beginning {
  readonly state: 'pending' | 'enrolled';
  readonly fingerprint?: string;
  readonly attestationKind?: string | undefined;
}

export async function insertDevice(
  w: Write,
  id: string,
  device: DeviceChanges,
  beginning: Beginning,
  now: Date,
): Promise<DeviceRow> {
  const { tenantId, environment } = w.scope;
  const [row] =
    await w.query<DeviceRow>(sql`insert into devices (tenant_id, environment, id, name, device_type,
      external_id, location_id, battery_level, metadata, status, enrollment_state, fingerprint, attestation_kind, created_at, updated_at)
    values (${tenantId}, ${environment}, ${id}, ${device.name}, ${device.device_type}, ${device.external_id ?? null},
      ${device.location_id ?? null}, ${device.battery_level ?? null}, ${json(device.metadata)}::json,
      ${beginning.state === 'enrolled' ? 'active' : 'inactive'}, ${beginning.state}, ${beginning.fingerprint ?? null},
      ${beginning.attestationKind ?? null}, ${now}, ${now})
    returning ${COLUMNS}`);
  return row as DeviceRow;
}

export async function findDevice(read: Read, id: string): Promise<DeviceRow | undefined> {
  const [row] = await read.query<DeviceRow>(
    sql`select ${COLUMNS} from devices where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export function listDevices(
  read: Read,
  filter: { status?: DeviceStatus; enrollment_state?: DeviceRow['enrollment_state']; externalId?: string },
  count: number,
  before: string | undefined,
): Promise<DeviceRow[]> {
  const { status, enrollment_state: state, externalId } = filter;
  const conditions = [within(read.scope), ...(before ? [sql`id < ${before}`] : [])];
  const order = sql`id desc`;
  if (externalId === undefined && (status || state)) {
    const choices = [
      { column: sql`status`, values: status ? [status] : DEVICE_STATUSES },
      { column: sql`enrollment_state`, values: state ? [state] : ENROLLMENT_STATES },
    ] as const;
    return read.query<DeviceRow>(
      newest({ columns: COLUMNS, table: sql`devices`, conditions, choices, order, count }),
    );
  }
  // At most one device has it: with `offset 0` the planner looks for that one first, whatever the other filters are.
  const from =
    externalId === undefined
      ? sql`devices`
      : sql`(select * from devices where ${within(read.scope)} and external_id = ${externalId} offset 0) as named`;
  if (status) conditions.push(sql`status = ${status}`);
  if (state) conditions.push(sql`enrollment_state = ${state}`);
  return read.query<DeviceRow>(
    sql`select ${COLUMNS} from ${from} where ${join(conditions, ' and ')} order by ${order} limit ${count}`,
  );
}

const ASSIGN: { readonly [K in keyof DeviceChanges]-?: (value: DeviceChanges[K]) => Sql } = {
  name: (value) => sql`name = ${value}`,
  device_type: (value) => sql`device_type = ${value}`,
  external_id: (value) => sql`external_id = ${value}`,
  location_id: (value) => sql`location_id = ${value}`,
  battery_level: (value) => sql`battery_level = ${value}`,
  metadata: (value) => sql`metadata = ${json(value)}::json`,
  status: (value) => sql`status = ${value}`,
  last_seen_at: (value) => sql`last_seen_at = ${value}`,
};

/**
 * Undefined when there is no such device, or it is retired and its status is to change: `retired` is final. A pending device
 * stays inactive until it is enrolled.
 */
export async function updateDevice(
  w: Write,
  id: string,
  changes: DeviceChanges,
  now: Date,
): Promise<DeviceRow | undefined> {
  const assignments = Object.entries(changes).map(([column, value]) =>
    (ASSIGN[column as keyof DeviceChanges] as (value: unknown) => Sql)(value),
  );
  const legal =
    changes.status === undefined
      ? sql`true`
      : sql`(status = ${changes.status}
          or (status <> 'retired' and (enrollment_state <> 'pending' or ${changes.status} = 'retired')))`;
  const [row] =
    await w.query<DeviceRow>(sql`update devices set ${join(assignments, ', ')}, updated_at = ${now}
    where ${within(w.scope)} and id = ${id} and ${legal} returning ${COLUMNS}`);
  return row;
}

export interface Claim {
  readonly tenant_id: string;
  readonly environment: 'live' | 'test';
  readonly device_id: string;
}

/** The pending device of a live code whose fingerprint is free; one look-up, whatever is wrong. */
export async function findClaim(
  db: Database,
  hashes: readonly string[],
  { deviceId, fingerprint }: { deviceId: string | undefined; fingerprint: string | null },
  now: Date,
): Promise<(Claim & { code_hash: string }) | undefined> {
  const [row] = await db.query<
    Claim & { code_hash: string }
  >(sql`select c.code_hash, c.tenant_id, c.environment, d.id as device_id
    from one_time_codes c
    join devices d on d.tenant_id = c.tenant_id and d.environment = c.environment and d.id = c.subject_id
    where ${liveCode(hashes, 'device', now)} and d.enrollment_state = 'pending' and d.status <> 'retired'
      and (${deviceId ?? null}::uuid is null or d.id = ${deviceId ?? null}::uuid) and ${fingerprint}::text is not null
      and not exists (select 1 from devices o where o.tenant_id = c.tenant_id and o.environment = c.environment
        and o.fingerprint = ${fingerprint} and o.enrollment_state <> 'revoked' and o.status <> 'retired')`);
  return row;
}

/** Undefined when it is no longer pending. */
export async function enrollDevice(
  w: Write,
  id: string,
  fingerprint: string | null,
  attestationKind: string | null,
  now: Date,
): Promise<DeviceRow | undefined> {
  const [row] =
    await w.query<DeviceRow>(sql`update devices set enrollment_state = 'enrolled', status = 'active',
      fingerprint = coalesce(${fingerprint}, fingerprint), attestation_kind = coalesce(${attestationKind}, attestation_kind),
      last_seen_at = ${now}, updated_at = ${now}
    where ${within(w.scope)} and id = ${id} and enrollment_state = 'pending' and status <> 'retired' returning ${COLUMNS}`);
  return row;
}

/** How the device attested, said after it was made. */
export async function noteAttestation(w: Write, id: string, kind: string, now: Date): Promise<void> {
  await w.query(sql`update devices set attestation_kind = ${kind}, updated_at = ${now}
    where ${within(w.scope)} and id = ${id}`);
}

/** Locks a device; undefined when there is none. */
export async function lockDevice(w: Write, id: string): Promise<DeviceRow | undefined> {
  const [row] = await w.query<DeviceRow>(
    sql`select ${COLUMNS} from devices where ${within(w.scope)} and id = ${id} for update`,
  );
  return row;
}

/** Undefined for all but the first of several at once. */
export async function revokeDevice(w: Write, id: string, now: Date): Promise<DeviceRow | undefined> {
  const [row] =
    await w.query<DeviceRow>(sql`update devices set enrollment_state = 'revoked', status = 'retired',
    updated_at = ${now} where ${within(w.scope)} and id = ${id} and enrollment_state <> 'revoked'
    returning ${COLUMNS}`);
  return row;
}
