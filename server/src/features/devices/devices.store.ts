import { join, type Sql, sql } from '../../kernel/db/sql.js';
import { type Read, type Write, within } from '../../kernel/write.js';
import type { DEVICE_STATUSES, DEVICE_TYPES } from './devices.schema.js';

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

export async function insertDevice(
  w: Write,
  id: string,
  device: DeviceChanges,
  now: Date,
): Promise<DeviceRow> {
  const { tenantId, environment } = w.scope;
  const [row] =
    await w.query<DeviceRow>(sql`insert into devices (tenant_id, environment, id, name, device_type,
      external_id, location_id, battery_level, metadata, status, enrollment_state, created_at, updated_at)
    values (${tenantId}, ${environment}, ${id}, ${device.name}, ${device.device_type}, ${device.external_id ?? null},
      ${device.location_id ?? null}, ${device.battery_level ?? null}, ${json(device.metadata)}::json, 'active',
      'enrolled', ${now}, ${now})
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
  filter: { status?: DeviceStatus },
  count: number,
  before: string | undefined,
): Promise<DeviceRow[]> {
  const conditions = [
    within(read.scope),
    ...(filter.status ? [sql`status = ${filter.status}`] : []),
    ...(before ? [sql`id < ${before}`] : []),
  ];
  return read.query<DeviceRow>(
    sql`select ${COLUMNS} from devices where ${join(conditions, ' and ')} order by id desc limit ${count}`,
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

/** Undefined when there is no such device, or it is retired and its status is to change: `retired` is final. */
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
    changes.status === undefined ? sql`true` : sql`(status <> 'retired' or status = ${changes.status})`;
  const [row] =
    await w.query<DeviceRow>(sql`update devices set ${join(assignments, ', ')}, updated_at = ${now}
    where ${within(w.scope)} and id = ${id} and ${legal} returning ${COLUMNS}`);
  return row;
}
