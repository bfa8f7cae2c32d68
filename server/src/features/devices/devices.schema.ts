import Type from 'typebox';
import { type Columns, createFields, optional, replyFields, updateFields } from '../../http/columns.js';
import { except } from '../../http/openapi/example.js';
import {
  closed,
  Environment,
  FreeForm,
  like,
  pageOf,
  paging,
  shown,
  Text,
  Timestamp,
  timestamp,
  uuid,
} from '../../http/schema.js';
import { enrollDeeplink } from '../../model/deeplink.js';
import { code, fingerprint, ids, times } from '../../model/story.js';

const DEVICE_TYPES = ['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'] as const;
export const DEVICE_STATUSES = ['active', 'inactive', 'retired'] as const;
export const ENROLLMENT_STATES = ['pending', 'enrolled', 'revoked'] as const;

const DeviceType = like('kiosk', Type.Enum([...DEVICE_TYPES]));
const EnrollmentState = Type.Enum([...ENROLLMENT_STATES]);
const Status = Type.Enum([...DEVICE_STATUSES]);
const BatteryLevel = Type.Number({ minimum: 0, maximum: 100, examples: [87.5] });
const AttestationKind = like('play_integrity', Text(64));

export const deviceColumns = {
  id: { column: 'id', schema: uuid(ids.device), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  name: { column: 'name', schema: like('Main gate', Text(200)), create: 'required', update: true },
  deviceType: { column: 'device_type', schema: DeviceType, create: 'optional', update: true },
  externalId: { column: 'external_id', schema: like('gate-01', Text(200)), ...optional },
  locationId: { column: 'location_id', schema: like('lobby', Text(200)), ...optional },
  batteryLevel: { column: 'battery_level', schema: BatteryLevel, ...optional },
  metadata: { column: 'metadata', schema: FreeForm, type: 'json', ...optional },
  status: { column: 'status', schema: Status, update: true },
  lastSeenAt: {
    column: 'last_seen_at',
    schema: Timestamp,
    type: 'timestamptz',
    nullable: true,
    update: true,
  },
  enrollment_state: { column: 'enrollment_state', schema: like('enrolled', EnrollmentState) },
  fingerprint: { column: 'fingerprint', schema: shown(fingerprint), nullable: true },
  attestation_kind: { column: 'attestation_kind', schema: AttestationKind, nullable: true },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
  updatedAt: { column: 'updated_at', schema: Timestamp, type: 'timestamptz' },
} as const satisfies Columns;

export const Device = closed(replyFields(deviceColumns), 'Device');

const createDevice = createFields(deviceColumns);
const updateDevice = updateFields(deviceColumns);

export const CreateDeviceBody = closed(createDevice, 'DeviceCreateParams');

export const PatchDeviceBody = Type.Object(updateDevice, {
  additionalProperties: false,
  title: 'DeviceUpdateParams',
  minProperties: 1,
});

export const ListDevicesQuery = closed({
  status: Type.Optional(Status),
  externalId: createDevice.externalId,
  ...paging,
});
export const DeviceReply = closed({ device: Device });
export const DeviceListReply = pageOf('devices', Device);

const MintedCode = closed(
  { code: shown(code), expires_at: timestamp(times.in15Minutes), deeplink: shown(enrollDeeplink(code)) },
  'EnrollmentCode',
);
export const PendingDeviceReply = except(closed({ device: Device, enrollment: MintedCode }), {
  device: {
    externalId: null,
    batteryLevel: null,
    status: 'inactive',
    lastSeenAt: null,
    enrollment_state: 'pending',
    fingerprint: null,
    attestation_kind: null,
  },
});

export const ConsoleDeviceBody = closed(
  {
    name: createDevice.name,
    deviceType: createDevice.deviceType,
    locationId: createDevice.locationId,
    metadata: createDevice.metadata,
  },
  'ConsoleDeviceCreateParams',
);
export const ConsolePatchBody = Type.Object(
  {
    name: updateDevice.name,
    locationId: updateDevice.locationId,
    deviceType: updateDevice.deviceType,
    status: updateDevice.status,
    metadata: updateDevice.metadata,
  },
  { additionalProperties: false, title: 'ConsoleDeviceUpdateParams', minProperties: 1 },
);
export const ConsoleDevicesQuery = closed({
  environment: Type.Optional(Environment),
  enrollment_state: Type.Optional(EnrollmentState),
  ...ListDevicesQuery.properties,
});
/** A code and a fingerprint may be any text: what is wrong with them is one answer for all. */
export const EnrollBody = closed(
  {
    enrollment_code: shown(code),
    fingerprint: shown(fingerprint),
    attestation_kind: Type.Optional(AttestationKind),
    /** Of the device that the code is for. */
    device_id: Type.Optional(uuid(ids.device)),
  },
  'DeviceEnrollParams',
);
