import Type from 'typebox';
import { except } from '../../kernel/example.js';
import {
  closed,
  Environment,
  FreeForm,
  like,
  Nullable,
  pageOf,
  paging,
  shown,
  Text,
  Timestamp,
  timestamp,
  uuid,
} from '../../kernel/schema.js';
import { enrollDeeplink } from '../../model/deeplink.js';
import { code, fingerprint, ids, times } from '../../model/story.js';

export const DEVICE_TYPES = ['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'] as const;
export const DEVICE_STATUSES = ['active', 'inactive', 'retired'] as const;
export const ENROLLMENT_STATES = ['pending', 'enrolled', 'revoked'] as const;

const DeviceType = like('kiosk', Type.Enum([...DEVICE_TYPES]));
const EnrollmentState = Type.Enum([...ENROLLMENT_STATES]);
const Status = Type.Enum([...DEVICE_STATUSES]);
const BatteryLevel = Type.Number({ minimum: 0, maximum: 100, examples: [87.5] });
const Name = like('Main gate', Text(200));
const ExternalId = like('gate-01', Text(200));
const LocationId = like('lobby', Text(200));
const AttestationKind = like('play_integrity', Text(64));

export const Device = closed(
  {
    id: uuid(ids.device),
    environment: Environment,
    name: shown('Main gate'),
    deviceType: DeviceType,
    externalId: Nullable(shown('gate-01')),
    locationId: Nullable(shown('lobby')),
    batteryLevel: Nullable(BatteryLevel),
    metadata: Nullable(FreeForm),
    status: Status,
    lastSeenAt: Nullable(Timestamp),
    enrollment_state: like('enrolled', EnrollmentState),
    fingerprint: Nullable(shown(fingerprint)),
    attestation_kind: Nullable(shown('play_integrity')),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  'Device',
);

export const CreateDeviceBody = closed(
  {
    name: Name,
    deviceType: Type.Optional(DeviceType),
    externalId: Type.Optional(ExternalId),
    locationId: Type.Optional(LocationId),
    batteryLevel: Type.Optional(BatteryLevel),
    metadata: Type.Optional(FreeForm),
  },
  'DeviceCreateParams',
);

export const PatchDeviceBody = Type.Object(
  {
    name: Type.Optional(Name),
    deviceType: Type.Optional(DeviceType),
    externalId: Type.Optional(Nullable(ExternalId)),
    locationId: Type.Optional(Nullable(LocationId)),
    batteryLevel: Type.Optional(Nullable(BatteryLevel)),
    metadata: Type.Optional(Nullable(FreeForm)),
    status: Type.Optional(Status),
    lastSeenAt: Type.Optional(Nullable(Timestamp)),
  },
  { additionalProperties: false, title: 'DeviceUpdateParams', minProperties: 1 },
);

export const ListDevicesQuery = closed({
  status: Type.Optional(Status),
  externalId: Type.Optional(ExternalId),
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
    name: Name,
    deviceType: Type.Optional(DeviceType),
    locationId: Type.Optional(LocationId),
    metadata: Type.Optional(FreeForm),
  },
  'ConsoleDeviceCreateParams',
);
export const ConsolePatchBody = Type.Object(
  {
    name: Type.Optional(Name),
    locationId: Type.Optional(Nullable(LocationId)),
    deviceType: Type.Optional(DeviceType),
    status: Type.Optional(Status),
    metadata: Type.Optional(Nullable(FreeForm)),
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
