import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  Nullable,
  pageOf,
  paging,
  Text,
  Timestamp,
  Uuid,
} from '../../kernel/schema.js';

export const DEVICE_TYPES = ['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'] as const;
export const DEVICE_STATUSES = ['active', 'inactive', 'retired'] as const;

const DeviceType = Type.Enum([...DEVICE_TYPES]);
const Status = Type.Enum([...DEVICE_STATUSES]);
const BatteryLevel = Type.Number({ minimum: 0, maximum: 100 });

export const Device = closed(
  {
    id: Uuid,
    environment: Environment,
    name: Type.String(),
    deviceType: DeviceType,
    externalId: Nullable(Type.String()),
    locationId: Nullable(Type.String()),
    batteryLevel: Nullable(BatteryLevel),
    metadata: Nullable(FreeForm),
    status: Status,
    lastSeenAt: Nullable(Timestamp),
    enrollment_state: Type.Enum(['pending', 'enrolled', 'revoked']),
    fingerprint: Nullable(Type.String()),
    attestation_kind: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  'Device',
);

export const CreateDeviceBody = closed({
  name: Text(200),
  deviceType: Type.Optional(DeviceType),
  externalId: Type.Optional(Text(200)),
  locationId: Type.Optional(Text(200)),
  batteryLevel: Type.Optional(BatteryLevel),
  metadata: Type.Optional(FreeForm),
});

export const PatchDeviceBody = Type.Object(
  {
    name: Type.Optional(Text(200)),
    deviceType: Type.Optional(DeviceType),
    externalId: Type.Optional(Nullable(Text(200))),
    locationId: Type.Optional(Nullable(Text(200))),
    batteryLevel: Type.Optional(Nullable(BatteryLevel)),
    metadata: Type.Optional(Nullable(FreeForm)),
    status: Type.Optional(Status),
    lastSeenAt: Type.Optional(Nullable(Timestamp)),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const ListDevicesQuery = closed({ status: Type.Optional(Status), ...paging });
export const DeviceReply = closed({ device: Device });
export const DeviceListReply = pageOf('devices', Device);

const MintedCode = closed(
  { code: Type.String(), expires_at: Timestamp, deeplink: Type.String() },
  'EnrollmentCode',
);
export const PendingDeviceReply = closed({ device: Device, enrollment: MintedCode });

export const ConsoleDeviceBody = closed({
  name: Text(200),
  deviceType: Type.Optional(DeviceType),
  locationId: Type.Optional(Text(200)),
  metadata: Type.Optional(FreeForm),
});
export const ConsolePatchBody = Type.Object(
  {
    name: Type.Optional(Text(200)),
    locationId: Type.Optional(Nullable(Text(200))),
    deviceType: Type.Optional(DeviceType),
    status: Type.Optional(Status),
    metadata: Type.Optional(Nullable(FreeForm)),
  },
  { additionalProperties: false, minProperties: 1 },
);
export const ConsoleDevicesQuery = closed({
  environment: Type.Optional(Environment),
  enrollment_state: Type.Optional(Type.Enum(['pending', 'enrolled', 'revoked'])),
  ...ListDevicesQuery.properties,
});
/** A code and a fingerprint may be any text: what is wrong with them is one answer for all. */
export const EnrollBody = closed({
  enrollment_code: Type.String(),
  fingerprint: Type.String(),
  attestation_kind: Type.Optional(Text(64)),
});
