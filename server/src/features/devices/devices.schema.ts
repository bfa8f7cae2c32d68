import Type from 'typebox';
import { exportOf } from '../../http/export.js';
import { overrideExample } from '../../http/openapi/example.js';
import { enrollDeeplink } from '../../model/deeplink.js';
import { code, fingerprint, ids, times } from '../../model/example-fixtures.js';
import { type Columns, createFields, optional, replyFields, updateFields } from '../../records/columns.js';
import { countedPageOf, createdIn, includesTotal, search, searchPageOf } from '../../records/list.js';
import { sorting } from '../../records/order.js';
import {
  Environment,
  exampleText,
  FreeForm,
  forConsole,
  paging,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const DEVICE_TYPES = ['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'] as const;
export const DEVICE_STATUSES = ['active', 'inactive', 'retired'] as const;
export const ENROLLMENT_STATES = ['pending', 'enrolled', 'revoked'] as const;

const DeviceType = withExample('kiosk', Type.Enum([...DEVICE_TYPES]));
const EnrollmentState = Type.Enum([...ENROLLMENT_STATES]);
const Status = Type.Enum([...DEVICE_STATUSES]);
const BatteryLevel = Type.Number({ minimum: 0, maximum: 100, examples: [87.5] });
const AttestationKind = withExample('play_integrity', Text(64));

export const deviceColumns = {
  id: { column: 'id', schema: uuid(ids.device), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  name: { column: 'name', schema: withExample('Main gate', Text(200)), create: 'required', update: true },
  deviceType: { column: 'device_type', schema: DeviceType, create: 'optional', update: true },
  externalId: { column: 'external_id', schema: withExample('gate-01', Text(200)), ...optional },
  locationId: { column: 'location_id', schema: withExample('lobby', Text(200)), ...optional },
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
  enrollment_state: { column: 'enrollment_state', schema: withExample('enrolled', EnrollmentState) },
  fingerprint: { column: 'fingerprint', schema: exampleText(fingerprint), nullable: true },
  attestation_kind: { column: 'attestation_kind', schema: AttestationKind, nullable: true },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
  updatedAt: { column: 'updated_at', schema: Timestamp, type: 'timestamptz' },
} as const satisfies Columns;

export const Device = strictObject(replyFields(deviceColumns), 'Device');

const createDevice = createFields(deviceColumns);
const updateDevice = updateFields(deviceColumns);

export const CreateDeviceBody = strictObject(createDevice, 'DeviceCreateParams');

export const PatchDeviceBody = Type.Object(updateDevice, {
  additionalProperties: false,
  title: 'DeviceUpdateParams',
  minProperties: 1,
});

const filters = {
  enrollment_state: Type.Optional(EnrollmentState),
  status: Type.Optional(Status),
  externalId: createDevice.externalId,
  ...search,
  ...createdIn,
  ...sorting,
};
export const ListDevicesQuery = strictObject({ ...filters, ...includesTotal, ...paging });
export const DeviceReply = strictObject({ device: Device });
export const DeviceListReply = searchPageOf('devices', Device, 'DevicePage');
export const deviceExport = exportOf(ListDevicesQuery, Device.properties);

const MintedCode = strictObject(
  {
    code: exampleText(code),
    expires_at: timestamp(times.in15Minutes),
    deeplink: exampleText(enrollDeeplink(code)),
  },
  'EnrollmentCode',
);
export const PendingDeviceReply = overrideExample(strictObject({ device: Device, enrollment: MintedCode }), {
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

export const ConsoleDeviceBody = strictObject(
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
export const ConsoleDevicesQuery = forConsole(strictObject({ ...filters, ...paging }));
export const ConsoleDeviceList = countedPageOf('devices', Device, 'ConsoleDevicePage');
/** Codes and fingerprints may be any text here, so every wrong one returns the same error. */
export const EnrollBody = strictObject(
  {
    enrollment_code: exampleText(code),
    fingerprint: exampleText(fingerprint),
    attestation_kind: Type.Optional(AttestationKind),
    /** The id of the device that the code is for. */
    device_id: Type.Optional(uuid(ids.device)),
  },
  'DeviceEnrollParams',
);
