import type { Static } from 'typebox';
import { violates } from '../../kernel/db/db.js';
import type { Deps } from '../../kernel/deps.js';
import { fail } from '../../kernel/errors.js';
import { iso, isoOrNull } from '../../kernel/schema.js';
import type { Read, Write } from '../../kernel/write.js';
import type { CreateDeviceBody, PatchDeviceBody } from './devices.schema.js';
import * as store from './devices.store.js';

type DeviceInput = Static<typeof CreateDeviceBody> | Static<typeof PatchDeviceBody>;

export const showDevice = (row: store.DeviceRow) => ({
  id: row.id,
  environment: row.environment,
  name: row.name,
  deviceType: row.device_type,
  externalId: row.external_id,
  locationId: row.location_id,
  batteryLevel: row.battery_level,
  metadata: row.metadata,
  status: row.status,
  lastSeenAt: isoOrNull(row.last_seen_at),
  enrollment_state: row.enrollment_state,
  fingerprint: row.fingerprint,
  attestation_kind: row.attestation_kind,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
});

/** Wire fields to columns; what was not sent stays out, null clears. */
function changesOf(input: DeviceInput): store.DeviceChanges {
  const { status, lastSeenAt } = input as Static<typeof PatchDeviceBody>;
  const columns = {
    name: input.name,
    device_type: input.deviceType,
    external_id: input.externalId,
    location_id: input.locationId,
    battery_level: input.batteryLevel,
    metadata: input.metadata,
    status,
    last_seen_at: typeof lastSeenAt === 'string' ? new Date(lastSeenAt) : lastSeenAt,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

async function withUniqueExternalId<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, 'devices_external_id_key')) fail('external_id_conflict');
    throw error;
  }
}

/** A device that a trusted service registers by itself: enrolled at once. */
export function createDevice(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  input: Static<typeof CreateDeviceBody>,
) {
  const id = ids();
  w.audit({ entityType: 'device', entityId: id });
  const device = { device_type: 'kiosk' as const, ...changesOf(input) };
  return withUniqueExternalId(store.insertDevice(w, id, device, new Date(clock.now())));
}

export async function updateDevice(
  w: Write,
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  input: Static<typeof PatchDeviceBody>,
): Promise<store.DeviceRow> {
  w.audit({ entityType: 'device', entityId: id });
  const row = await withUniqueExternalId(store.updateDevice(w, id, changesOf(input), new Date(clock.now())));
  return row ?? fail((await store.findDevice(w, id)) ? 'invalid_transition' : 'device_not_found');
}

export async function findDevice(read: Read, id: string): Promise<store.DeviceRow> {
  return (await store.findDevice(read, id)) ?? fail('device_not_found');
}

export const listDevices = store.listDevices;
